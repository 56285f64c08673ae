// Loops that read nothing and call functions: windows, angles, bells have the bits of plain
// clang, and its errno.
//
// RUN: %clang -O3 %s -lm -o %t.plain && %t.plain > %t.out
// RUN: %clang_dl -O3 %s -lm -o %t -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t | diff %t.out -
// RUN: %clang_dl -O3 -march=x86-64-v3 %s -lm -o %t -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s
// RUN: %if avx2 %{ %t | diff %t.out - %}
// REQUIRES: native-x86
// CHECK-COUNT-4: kernel number
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

__attribute__((noinline)) static void window(float *y, int n, int m, float s) {
  (void)m;
  for (int i = 0; i < n; i++)
    y[i] = 0.5f - 0.5f * cosf(6.2831853f * i / (s * n));
}
__attribute__((noinline)) static void positions(float *y, int n, int m, float s) {
  for (int p = 0; p < m; p++)
    for (int i = 0; i < n; i += 2) {
      float angle = s * p / powf(10000, (float)i / n);
      y[p * MOST + i] = sinf(angle);
      y[p * MOST + i + 1] = cosf(angle);
    }
}
__attribute__((noinline)) static void bell(float *y, int n, int m, float s) {
  (void)m;
  for (int i = 0; i < n; i++)
    y[i] = expf(-(i - n / 2) * (i - n / 2) / (2 * s * s));
}
__attribute__((noinline)) static void powers(float *y, int n, int m, float s) {
  (void)m;
  for (int i = 0; i < n; i++)
    y[i] = powf(s, -8.0f * i / n) + logf(i - 3.0f);
}

static void run(const char *name, void (*kernel)(float *, int, int, float)) {
  static const float Scales[] = {1, 0.3f, -2, 0, 1e-30f, 3e38f, INFINITY, NAN};
  static float y[MOST * MOST];
  for (int n = 0; n < MOST; n++)
    for (int k = 0; k < 8; k++) {
      unsigned long long hash = 0;
      for (int i = 0; i < MOST * MOST; i++)
        y[i] = i;
      errno = 0;
      kernel(y, n, n % 5, Scales[k]);
      int error = errno;
      for (int i = 0; i < MOST * MOST; i++) {
        unsigned bits;
        memcpy(&bits, &y[i], 4);
        hash = (hash ^ (isnan(y[i]) ? 0x7fc00000 : bits)) * 1099511628211u;
      }
      printf("%s %d %g: %d %llx\n", name, n, Scales[k], error, hash);
    }
}

int main(void) {
  run("window", window);
  run("positions", positions);
  run("bell", bell);
  run("powers", powers);
  return 0;
}
