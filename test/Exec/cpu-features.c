// Programs that no driver of clang or flang has linked ask the CPU themselves:
// the same answer as __builtin_cpu_supports, before constructors run, and the
// widest code of those that it names.
//
// REQUIRES: native-x86
// RUN: %clang -O3 -Xclang -disable-llvm-passes -emit-llvm -S %S/../Plugin/dispatch.c -o %t.ll
// RUN: sed 's/clang version/rustc version/' %t.ll | %opt -passes='default<O3>' -o %t.bc
// RUN: %clang -O3 -c %t.bc -o %t.dl.o
// RUN: llvm-nm %t.dl.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: llvm-objcopy --globalize-symbol=dl.cpu.features %t.dl.o
// RUN: %clang -O1 %s %t.dl.o -o %t
// RUN: %t
//
// SYMBOLS-NOT: __cpu_model
// SYMBOLS: b dl.cpu.features
// SYMBOLS: t dl.matmul.nn.f32.0.avx2.tiles
// SYMBOLS-NOT: __cpu_model
#include <stdio.h>

extern const unsigned found __asm__("dl.cpu.features");
void product(float *C, const float *A, const float *B, long M, long N, long K);

static unsigned in_constructor;
__attribute__((constructor)) static void look(void) { in_constructor = found; }

// Bits of the enumeration that libgcc and compiler-rt share.
static unsigned expect(void) {
  __builtin_cpu_init();
  return (__builtin_cpu_supports("fma") ? 1u << 14 : 0) |
         (__builtin_cpu_supports("avx2") ? 1u << 10 : 0) |
         (__builtin_cpu_supports("avx512f") ? 1u << 15 : 0) |
         (__builtin_cpu_supports("avx512vl") ? 1u << 20 : 0) |
         (__builtin_cpu_supports("avx512bw") ? 1u << 21 : 0) |
         (__builtin_cpu_supports("avx512dq") ? 1u << 22 : 0);
}

int main(void) {
  enum { N = 67 };
  static float a[N * N], b[N * N], c[N * N];
  for (int i = 0; i < N * N; i++)
    a[i] = i % 13, b[i] = i % 7;
  product(c, a, b, N, N, N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i * N + k] * b[k * N + j];
      if (c[i * N + j] != sum)
        return printf("%d, %d: %a, not %a\n", i, j, c[i * N + j], sum), 1;
    }
  if (found == expect() && in_constructor == found)
    return 0;
  printf("%x, in a constructor %x, not %x\n", found, in_constructor, expect());
  return 1;
}
