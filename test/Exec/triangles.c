// Products that fill a triangle, what is done beside them, and loops that must
// not be taken for them.
// REQUIRES: native-x86
// RUN: %clang    -O3 -march=native %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O3 -march=native %s -o %t.dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t.dl > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang    -O2 -DT=double %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -mllvm -dl-%dispatch -O2 -DT=double %s -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %if long %{ env DLOPT_OPTIONS='stack=8k' %clang_dl -O2 -DT=double %s -o %t.dl && %t.dl > %t.dl.txt %}
// RUN: %if long %{ diff %t.plain.txt %t.dl.txt %}
// CHECK-COUNT-14: triangle: exact, tile
// CHECK-NOT:      triangle: exact, tile
#include <stdio.h>
#include <string.h>

#ifndef T
#define T float
#endif
enum { LD = 150 };
typedef T Matrix[LD][LD];
#define ARGS long n, long m, T alpha, T beta, Matrix C, Matrix A, Matrix B
#define KERNEL(NAME) __attribute__((noinline)) static void NAME(ARGS)
#define FOR(I, FROM, TO) for (long I = FROM; I < TO; I++)
#define SUM(X, Y)                                                              \
  T s = 0;                                                                     \
  FOR(k, 0, m) s += X * Y

KERNEL(syrk) {
  FOR(i, 0, n) {
    FOR(j, 0, i + 1) C[i][j] *= beta;
    FOR(k, 0, m) FOR(j, 0, i + 1) C[i][j] += alpha * A[i][k] * A[j][k];
  }
}
KERNEL(lower) {
  FOR(i, 0, n) FOR(j, 0, i + 1) {
    SUM(A[i][k], B[j][k]);
    C[i][j] = alpha * s + beta * C[i][j];
  }
}
KERNEL(strict_lower) {
  FOR(i, 0, n) FOR(j, 0, i) {
    SUM(A[i][k], B[k][j]);
    C[i][j] = s;
  }
}
KERNEL(wide_lower) {
  FOR(i, 0, n) FOR(j, 0, i + 9) FOR(k, 0, m) C[i][j] += A[i][k] * B[k][j];
}
KERNEL(upper) {
  FOR(i, 0, n) FOR(j, i, n) {
    SUM(A[k][i], A[k][j]);
    C[i][j] = s;
  }
}
KERNEL(strict_upper) {
  FOR(i, 0, n) FOR(j, i + 1, n) FOR(k, 0, m) C[i][j] += A[i][k] * B[k][j];
}
KERNEL(trapezoid) {
  FOR(i, 0, n) FOR(j, i, 100) {
    SUM(A[i][k], B[k][j]);
    C[i][j] = s + B[i][j];
  }
}
KERNEL(columns_first) {
  FOR(i, 0, n) FOR(j, 0, i + 1) {
    SUM(A[i][k], B[k][j]);
    C[j][i] = s;
  }
}
KERNEL(condition) {
  FOR(i, 0, n) FOR(j, 0, n + 3) if (j <= i + 1) {
    SUM(A[i][k], B[k][j]);
    C[i][j] = s;
  }
}
KERNEL(correlation) {
  FOR(i, 0, n - 1) {
    C[i][i] = 1;
    FOR(j, i + 1, n) {
      C[i][j] = 0;
      FOR(k, 0, m) C[i][j] += A[k][i] * A[k][j];
      C[j][i] = C[i][j];
    }
  }
}
KERNEL(covariance) {
  FOR(i, 0, n) FOR(j, i, n) {
    C[i][j] = 0;
    FOR(k, 0, m) C[i][j] += A[k][i] * A[k][j];
    C[i][j] /= alpha - 1;
    C[j][i] = C[i][j];
  }
}
KERNEL(mirror) {
  FOR(i, 0, n) FOR(j, 0, i + 1) {
    SUM(A[i][k], A[j][k]);
    C[i][j] = s;
    C[j][i] = s;
  }
}
KERNEL(mirror_scaled) {
  FOR(i, 0, n) FOR(j, 0, i) {
    SUM(A[i][k], A[j][k]);
    C[i][j] = alpha * s;
    C[j][i] = alpha * s;
  }
}
KERNEL(in_between) { // the last rows of one block and the first of the next
  FOR(i, 0, n) FOR(j, 0, i + 1) {
    T s = B[i][j];
    FOR(k, 0, m) s += A[i][k] * A[k][j];
    C[i][j] = s > 0 ? s : 0;
  }
}
// Each row starts from the one above.
KERNEL(row_above) {
  FOR(i, 1, n) FOR(j, 0, i + 1) {
    T s = C[i - 1][j];
    FOR(k, 0, m) s += A[i][k] * A[j][k];
    C[i][j] = s;
  }
}
// The mirror image of the column behind the diagonal is in the triangle.
KERNEL(mirror_inside) {
  FOR(i, 0, n) FOR(j, 0, i + 2) {
    C[i][j] = 0;
    FOR(k, 0, m) C[i][j] += A[i][k] * A[j][k];
    C[j][i] = C[i][j];
  }
}
// What is mirrored is the start of a later sum.
KERNEL(mirror_read) {
  FOR(i, 0, n) FOR(j, 0, i + 1) {
    T s = C[i][j];
    FOR(k, 0, m) s += A[i][k] * A[j][k];
    C[j][i + 1] = s;
  }
}
KERNEL(long_rows) {
  FOR(i, 0, n) FOR(j, 0, 2 * i + 1) if (j < n) {
    SUM(A[i][k], A[j][k]);
    C[i][j] = s;
  }
}
KERNEL(short_sums) {
  FOR(i, 0, n) FOR(j, 0, n) FOR(k, 0, i + 1) C[i][j] += A[i][k] * B[k][j];
}
KERNEL(in_place) {
  FOR(i, 0, n) FOR(j, 0, m) {
    FOR(k, i + 1, n) C[i][j] += A[k][i] * C[k][j];
    C[i][j] *= alpha;
  }
}

