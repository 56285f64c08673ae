// Loops over all elements whose coordinates are divided for, counted as by an odometer, or
// kept in small arrays, on sizes that fit and sizes that do not: the bits of plain clang.
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -march=native
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} -DKERNEL '-DNAME(x)=plain_##x' -c %s -o %t.plain.o && \
// DEFINE:   %clang_dl -mllvm -dl-%dispatch -O3 %{flags} -DKERNEL '-DNAME(x)=made_##x' -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && \
// DEFINE:   %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -fwrapv
// RUN: %{check}
// REMARK-COUNT-18: exact, {{.*}} kernel number
// CHECK: 16 kernels, {{[0-9]+}} runs, 0 different
#define ARGUMENTS                                                                        \
  (float *y, const float *x, const float *b, const int *d, const int *s, const int *p, long n, \
   int axis)
#ifdef KERNEL
// Strides that are read, and taken off one by one.
void NAME(strides) ARGUMENTS {
  for (long i = 0; i < n; i++) {
    int r = i, e = d[1] * d[2];
    int u = r / e;
    r %= e;
    int v = r / d[2];
    r %= d[2];
    y[i] = x[u * s[0] + v * s[1] + r * s[2]];
  }
}
void NAME(sum) ARGUMENTS {
  for (unsigned i = 0; i < n; i++) {
    int r = i, o;
    o = r / d[1];
    r %= d[1];
    y[o * s[1] + r / d[2]] += x[i];
  }
}
// Loops over dimensions.
void NAME(looped) ARGUMENTS {
  for (int i = 0; i < n; i++) {
    int r = i, o = 0;
    for (int k = 2; k >= 0; k--) {
      o += r % d[k] * s[k];
      r /= d[k];
    }
    y[i] = x[i] + b[o];
  }
}
void NAME(permuted) ARGUMENTS {
  for (int i = 0; i < n; i++) {
    int c[3], r = i, o = 0;
    for (int k = 2; k >= 0; k--) {
      c[k] = r % d[k];
      r /= d[k];
    }
    for (int k = 0; k < 3; k++)
      o += c[k] * s[p[k]];
    y[i] = x[o];
  }
}
// Of 1 to 4 dimensions.
void NAME(ranked) ARGUMENTS {
  int rank = axis + 1;
  for (int i = 0; i < n; i++) {
    int r = i, o = 0;
    for (int k = rank - 1; k >= 0; k--) {
      o += r % d[k] * s[k];
      r /= d[k];
    }
    y[i] = x[i] + b[o];
  }
}
// Whose number is read.
void NAME(shaped) ARGUMENTS {
  for (int i = 0; i < n; i++) {
    int r = i, o = 0;
    for (int k = 0; k < p[5]; k++) {
      o += r % d[k] * s[k];
      r /= d[k];
    }
    y[i] = x[i] - b[o];
  }
}
// Odometers.
void NAME(nested) ARGUMENTS {
  int u = 0, v = 0, w = 0, d0 = d[0], d1 = d[1], d2 = d[2];
  for (int i = 0; i < n; i++) {
    y[i] = x[i] - b[v] + b[u];
    if (++w == d2) {
      w = 0;
      if (++v == d1) {
        v = 0;
        if (++u == d0)
          u = 0;
      }
    }
  }
}
void NAME(last) ARGUMENTS {
  int v = 0, w = 0, d1 = d[1], d2 = d[2];
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * b[v] + b[w];
    if (w == d2 - 1) {
      w = 0;
      v++;
      if (v >= d1)
        v = 0;
    } else
      w++;
  }
}
void NAME(less) ARGUMENTS {
  unsigned v = 0, w = 0, d1 = d[1], d2 = d[2];
  for (long i = 0; i < n; i++) {
    y[i] = x[i] + b[v];
    w = w + 1 < d2 ? w + 1 : 0;
    if (!w)
      v = v + 1 < d1 ? v + 1 : 0;
  }
}
void NAME(array) ARGUMENTS {
  int c[3] = {0, 0, 0}, m[3] = {d[0], d[1], d[2]};
  for (int i = 0; i < n; i++) {
    y[i] = x[c[0] * s[0] + c[1] * s[1] + c[2] * s[2]];
    for (int k = 2; k >= 0; k--) {
      if (++c[k] < m[k])
        break;
      c[k] = 0;
    }
  }
}
// The offset jumps where a row ends.
void NAME(jumps) ARGUMENTS {
  int o = 0, c = 0, cols = d[2], ld = s[1];
  for (int i = 0; i < n; i++) {
    y[i] = x[o] * 2;
    o++;
    if (++c == cols) {
      c = 0;
      o += ld - cols;
    }
  }
}
void NAME(pointer) ARGUMENTS {
  long c = 0, cols = d[2], ld = s[1];
  const float *q = x;
  for (long i = 0; i < n; i++) {
    y[i] = *q - 1;
    q++;
    if (++c >= cols) {
      c = 0;
      q += ld - cols;
    }
  }
}
// It starts again with each row.
void NAME(again) ARGUMENTS {
  int o = 0, c = 0, cols = d[2], step = s[2];
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[o];
    o += step;
    if (++c == cols)
      c = o = 0;
  }
}
// A sum in each round, and counters that are used behind the loop.
void NAME(sums) ARGUMENTS {
  int r = 0, c = 0, planes = d[0], cols = d[2];
  for (int i = 0; i < n; i++) {
    float t = 0;
    for (int k = 0; k < planes; k++)
      t += x[(r * planes + k) * cols + c];
    y[i] = t;
    if (++c == cols) {
      c = 0;
      r++;
    }
  }
  y[n] = r * 1000 + c;
}
// One of the coordinates is 0, of an axis that is an argument.
void NAME(axis) ARGUMENTS {
  for (int i = 0; i < d[0]; i++)
    for (int j = 0; j < d[1]; j++)
      for (int k = 0; k < d[2]; k++) {
        long c[] = {i, j, k};
        c[axis] = 0;
        y[(c[0] * p[3] + c[1]) * p[4] + c[2]] += x[(i * d[1] + j) * d[2] + k];
      }
}
// An odometer whose count is changed elsewhere is none.
void NAME(disturbed) ARGUMENTS {
  int v = 0, w = 0, d1 = d[1], d2 = d[2];
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[v];
    if (++w == d2) {
      w = 0;
      if (++v == d1)
        v = 0;
    }
    if (i == 100)
      w = 0;
  }
}
#else
#include <math.h>
#include <stdio.h>
#include <string.h>
typedef void Kernel ARGUMENTS;
enum { SIZE = 1 << 16, ROOM = 1 << 13 };
static float X[2 * SIZE], B[2 * SIZE], Y[2][SIZE];
static int runs, bad, kernels;
static void fill(void) {
  unsigned r = 7;
  for (int i = 0; i < 2 * SIZE; i++) {
    r = r * 1664525u + 1013904223u;
    X[i] = (int)(r >> 8) % 1000 / 8.f;
    B[i] = (int)(r >> 9) % 1000 / 16.f;
    if (i % 97 == 5)
      X[i] = i % 2 ? INFINITY : -0.f;
  }
}
static void compare(const char *name, Kernel *plain, Kernel *made, const int *d, const int *s,
                    long n, int axis) {
  // And the extents of what is left without the axis, and a rank.
  const int perm[] = {2, 0, 1, axis == 1 ? 1 : d[1], axis == 2 ? 1 : d[2], axis + 1};
  Kernel *const both[] = {plain, made};
  for (int k = 0; k < 2; k++) {
    memcpy(Y[k], B, sizeof Y[k]);
    both[k](Y[k] + ROOM, X + ROOM, B + ROOM, d, s, perm, n, axis);
  }
  runs++;
  for (int i = 0; i < SIZE; i++)
    if (memcmp(&Y[0][i], &Y[1][i], 4) && !(isnan(Y[0][i]) && isnan(Y[1][i]))) {
      printf("%s %d %d %d, %ld: %d differs\n", name, d[0], d[1], d[2], n, i);
      bad++;
      return;
    }
}
#define KERNELS(X)                                                                       \
  X(strides) X(sum) X(looped) X(permuted) X(ranked) X(shaped) X(nested) X(last) X(less) X(array) X(jumps)    \
      X(pointer) X(again) X(sums) X(axis) X(disturbed)
