// Each product of a program is transformed once, counted in the linked program:
// without link-time optimization, with full LTO and with ThinLTO; by a compiler
// with the plugin, by a linker with it, by both.
//
// RUN: split-file %s %t
//
// Compiled with the plugin; linked without and with it.
// RUN: %clang_dl -O3 -march=haswell -c -o %t/a.o %t/a.c
// RUN: %clang_dl -O3 -march=haswell -c -o %t/b.o %t/b.c
// RUN: %clang -O3 -fuse-ld=lld %t/main.c %t/a.o %t/b.o -o %t/none
// RUN: llvm-objdump -d --disassemble-symbols=product_a,product_b %t/none | FileCheck %s
// RUN: %t/none
//
// RUN: %clang_dl -O3 -march=haswell -flto -c -o %t/a.full.o %t/a.c
// RUN: %clang_dl -O3 -march=haswell -flto -c -o %t/b.full.o %t/b.c
// RUN: %clang -O3 -flto -fuse-ld=lld %t/main.c %t/a.full.o %t/b.full.o -o %t/full
// RUN: llvm-objdump -d --disassemble-symbols=product_a,product_b %t/full | FileCheck %s
// RUN: %t/full
// RUN: %preload %clang -O3 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/main.c %t/a.full.o %t/b.full.o -o %t/full.both
// RUN: llvm-objdump -d --disassemble-symbols=product_a,product_b %t/full.both | FileCheck %s
// RUN: %t/full.both
//
// RUN: %clang_dl -O3 -march=haswell -flto=thin -c -o %t/a.thin.o %t/a.c
// RUN: %clang_dl -O3 -march=haswell -flto=thin -c -o %t/b.thin.o %t/b.c
// RUN: %clang -O3 -flto=thin -fuse-ld=lld %t/main.c %t/a.thin.o %t/b.thin.o -o %t/thin
// RUN: llvm-objdump -d --disassemble-symbols=product_a,product_b %t/thin | FileCheck %s
// RUN: %t/thin
// RUN: %preload %clang -O3 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/main.c %t/a.thin.o %t/b.thin.o -o %t/thin.both
// RUN: llvm-objdump -d --disassemble-symbols=product_a,product_b %t/thin.both | FileCheck %s
// RUN: %t/thin.both
//
// One object from each compiler, linked with the plugin.
// RUN: %clang -O3 -march=haswell -flto=thin -c -o %t/b.plain.o %t/b.c
// RUN: %preload %clang -O3 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/main.c %t/a.thin.o %t/b.plain.o -o %t/thin.mixed
// RUN: llvm-objdump -d --disassemble-symbols=product_a,product_b %t/thin.mixed | FileCheck %s
// RUN: %t/thin.mixed
//
// Before full LTO a compiler has vectorized and unrolled already: there the
// linker's plugin transforms what was never optimized, or for either kind of link.
// RUN: %clang -O3 -march=haswell -flto -funified-lto -c -o %t/a.either.o %t/a.c
// RUN: %clang -O3 -march=haswell -flto -funified-lto -c -o %t/b.either.o %t/b.c
// RUN: %preload %clang -O3 -flto -funified-lto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/main.c %t/a.either.o %t/b.either.o -o %t/full.either
// RUN: llvm-objdump -d --disassemble-symbols=product_a,product_b %t/full.either | FileCheck %s
// RUN: %t/full.either
// RUN: %clang -O3 -march=haswell -flto -Xclang -disable-llvm-passes -c -o %t/a.raw.o %t/a.c
// RUN: %clang -O3 -march=haswell -flto -Xclang -disable-llvm-passes -c -o %t/b.raw.o %t/b.c
// RUN: %preload %clang -O3 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/main.c %t/a.raw.o %t/b.raw.o -o %t/full.raw
// RUN: llvm-objdump -d --disassemble-symbols=product_a,product_b %t/full.raw | FileCheck %s
// RUN: %t/full.raw
// REQUIRES: native-x86, avx2, lld

// CHECK-LABEL: <product_a>:
// CHECK:         {{(call|jmp).*<dl\.matmul\.nn\.f32\.0.*\.packed}}
// CHECK-NOT:     {{(call|jmp).*<dl\..*\.packed}}
// CHECK-LABEL: <product_b>:
// CHECK:         {{(call|jmp).*<dl\.matmul\.nn\.f32\.0.*\.packed}}
// CHECK-NOT:     {{(call|jmp).*<dl\..*\.packed}}

//--- a.c
__attribute__((noinline)) void product_a(int n, const float *a, const float *b,
                                         float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
//--- b.c
__attribute__((noinline)) void product_b(int n, const float *a, const float *b,
                                         float *c) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
//--- main.c
void product_a(int n, const float *a, const float *b, float *c);
void product_b(int n, const float *a, const float *b, float *c);
static float a[2500], b[2500], c[2500];
// Small integers: every sum is exact.
int main(int argc, char **argv) {
  int n = 49 + argc;
  for (int i = 0; i < n * n; i++) {
    a[i] = i % 7;
    b[i] = i % 5;
  }
  product_a(n, a, b, c);
  product_b(n, a, b, c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int k = 0; k < n; k++)
        sum += ((i * n + k) % 7) * ((k * n + j) % 5);
      if (c[i * n + j] != 2 * sum)
        return 1;
    }
  return 0;
}