static Matrix A, B, C;
static unsigned state = 1;
static T draw(void) {
  state = state * 1664525 + 1013904223;
  return (T)((int)(state >> 16) % 2001 - 1000) / 321;
}
static void check(const char *name, void kernel(ARGS)) {
  static const int sizes[] = {0, 1, 2, 3, 5, 6, 7, 8, 13, 16, 17, 24, 31,
                              48, 50, 64, 67, 97, 130};
  unsigned long sum = 1469598103934665603ul;
  FOR(t, 0, 40) {
    long n = sizes[t % 19], m = t < 19 ? sizes[t * 7 % 19] : 20;
    FOR(i, 0, LD) FOR(j, 0, LD) {
      A[i][j] = draw();
      B[i][j] = draw();
      C[i][j] = draw();
    }
    kernel(n, m, 1.5, 0.75, C, A, B);
    const unsigned char *bytes = (const unsigned char *)C;
    FOR(i, 0, (long)sizeof C) sum = (sum ^ bytes[i]) * 1099511628211ul;
  }
  printf("%s %lx\n", name, sum);
}
#define CHECK(NAME) check(#NAME, NAME)

int main(void) {
  CHECK(syrk);
  CHECK(lower);
  CHECK(strict_lower);
  CHECK(wide_lower);
  CHECK(upper);
  CHECK(strict_upper);
  CHECK(trapezoid);
  CHECK(columns_first);
  CHECK(condition);
  CHECK(correlation);
  CHECK(covariance);
  CHECK(mirror);
  CHECK(mirror_scaled);
  CHECK(in_between);
  CHECK(row_above);
  CHECK(mirror_inside);
  CHECK(mirror_read);
  CHECK(long_rows);
  CHECK(short_sums);
  CHECK(in_place);
}