#define DECLARE(N) Kernel plain_##N, made_##N;
KERNELS(DECLARE)
static const struct {
  const char *name;
  Kernel *plain, *made;
} ALL[] = {
#define ROW(N) {#N, plain_##N, made_##N},
    KERNELS(ROW)};
static void check(const int *d, const int *s, long n) {
  for (unsigned k = 0; k < sizeof ALL / sizeof *ALL; k++) {
    // The first ones divide.
    if (k < 6 && n > 0 && (d[0] == 0 || d[1] == 0 || d[2] == 0))
      continue;
    int axes = ALL[k].made == made_axis ? 3 : ALL[k].made == made_ranked || ALL[k].made == made_shaped ? 4 : 1;
    for (int axis = 0; axis < axes; axis++)
      compare(ALL[k].name, ALL[k].plain, ALL[k].made, d, s, n, axis);
  }
}
int main(void) {
  fill();
  kernels = sizeof ALL / sizeof *ALL;
  static const int dims[][4] = {{1, 1, 1, 1},  {2, 3, 5, 1},  {4, 8, 16, 1},  {7, 9, 13, 2},   {1, 64, 33, 1},
 {16, 1, 40, 1}, {3, 64, 1, 1}, {0, 8, 16, 1}, {4, 0, 16, 1}, {4, 8, 0, 1}, {4, 8, -3, 1}, {4, -8, 16, 1}, {8, 16, 32, 1}, {5, 17, 24, 3}};
  for (unsigned i = 0; i < sizeof dims / sizeof *dims; i++) {
    const int *d = dims[i];
    const int strides[][4] = {{d[1] * d[2], d[2], 1, 0}, {1, d[0], d[0] * d[1], 3}, {0, 1, 0, 2}, {d[2], d[2], 1, 1}};
    for (int t = 0; t < 4; t++)
      for (int less = -1; less <= 1; less++) {
        long n = (long)d[0] * d[1] * d[2] - less;
        if (n >= 0)
          check(d, strides[t], n);
      }
    check(d, strides[0], 0);
    check(d, strides[1], 301);
  }
  printf("%d kernels, %d runs, %d different\n", kernels, runs, bad);
}
#endif
