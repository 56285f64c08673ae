// Pointers that are read in each round and asked whether they are null, beside functions
// that set errno: without a round they are not read, and errno is as in the source.
// REQUIRES: native-x86
// RUN: %clang -O1 -DBUILD=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -DBUILD=dl -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %clang -O1 -march=native -DBUILD=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -DBUILD=dl -c %s -o %t.dl.o
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// REMARK-COUNT-2: iterations of i
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct array {
  float *data;
};
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)
#define ARGS float *x, const struct array *w, const struct array *b, int n, int d, float least
#ifdef BUILD
void NAME1(norm, BUILD)(ARGS) {
  (void)b;
  for (int i = 0; i < n; i++) {
    float *row = x + (size_t)i * d;
    const float *weights = w->data;
    float s = 0;
    for (int j = 0; j < d; j++)
      s += row[j] * row[j];
    float scale = 1 / sqrtf(s / d + least);
    if (weights)
      for (int j = 0; j < d; j++)
        row[j] = row[j] * scale * weights[j];
    else
      for (int j = 0; j < d; j++)
        row[j] = row[j] * scale;
  }
}
void NAME1(layer, BUILD)(ARGS) {
  for (int i = 0; i < n; i++) {
    float *row = x + (size_t)i * d, mean = 0, s = 0;
    const float *weights = w->data, *biases = b->data;
    for (int j = 0; j < d; j++)
      mean += row[j];
    mean /= d;
    for (int j = 0; j < d; j++)
      s += (row[j] - mean) * (row[j] - mean);
    float scale = 1 / sqrtf(s / d + least);
    if (weights && biases)
      for (int j = 0; j < d; j++)
        row[j] = (row[j] - mean) * scale * weights[j] + biases[j];
    else
      for (int j = 0; j < d; j++)
        row[j] = (row[j] - mean) * scale;
  }
}
#else
typedef void Run(ARGS);
extern Run norm_plain, norm_dl, layer_plain, layer_dl;
static Run *const all[][2] = {{norm_plain, norm_dl}, {layer_plain, layer_dl}};

int main(void) {
  enum { Most = 40 };
  static float x[2][Most * Most], weights[Most], biases[Most];
  static const float least[] = {1e-5f, 0, -4, NAN};
  unsigned long runs = 0, different = 0;
  for (int i = 0; i < Most; i++)
    weights[i] = (float)(i - 9) / 8, biases[i] = i % 5 ? (float)i : -0.0f;
  for (int n = 0; n < Most; n += 1 + n / 6)
    for (int d = 0; d < Most; d += 1 + d / 6)
      for (int kind = 0; kind < 4 * 4; kind++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
          struct array w = {kind & 1 ? weights : NULL}, b = {kind & 2 ? biases : NULL};
          int error[2];
          for (int s = 0; s < 2; s++) {
            for (int i = 0; i < Most * Most; i++)
              x[s][i] = (float)(i * 37 % 101 - 50) / 16;
            errno = 0;
            // Without rows there are no arrays.
            all[k][s](x[s], n ? &w : NULL, n ? &b : NULL, n, d, least[kind / 4]);
            error[s] = errno;
          }
          // The sign of a NaN is no result.
          for (int s = 0; s < 2; s++)
            for (int i = 0; i < Most * Most; i++)
              if (isnan(x[s][i]))
                x[s][i] = NAN;
          runs++, different += memcmp(x[0], x[1], sizeof x[0]) || error[0] != error[1];
        }
  printf("%lu runs, %lu different\n", runs, different);
  return different != 0;
}
#endif
