// A nest that gets a copy behind a test, and leaves a number behind that comes from its
// innermost loop: with the copy as without.
// RUN: %clang -O1 -fno-strict-aliasing %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang_dl -O3 -fno-strict-aliasing %s -o %t -Rpass=dl-noalias 2>&1 | FileCheck %s
// RUN: %t | diff %t.expected -
// CHECK: loops that read {{.*}} bounds and pointers once
#include <stdio.h>

__attribute__((noinline)) int
left(int m, int n, const int *by, const int *const *more, unsigned char *out) {
  int live = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = by[i];
      if (*more)
        s = s - (*more)[i];
      live = live + (s & 3);
      out[i * 17 + j] = (unsigned char)s;
    }
  return live;
}

int main(void) {
  static unsigned char out[17 * 17];
  static int by[17], other[17];
  const int *more = other;
  for (int i = 0; i < 17; i++) {
    by[i] = i * i * 7;
    other[i] = 100 - i;
  }
  for (int m = 0; m < 17; m += 4)
    for (int n = 0; n < 17; n += 5) {
      printf("%d\n", left(m, n, by, &more, out));
      const int *none = 0;
      printf("%d\n", left(m, n, by, &none, out));
      // What is stored may be what is read.
      printf("%d\n", left(m, n, by, &more, (unsigned char *)other));
    }
  for (int i = 0; i < 17 * 17; i++)
    printf("%d\n", out[i]);
  return 0;
}
