// Neighbours and lanes that are two elements apart, of the same row in one sum: what is
// read as it is keeps its address.
// REQUIRES: native-x86
// RUN: %clang -O3 -march=x86-64 -DTYPE=float -DOFFSET=14 -c -o %t.plain.o %s
// RUN: %clang_dl -O3 -march=x86-64 -DTYPE=float -DOFFSET=14 -DNAME=ours -c -o %t.ours.o %s -Rpass=dl-vectorize 2>&1 | FileCheck %s
// RUN: %clang -O2 -DTYPE=float -DMAIN -o %t %s %t.plain.o %t.ours.o && %t
// RUN: %clang -O3 -march=x86-64 -DTYPE=double -DOFFSET=6 -c -o %t.plain.o %s
// RUN: %clang_dl -O3 -march=x86-64 -DTYPE=double -DOFFSET=6 -DNAME=ours -c -o %t.ours.o %s -Rpass=dl-vectorize 2>&1 | FileCheck %s
// RUN: %clang -O2 -DTYPE=double -DMAIN -o %t %s %t.plain.o %t.ours.o && %t
// RUN: %if avx2 %{ %clang -O3 -march=haswell -DTYPE=float -DOFFSET=6 -c -o %t.plain.o %s %}
// RUN: %if avx2 %{ %clang_dl -O3 -march=haswell -DTYPE=float -DOFFSET=6 -DNAME=ours -c -o %t.ours.o %s %}
// RUN: %if avx2 %{ %clang -O2 -DTYPE=float -DMAIN -o %t %s %t.plain.o %t.ours.o && %t %}
// CHECK: by the script strips
#ifdef MAIN
#include <stdio.h>
#include <string.h>
void plain(TYPE *restrict, const TYPE *restrict);
void ours(TYPE *restrict, const TYPE *restrict);
static TYPE x[2 * 128 * 128], y[2][2 * 32 * 32];
int main(void) {
  for (int i = 0; i < 2 * 128 * 128; i++)
    x[i] = (TYPE)(i * 7919 % 1013) / 64;
  plain(y[0], x);
  ours(y[1], x);
  if (memcmp(y[0], y[1], sizeof(y[0])) != 0)
    return puts("other bits"), 1;
  return 0;
}
#else
#ifndef NAME
#define NAME plain
#endif
void NAME(TYPE *restrict y, const TYPE *restrict x) {
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < 32; i++)
      for (int j = 0; j < 32; j++) {
        TYPE s = 0;
        for (int r = 0; r < 3; r++)
          for (int t = 0; t < 3; t++) {
            const TYPE *row = x + (c * 128 + i * 2 + r) * 128;
            s += row[j + t] + (row[j + OFFSET + t] + row[j * 2 + t]);
          }
        y[(c * 32 + i) * 32 + j] = s;
      }
}
#endif
