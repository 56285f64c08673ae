// Losses of rows with their gradients, exactly: an element of each row is changed
// where its label says. Labels in their rows, in other ones, in other arrays;
// arrays apart, one, overlapping; none behind the last label is there.
// RUN: %clang_dl -O3 -march=x86-64-v3 -fno-math-errno -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O3 -march=x86-64-v3 -fno-math-errno -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -lm -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=native -DPART -c %s -o %t.o
// RUN: %clang -O3 -march=native -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -lm -o %t && %t | FileCheck %s
// RUN: %clang_dl -O2 -DPART -c %s -o %t.o
// RUN: %clang -O2 -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -lm -o %t && %t | FileCheck %s
// REQUIRES: native-x86, avx2
// REMARK-COUNT-5: : exact, iterations of i, j{{.*}} in 1 vectors of 8, kernel number{{.*}}; where arrays overlap, it runs
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define ARGS                                                                   \
  (int m, int n, float *d, float *loss, const float *x, const int *label)
#ifdef PART
#ifndef NAME
#define NAME made
#endif
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define LOSS(F) void NAMED(NAME, F) ARGS

// What is stored is what is changed.
LOSS(onehot) {
  for (int i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (int j = 1; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (int j = 0; j < n; j++)
      sum += expf(x[i * n + j] - max);
    loss[i] = logf(sum) - (x[i * n + label[i]] - max);
    for (int j = 0; j < n; j++)
      d[i * n + j] = expf(x[i * n + j] - max) / sum;
    d[i * n + label[i]] -= 1;
  }
}

// Exponentials wait in the gradient, and the loss is read from there.
LOSS(waiting) {
  for (int i = 0; i < m; i++) {
    float max = -INFINITY, sum = 0;
    for (int j = 0; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (int j = 0; j < n; j++) {
      float e = expf(x[i * n + j] - max);
      d[i * n + j] = e;
      sum += e;
    }
    loss[i] = -logf(d[i * n + label[i]] / sum);
    for (int j = 0; j < n; j++)
      d[i * n + j] = d[i * n + j] / sum - (j == label[i] ? 1.0f : 0.0f);
  }
}

// A loop behind the change.
LOSS(scaled) {
  for (int i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (int j = 1; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (int j = 0; j < n; j++) {
      d[i * n + j] = expf(x[i * n + j] - max);
      sum += d[i * n + j];
    }
    for (int j = 0; j < n; j++)
      d[i * n + j] /= sum;
    loss[i] = -logf(d[i * n + label[i]] + 1e-9f);
    d[i * n + label[i]] -= 1;
    for (int j = 0; j < n; j++)
      d[i * n + j] /= m;
  }
}

// One loss for all rows.
LOSS(mean) {
  float all = 0;
  for (int i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (int j = 1; j < n; j++)
      max = fmaxf(max, x[i * n + j]);
    for (int j = 0; j < n; j++)
      sum += expf(x[i * n + j] - max);
    all -= x[i * n + label[i]] - max - logf(sum);
    for (int j = 0; j < n; j++)
      d[i * n + j] = expf(x[i * n + j] - max) / sum / m;
    d[i * n + label[i]] -= 1.0f / m;
  }
  *loss = all / m;
}

// Labels from 1 on.
LOSS(fromone) {
  for (int i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (int j = 1; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (int j = 0; j < n; j++)
      sum += expf(x[i * n + j] - max);
    for (int j = 0; j < n; j++)
      d[i * n + j] = expf(x[i * n + j] - max) / sum;
    d[i * n + label[i] - 1] -= 1;
    loss[i] = logf(sum);
  }
}
#else
#define BOTH(F) void made_##F ARGS, plain_##F ARGS;
BOTH(onehot) BOTH(waiting) BOTH(scaled) BOTH(mean) BOTH(fromone)

typedef void Loss ARGS;
static Loss *const losses[][2] = {{made_onehot, plain_onehot},
                                  {made_waiting, plain_waiting},
                                  {made_scaled, plain_scaled},
                                  {made_mean, plain_mean},
                                  {made_fromone, plain_fromone}};

enum { Rows = 33, Columns = 41, Room = Rows * Columns + 64, Size = 5 * Room };
static float *arenas[2];
static int runs, different;

/// Where arrays begin in the arena; labels may be behind it instead.
struct Places {
  int d, loss, x, label;
};

/// Labels end with the arena, behind which there is nothing, if they are not in
/// the way of something.
static void compare(int m, int n, struct Places P, const int *labels) {
  for (unsigned f = 0; f < sizeof losses / sizeof *losses; f++) {
    int errors[2];
    for (int k = 0; k < 2; k++) {
      float *a = arenas[k];
      for (int i = 0; i < Size; i++)
        a[i] = (float)((i * 7919) % 2003) * 0.002f;
      int *label = (int *)a + (P.label < 0 ? Size - m : P.label);
      memcpy(label, labels, (size_t)m * sizeof *label);
      errno = 0;
      losses[f][k](m, n, a + P.d, a + P.loss, a + P.x, m ? label : 0);
      errors[k] = errno;
    }
    int differ = errors[0] != errors[1];
    for (int i = 0; i < Size; i++) {
      float a = arenas[0][i], b = arenas[1][i];
      differ |= memcmp(&a, &b, sizeof a) && (a == a || b == b);
    }
    runs++;
    different += differ;
  }
}

int main(void) {
  for (int k = 0; k < 2; k++) {
    size_t page = 4096, bytes = (Size * sizeof(float) + page - 1) / page * page;
    char *p = mmap(0, bytes + page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + bytes, page, PROT_NONE);
    arenas[k] = (float *)(p + bytes) - Size;
  }
  static const int rows[] = {0, 1, 3, 4, 5, 15, 16, 17, 33},
                   columns[] = {1, 2, 8, 23, 41};
  for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++)
    for (unsigned c = 0; c < sizeof columns / sizeof *columns; c++) {
      int m = rows[r], n = columns[c], label[Rows] = {0};
      struct Places apart = {Room, 2 * Room, 3 * Room, -1};
      // All of one place, in the row and next to it, then one of them alone.
      for (int at = -1; at <= n + 1; at += at > 1 && at < n - 2 ? n / 4 + 1 : 1) {
        for (int i = 0; i < m; i++)
          label[i] = at;
        compare(m, n, apart, label);
        for (int odd = 0; odd < m; odd += m - 1 > odd ? m - 1 - odd : 1) {
          for (int i = 0; i < m; i++)
            label[i] = i != odd ? i * 5 % n : at < 3 ? at * n : at;
          compare(m, n, apart, label);
        }
      }
      for (int i = 0; i < m; i++)
        label[i] = i * 7 % n + (n > 1 && i * 7 % n == 0);
      // In place, behind each other, in part; losses in rows; labels in any.
      for (int by = -n; by <= n; by += n > 1 ? n / 2 : 1)
        compare(m, n, (struct Places){Room, 3 * Room, Room + by, -1}, label);
      compare(m, n, (struct Places){Room, 2 * Room, Room + m * n, -1}, label);
      for (int by = 0; by < m * n; by += n + 1)
        for (int of = 1; of < 4; of += 2)
          compare(m, n, (struct Places){Room, of * Room + by, 3 * Room, -1},
                  label);
      // Labels that are written when they have been read.
      compare(m, n, (struct Places){Room, 2 * Room, 3 * Room, 2 * Room + 1},
              label);
      if (n >= m && m)
        compare(m, n, (struct Places){Room, 2 * Room, 3 * Room,
                                      Room + m * n - (m - 1)},
                label);
    }
  printf("%d runs, %d different\n", runs, different);
}
#endif
