// Products of halves added to floats by one instruction of AArch64: the bits of plain
// clang, all kinds of numbers among them.
//
// REQUIRES: qemu-aarch64
// DEFINE: %{flags} = -O3 --target=aarch64-linux-gnu -march=armv8.2-a+fp16fml
// RUN: %clang %{flags} -DKERNELS=plain %s -c -o %t.plain.o
// RUN: %clang_dl %{flags} -DKERNELS=dl -mllvm -dl-disable=dl-vectorize %s -c -o %t.dl.o
// (LLVM 19 has other ways to widen.)
// RUN: %if llvm-22 %{ %clang_dl %{flags} -DKERNELS=dl -mllvm -dl-disable=dl-vectorize -S %s -o - | FileCheck %s --check-prefix=ASM %}
// RUN: %clang %{flags} %s -static %t.plain.o %t.dl.o -o %t
// RUN: %qemu-aarch64 %t | FileCheck %s
// ASM-DAG: fmlal {{.*}}.4s, v{{.*}}.4h
// ASM-DAG: fmlal2
// ASM-DAG: fmlsl
// CHECK-NOT: differs
// CHECK: 500 arrays
#define NAME2(A, B) A##_##B
#define NAME(A, B) NAME2(A, B)
typedef _Float16 half;

#ifdef KERNELS
void NAME(KERNELS, add)(float *y, const half *a, const half *b, long n) {
  for (long i = 0; i < n; i++)
    y[i] += (float)a[i] * (float)b[i];
}
void NAME(KERNELS, subtract)(float *y, const half *a, const half *b, long n) {
  for (long i = 0; i < n; i++)
    y[i] -= (float)b[i] * (float)a[i];
}
void NAME(KERNELS, square)(float *y, const half *a, const half *b, long n) {
  for (long i = 0; i < n; i++)
    y[i] = (float)a[i] * (float)a[i] + (float)b[i];
}
#else
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KINDS = 3, MOST = 70, ARRAYS = 500 };
typedef void Kernel(float *, const half *, const half *, long);
Kernel plain_add, plain_subtract, plain_square, dl_add, dl_subtract, dl_square;
static Kernel *const Plain[] = {plain_add, plain_subtract, plain_square},
                     *const DL[] = {dl_add, dl_subtract, dl_square};

static unsigned Seed = 1;
static unsigned draw(void) {
  return (Seed = Seed * 1664525u + 1013904223u) >> 8;
}

static int differs(float x, float y) {
  return isnan(x) ? !isnan(y) : memcmp(&x, &y, sizeof x) != 0;
}

int main(void) {
  static float x[MOST], y[MOST];
  static half a[MOST], b[MOST];
  for (int r = 0; r < ARRAYS; r++) {
    for (int i = 0; i < MOST; i++) {
      // Any bits: subnormals, infinities, NaN, zeros of both signs.
      unsigned short bits[] = {draw(), draw()};
      memcpy(&a[i], &bits[0], 2);
      memcpy(&b[i], &bits[1], 2);
      unsigned word = draw() << 8 ^ draw();
      memcpy(&x[i], &word, 4);
      if (r % 2)
        x[i] = (float)(int)draw() * 0x1p-30f;
    }
    for (int k = 0; k < KINDS; k++) {
      memcpy(y, x, sizeof x);
      Plain[k](x, a, b, r % MOST);
      DL[k](y, a, b, r % MOST);
      for (int i = 0; i < MOST; i++)
        if (differs(x[i], y[i]))
          printf("kernel %d differs: %a %a\n", k, x[i], y[i]);
    }
  }
  printf("%d arrays\n", ARRAYS);
}
#endif
