// Programs ask the CPU themselves: the same answer as __builtin_cpu_supports, before
// constructors run, and the widest code of those that it names.
//
// REQUIRES: native-x86
// RUN: %clang_dl -O3 -c %S/../Plugin/dispatch.c -o %t.dl.o
// RUN: llvm-nm %t.dl.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: %clang -O1 %s %t.dl.o -o %t
// RUN: %t
//
// On other CPUs, and where the system does not save the registers.
// RUN: %if qemu-x86_64 %{ %qemu-x86_64 -cpu Nehalem %t %}
// RUN: %if qemu-x86_64 %{ %qemu-x86_64 -cpu Haswell %t %}
// RUN: %if qemu-x86_64 %{ %qemu-x86_64 -cpu EPYC,-avx2 %t %}
// RUN: %if qemu-x86_64 %{ %qemu-x86_64 -cpu max,-xsave %t %}
//
// SYMBOLS-NOT: __cpu_model
// SYMBOLS: V dl.cpu.features
// SYMBOLS: t dl.matmul.nn.f32.0.avx2.tiles
// SYMBOLS-NOT: __cpu_model
#include <stdio.h>

extern const unsigned long found __asm__("dl.cpu.features");
void product(float *C, const float *A, const float *B, long M, long N, long K);

static unsigned long in_constructor;
__attribute__((constructor)) static void look(void) { in_constructor = found; }

// In the order of the table.
static unsigned long expect(void) {
  __builtin_cpu_init();
  unsigned long bits = __builtin_cpu_is("amd") ? 1 : 0, bit = 1;
#define FEATURE(NAME)                                                          \
  bit <<= 1;                                                                   \
  bits |= __builtin_cpu_supports(NAME) ? bit : 0;
  FEATURE("fma")
  FEATURE("avx2")
  FEATURE("avx512f")
  FEATURE("avx512dq")
  FEATURE("avx512bw")
  FEATURE("avx512vl")
  FEATURE("f16c")
  FEATURE("avx512vnni")
  FEATURE("avxvnni")
  FEATURE("avx512bf16")
  return bits;
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
  printf("%lx, in a constructor %lx, not %lx\n", found, in_constructor,
         expect());
  return 1;
}
