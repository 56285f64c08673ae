// Wide code behind a test of the CPU is linked with whatever a program is linked
// with: no library of the compiler, no C library, statically, as a shared library, at
// link time. Where nothing runs constructors it stays plain code.
//
// REQUIRES: native-x86
// RUN: %clang_dl -O3 -fPIC -c %S/dispatch.c -o %t.o
// RUN: %clang_dl -O3 -fPIC -DLANES -c %S/dispatch.c -o %t.lanes.o
// RUN: %clang -O1 -fPIC -c %s -o %t.main.o
// RUN: %clang -O1 -fPIC -fno-stack-protector -DSTART -c %s -o %t.start.o
//
// RUN: %clang %t.main.o %t.o %t.lanes.o -o %t.default && %t.default
// RUN: %clang -nodefaultlibs %t.main.o %t.o %t.lanes.o -lc -o %t.nodefaultlibs && %t.nodefaultlibs
// RUN: %clang -static %t.main.o %t.o %t.lanes.o -o %t.static && %t.static
// RUN: %clang -static -nostdlib %t.start.o %t.o %t.lanes.o -o %t.nostdlib && %t.nostdlib
// RUN: %clang -shared -nostdlib -Wl,-z,defs %t.o %t.lanes.o -o %t.so && %clang %t.main.o %t.so -o %t.shared && %t.shared
// The objects of a program have one word.
// RUN: llvm-nm %t.default | grep -c dl.cpu.features | FileCheck %s --check-prefix=ONE
// ONE: {{^}}1{{$}}
//
// RUN: %if lld %{ %clang_dl -O3 -flto -c %S/dispatch.c -o %t.bc && %clang -flto -fuse-ld=lld -nodefaultlibs %t.main.o %t.bc %t.lanes.o -lc -o %t.lto && %t.lto %}
// RUN: %if lld %{ %clang_dl -O3 -flto=thin -c %S/dispatch.c -o %t.thin.bc && %clang -flto=thin -fuse-ld=lld -nodefaultlibs %t.main.o %t.thin.bc %t.lanes.o -lc -o %t.thin && %t.thin %}
void product(float *C, const float *A, const float *B, long M, long N, long K);
void sums(float *restrict C, const float *restrict A, long M, long N);

enum { N = 65 };
static float a[N * N], c[N * N], s[N];

static int check(void) {
  for (int i = 0; i < N * N; i++)
    a[i] = i % 7;
  product(c, a, a, N, N, N);
  sums(s, a, N, N);
  for (int i = 0; i < N; i++) {
    float row = 1;
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i * N + k] * a[k * N + j];
      row += a[i * N + j];
      if (sum != c[i * N + j])
        return 1;
    }
    if (row != s[i])
      return 2;
  }
  return 0;
}

#ifdef START
__attribute__((force_align_arg_pointer)) void _start(void) {
  long status = check();
  __asm__ volatile("syscall" : : "a"(231L), "D"(status));
  __builtin_unreachable();
}
#else
int main(void) { return check(); }
#endif
