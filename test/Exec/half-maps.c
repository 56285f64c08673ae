// Maps over half and bfloat: converted to float, computed there, and rounded once.
// RUN: env DLOPT_OPTIONS=fp=fast %clang_dl -O3 -march=x86-64-v3 -DPART -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %if avx2 %{ %clang -O1 -march=x86-64-v3 %s %t.o -lm -o %t && %t | FileCheck %s %}
// Without instructions that convert half it is left alone.
// RUN: env DLOPT_OPTIONS=fp=fast %clang_dl -O3 -DPART -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SSE
// REQUIRES: native-x86
// REMARK-DAG: f16, {{.*}}: approximated, {{.*}} vectors of 8
// REMARK-DAG: f32, {{.*}}: approximated, {{.*}} vectors of 8
// SSE-NOT: f16,
// CHECK: 0 wrong
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PART
void silu(_Float16 *restrict y, const _Float16 *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = (_Float16)((float)x[i] / (1 + expf(-(float)x[i])));
}
void exponential(float *restrict y, const __bf16 *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf((float)x[i]);
}
#else
void silu(_Float16 *, const _Float16 *, long);
void exponential(float *, const __bf16 *, long);

int main(void) {
  enum { MaxN = 75 };
  static _Float16 x[MaxN], y[MaxN + 8];
  static __bf16 b[MaxN];
  static float z[MaxN + 8];
  int wrong = 0;
  for (long n = 0; n <= MaxN; n++) {
    memset(y, 0x5a, sizeof y);
    memset(z, 0x5a, sizeof z);
    for (long i = 0; i < n; i++) {
      x[i] = (_Float16)((float)(rand() % 16001 - 8000) / 1000);
      // Without a conversion, which may be a call.
      float wide = (float)(rand() % 16001 - 8000) / 1000;
      memcpy(&b[i], (char *)&wide + 2, 2);
    }
    silu(y, x, n);
    exponential(z, b, n);
    for (long i = 0; i < n; i++) {
      double v = (double)x[i], want = v / (1 + exp(-v));
      wrong += !(fabs((double)y[i] - want) <= 0x1.02p-11 * fabs(want) + 0x1p-25);
      want = exp((double)(float)b[i]);
      wrong += !(fabs((double)z[i] - want) <= 0x1p-22 * want);
    }
    for (long i = n; i < MaxN + 8; i++) {
      unsigned short bits;
      unsigned wide;
      memcpy(&bits, &y[i], 2);
      memcpy(&wide, &z[i], 4);
      wrong += bits != 0x5a5a || wide != 0x5a5a5a5a;
    }
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
#endif
