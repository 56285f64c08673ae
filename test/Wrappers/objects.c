// Kernels are found, and what has none has the object of the same compiler alone.
//
// DEFINE: %{dlcc} = env DLOPT_CC=%clang %dlcc
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %{dlcc} -O2 -c kernel.c -Rpass=dl-vectorize 2>&1 | FileCheck %s
// RUN: env DLOPT_CXX=%clangxx %dlcxx -O2 -x c++ -c kernel.c -Rpass=dl-vectorize 2>&1 | FileCheck %s
// CHECK: remark: matmul.nn f32
// RUN: %{dlcc} -O2 kernel.c main.c -o program && ./program | FileCheck %s --check-prefix=RUNS
// RUNS: 8 16
//
// DEFINE: %{flags} = -O2
// DEFINE: %{same} = %clang %{flags} -c other.c -o plain.o && %{dlcc} %{flags} -c other.c -o dl.o && cmp plain.o dl.o
// RUN: %{same}
// REDEFINE: %{flags} = -O3 -g
// RUN: %{same}
// Nor does the plugin change anything for targets that it has no code for, kernels or not.
// DEFINE: %{for} = x
// DEFINE: %{foreign} = %clang -O2 --target=%{for} -c kernel.c -o plain.o && %{dlcc} -O2 --target=%{for} -c kernel.c -o dl.o && cmp plain.o dl.o
// REDEFINE: %{for} = wasm32
// RUN: %{foreign}
// REDEFINE: %{for} = powerpc64le-linux-gnu
// RUN: %{foreign}
// REDEFINE: %{for} = armv7-linux-gnueabihf
// RUN: %{foreign}
//
// IR says that the plugin has seen it, and the program that is linked does not.
// RUN: %if lld %{ %clang -O2 -flto -c other.c -o plain.o && %clang -flto -fuse-ld=lld -shared plain.o -o plain.so %}
// RUN: %if lld %{ %{dlcc} -O2 -flto -c other.c -o dl.o && %{dlcc} -flto -fuse-ld=lld -shared dl.o -o dl.so && cmp plain.so dl.so %}
//
// Links of IR by lld.
// RUN: %if lld %{ %clang -O2 -funified-lto -flto -c kernel.c main.c %}
// RUN: %if lld %{ %{dlcc} -O2 -funified-lto -flto -fuse-ld=lld kernel.o main.o -o program && ./program | FileCheck %s --check-prefix=RUNS %}
// RUN: %if lld %{ llvm-nm program | FileCheck %s --check-prefix=LINK %}
// LINK: dl.matmul.nn.f32
//
// Wrong options of the plugin end the compilation.
// RUN: env DLOPT_OPTIONS=stak=1 not %{dlcc} -O2 -c kernel.c -o wrong.o 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not ls wrong.o
// WRONG: DLOPT_OPTIONS: unknown option 'stak'
//
// RUN: %if flang %{ %dlfc -O2 -c kernel.f90 -Rpass=dl-vectorize 2>&1 | FileCheck %s %}

//--- kernel.c
#ifdef __cplusplus
extern "C"
#endif
void product(int n, const float *__restrict a, const float *__restrict b,
             float *__restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
//--- main.c
int printf(const char *, ...);
void product(int n, const float *a, const float *b, float *c);
int main(void) {
  static float a[64], b[64], c[64];
  for (int i = 0; i < 64; i++)
    a[i] = 1, b[i] = 1 + (i & 1);
  product(8, a, b, c);
  printf("%g %g\n", c[0], c[1]);
}
//--- other.c
int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int find(const char *text, char c) {
  int at = 0;
  while (text[at] && text[at] != c)
    at++;
  return at;
}
//--- kernel.f90
subroutine product(n, a, b, c)
  integer :: n, i, j, k
  real :: a(n, n), b(n, n), c(n, n)
  do j = 1, n
    do k = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine
