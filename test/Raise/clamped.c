// Borders as bounds of loops: what starts at the greatest of some numbers or ends at
// the smallest of others is an axis between two that are as far apart everywhere,
// whose rounds have conditions.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s --check-prefixes=CHECK%if llvm-20-or-later %{,LATER%}
// REQUIRES: x86-registered-target
#include <stddef.h>
#define MAX(A, B) ((A) > (B) ? (A) : (B))
#define MIN(A, B) ((A) < (B) ? (A) : (B))
#define ARGS const float *in, const float *w, float *out
#define ROWS(TYPE, ...)                                                        \
  for (TYPE i = 0; i < M; i++) {                                               \
    float s = 0;                                                               \
    __VA_ARGS__;                                                               \
    out[i] = s;                                                                \
  }

// Macros. An axis of all rounds of a window takes longer than the loop where most of
// them are outside.
// CHECK-LABEL: kernel 0 @macros
// CHECK:         par i[%M]
// CHECK:           red j[%K]
// CHECK:             fmuladd({{.*}}  where i*%S + j >= %P, i*%S + j < %P + %H
// CHECK:         needs {{ *}}inrange(-9223372036854775808 <= %K - %H - 64 <= 0)
void macros(int M, int H, int K, int S, int P, ARGS) {
  ROWS(int, {
    int y0 = MAX(0, P - i * S), y1 = MIN(K, H + P - i * S);
    for (int y = y0; y < y1; y++)
      s += in[i * S + y - P] * w[y];
  })
}

// The smallest of three numbers, whose comparisons speak of what has been chosen.
// CHECK-LABEL: kernel 0 @of_three
// CHECK:         par i[%M]
// CHECK:           red j[%K]
// CHECK:             i*%S + j >= %P, {{.*}}i*%S + j < %P + %H
void of_three(int M, int H, int K, int S, int P, ARGS) {
  ROWS(int, {
    int y0 = i * S - P, y1 = MIN(y0 + K, H + P);
    y0 = MAX(y0, 0), y1 = MIN(y1, H);
    for (int y = y0; y < y1; y++)
      s += in[y] * w[y - i * S + P];
  })
}

// Statements, and a last element.
// CHECK-LABEL: kernel 0 @statements
// CHECK:           win j[5]
// CHECK:             fmuladd(%in[i + j - 2], {{.*}}  where i + j >= 2, i + j <= %M + 1
void statements(int M, ARGS) {
  ROWS(int, {
    int first = i - 2, last = i + 2;
    if (first < 0)
      first = 0;
    if (last >= M)
      last = M - 1;
    for (int y = first; y <= last; y++)
      s += in[y] * w[y - i + 2];
  })
}

// Of numbers that are known the compiler makes tests for equality.
// CHECK-LABEL: kernel 0 @numbers
// CHECK:           win j[3]
// CHECK:             fmuladd({{.*}}  where i + j > 0, i + j <= 40
void numbers(ARGS) {
  enum { M = 40 };
  ROWS(int, {
    int y0 = i < 1 ? 1 - i : 0, y1 = M + 1 - i < 3 ? M + 1 - i : 3;
    for (int y = y0; y < y1; y++)
      s += in[i + y - 1] * w[y];
  })
}

// Without signs, where the difference that is chosen has not wrapped.
// CHECK-LABEL: kernel 0 @unsigned_sizes
// CHECK:           win j[%K]
// CHECK:             fmuladd({{.*}}  where i + j >= %P, i + j < %M + %P
void unsigned_sizes(size_t M, size_t K, size_t P, ARGS) {
  ROWS(size_t, {
    size_t y0 = i < P ? P - i : 0, y1 = M + P - i < K ? M + P - i : K;
    for (size_t y = y0; y < y1; y++)
      s += in[i + y - P] * w[y];
  })
}

// Of a window that is longer than the image the rounds are those of the image.
// CHECK-LABEL: kernel 0 @long_window
// (In LLVM 19's form the rounds are not seen to be 40.)
// LATER:           red j[40]
void long_window(ARGS) {
  enum { M = 40, K = 200 };
  ROWS(int, {
    int y0 = i < 100 ? 100 - i : 0, y1 = M + 100 - i < K ? M + 100 - i : K;
    for (int y = y0; y < y1; y++)
      s += in[i + y - 100] * w[y];
  })
}

// Two borders: of two pairs the shorter one is the axis.
// CHECK-LABEL: kernel 0 @pool
// CHECK:           red k[3] red l[3]
// CHECK:             select({{.*}}  where 2*j + l > 0, 2*j + l <= %W, 2*i + k > 0, 2*i + k <= %H
void pool(int M, int N, int H, int W, ARGS) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = -3e38f;
      int y0 = 2 * i - 1, x0 = 2 * j - 1;
      int y1 = MIN(y0 + 3, H), x1 = MIN(x0 + 3, W);
      y0 = MAX(y0, 0);
      x0 = MAX(x0, 0);
      for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
          s = in[y * W + x] > s ? in[y * W + x] : s;
      out[i * N + j] = s;
    }
}

// Of numbers, where the compiler knows in one branch what the other one asks.
// CHECK-LABEL: kernel 0 @joined
// CHECK:           red k[3] red l[3]
// CHECK:             select({{.*}}  where 2*j + l > 0, 2*i + k > 0
void joined(ARGS) {
  enum { M = 28, S = 2 };
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      float s = -3e38f;
      int y0 = S * i - 1, x0 = S * j - 1;
      int y1 = MIN(y0 + 3, S * M), x1 = MIN(x0 + 3, S * M);
      y0 = MAX(y0, 0);
      x0 = MAX(x0, 0);
      for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
          s = in[y * S * M + x] > s ? in[y * S * M + x] : s;
      out[i * M + j] = s;
    }
}

// Backwards: the length of the window, not that of the image.
// CHECK-LABEL: kernel 0 @flipped
// CHECK:           red j[%K]
// CHECK:             fmuladd(%in[i - j + %P], %w[j], s)
void flipped(int M, int H, int K, int P, ARGS) {
  ROWS(int, {
    int y0 = MAX(0, i + P - H + 1), y1 = MIN(K, i + P + 1);
    for (int y = y0; y < y1; y++)
      s += in[i + P - y] * w[y];
  })
}

// What is behind the loop: the number of rounds, not that of the axis.
// CHECK-LABEL: kernel 0 @behind
// CHECK:           local {{.*}}y:i32
// CHECK:           seq j[3]
// CHECK:             (s, y) = ({{.*}}, index(j + 1))  where i + j > 0, i + j <= %H
void behind(int M, int H, ARGS) {
  ROWS(int, {
    int y = MAX(0, 1 - i);
    int y1 = MIN(3, H + 1 - i);
    for (; y < y1; y++)
      s += in[i + y - 1] * w[y];
    s += y;
  })
}

// A pointer that begins with the window and goes on beside it.
// CHECK-LABEL: kernel 0 @pointers
// CHECK:           win j[3]
// CHECK:             fmuladd(%in[2*i + 2*j - 2], %w[j], s)  where i + j > 0, i + j <= %H
void pointers(int M, int H, ARGS) {
  ROWS(int, {
    int first = MAX(0, i - 1);
    const float *at = in + 2 * first;
    for (int y = first; y < MIN(H, i + 2); y++, at += 2)
      s += *at * w[y - i + 1];
  })
}

// Rounds are counted, and pointers go through the window and back.
// CHECK-LABEL: kernel 0 @counted
// CHECK:         par i[%M] par j[%C]
// CHECK:             win k[%K]
// CHECK:               s = fadd(s, %in[i + k - %P,j])  where i + k >= %P, i + k < %P + %H
// CHECK:             %out[i,j] = s
void counted(long M, long C, long H, long K, long P, ARGS) {
  for (long i = 0; i < M; i++) {
    long skipped = MAX(0, P - i), rows = MIN(K, H + P - i) - skipped;
    rows = MAX(rows, 0);
    const float *at = in + (i - P + skipped) * C;
    for (long c = 0; c < C; c++) {
      float s = 0;
      for (size_t k = 0; k < (size_t)rows; k++, at += C)
        s += *at;
      at -= rows * C - 1;
      *out++ = s;
    }
  }
}

// As long as there are rounds left.
// CHECK-LABEL: kernel 0 @signed_rounds
// CHECK:           win j[%K]
// CHECK:             s = fadd(s, %in[i + j - %P])  where i + j >= %P, i + j < %P + %H
void signed_rounds(long M, long H, long K, long P, ARGS) {
  ROWS(long, {
    long skipped = MAX(0, P - i);
    for (long k = 0; k < MIN(K, H + P - i) - skipped; k++)
      s += in[i - P + skipped + k];
  })
}

// From 1 on.
// CHECK: missed @from_one line {{.*}}: UnknownTripCount
void from_one(long M, long H, long K, long P, ARGS) {
  ROWS(long, {
    long skipped = MAX(0, P - i);
    for (long k = 1; k < MIN(K, H + P - i) - skipped; k++)
      s += in[i - P + skipped + k];
  })
}

// A negative number of rounds is many without a sign.
// CHECK: missed @unsigned_rounds line {{.*}}: UnknownTripCount
void unsigned_rounds(long M, long H, long K, long P, ARGS) {
  ROWS(long, {
    long skipped = MAX(0, P - i);
    for (size_t k = 0; k < (size_t)(MIN(K, H + P - i) - skipped); k++)
      s += in[i - P + skipped + k];
  })
}

// Not from the window's first row on.
// CHECK: missed @other_place line {{.*}}: NonAffineAccess
void other_place(long M, long H, long K, long P, ARGS) {
  ROWS(long, {
    long skipped = MAX(0, P - i);
    for (long k = 0; k < MIN(K, H + P - i) - skipped; k++)
      s += in[i - P + 2 * skipped + k];
  })
}

// The way back is not as long where there is no row: -1 rows are none.
// CHECK: missed @way_back line
void way_back(long M, long C, long H, long K, long P, ARGS) {
  for (long i = 0; i < M; i++) {
    long skipped = MAX(0, P - i), rows = MIN(K, H + P - i) - skipped;
    const float *at = in + (i - P + skipped) * C;
    for (long c = 0; c < C; c++) {
      float s = 0;
      for (long k = 0; k < rows; k++, at += C)
        s += *at;
      at -= rows * C - 1;
      *out++ = s;
    }
  }
}

// Not the greatest of both: 0 for i = 0, where the other one is 1.
// CHECK: missed @other_choice line {{.*}}: UnknownTripCount
void other_choice(int M, int H, ARGS) {
  ROWS(int, {
    int y0 = i < 3 ? 0 : 1 - i;
    for (int y = y0; y < MIN(3, H + 1 - i); y++)
      s += in[i + y + 1] * w[y + 100];
  })
}

// No two are as far apart everywhere.
// CHECK: missed @no_pair line {{.*}}: UnknownTripCount
void no_pair(int M, int H, ARGS) {
  ROWS(int, {
    for (int y = MAX(0, 1 - i); y < MIN(2 * i + 3, H + i); y++)
      s += in[i + y + 1] * w[y];
  })
}

// Every other element, from one on that differs.
// CHECK: missed @steps line {{.*}}: UnknownTripCount
void steps(int M, int H, ARGS) {
  ROWS(int, {
    for (int y = MAX(0, 1 - i); y < MIN(3, H + 1 - i); y += 2)
      s += in[i + y + 1] * w[y];
  })
}

// Steps that are not known are 1, as a rule, and so is where a window begins that goes on
// until it is inside.
// CHECK-LABEL: kernel 0 @until_inside
// CHECK:           win j[%K]
// CHECK:             s = fadd(s, %in[i + j - %P])  where i + j >= %P, i + j < %P + %H
// CHECK:         needs    inrange(1 <= %D <= 1)
void until_inside(long M, long H, long K, long P, int D, ARGS) {
  ROWS(long, {
    long first = i - P, end = MIN(first + (K - 1) * D + 1, H);
    while (first < 0)
      first += D;
    for (long y = first; y < end; y += D)
      s += in[y];
  })
}

// The first even one: a number of rounds, where there is one.
// CHECK-LABEL: kernel 0 @until_even
// CHECK:         par i[%M]
// CHECK:           win j[min(%K - 2*floordiv(%P - i - 1, 2) - 2,
// CHECK:         needs    inrange(0 <= floordiv(%P - i - 1, 2) + 1 <=
void until_even(long M, long H, long K, long P, ARGS) {
  ROWS(long, {
    long first = i - P, end = MIN(first + K, H);
    while (first < 0)
      first += 2;
    for (long y = first; y < end; y++)
      s += in[y];
  })
}

// Steps that differ from row to row.
// CHECK: missed @steps_of_rows line {{.*}}: UnknownTripCount
void steps_of_rows(long M, long H, long K, const int *D, ARGS) {
  ROWS(long, {
    for (long y = MAX(i - 1, 0); y < MIN(i + 2, H); y += D[i])
      s += in[y];
  })
}

// The difference may have wrapped where it is chosen.
// CHECK: missed @wraps line {{.*}}: UnknownTripCount
void wraps(size_t M, size_t K, size_t P, ARGS) {
  ROWS(size_t, {
    size_t y0 = i > P ? P - i : 0, y1 = M + P - i < K ? M + P - i : K;
    for (size_t y = y0; y < y1; y++)
      s += in[i + y] * w[y];
  })
}

// What counts rounds, too, but from where the loop begins: %w[0] at each border.
// CHECK: missed @beside line {{.*}}: NonAffineAccess
void beside(int M, int H, ARGS) {
  ROWS(int, {
    const float *k = w;
    for (int y = MAX(0, i - 1); y < MIN(H, i + 2); y++)
      s += in[y] * *k++;
  })
}

// Windows that begin in front of a border, by a variable that begins there: what
// is negative in front of the loops is minus what is not.
// CHECK-LABEL: kernel {{.*}} @from_border
// CHECK-NOT:     %sub
// CHECK:         where i*%S + j >= %P, i*%S + j < %P + %H
void from_border(int M, int H, int K, int S, int P, ARGS) {
  int top = -P;
  for (int i = 0; i < M; i++, top += S) {
    float s = 0;
    for (int y = MAX(0, -top); y < MIN(K, H - top); y++)
      s += in[top + y] * w[y];
    out[i] = s;
  }
}
