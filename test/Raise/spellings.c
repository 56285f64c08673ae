// A matrix product is one kernel, however its loops are unrolled, split,
// blocked, flattened or reversed, and wherever its start value is set.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define ARGS                                                                   \
  int m, int n, int k, const float *restrict a, const float *restrict b,      \
      float *restrict c

// CHECK:      kernel 0 @unrolled_sum  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// CHECK-NEXT:     %c[i,j] = s
// CHECK-NEXT:   needs
void unrolled_sum(ARGS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      int l = 0;
      for (; l + 3 < k; l += 4) {
        s += a[i * k + l] * b[l * n + j];
        s += a[i * k + l + 1] * b[(l + 1) * n + j];
        s += a[i * k + l + 2] * b[(l + 2) * n + j];
        s += a[i * k + l + 3] * b[(l + 3) * n + j];
      }
      for (; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK:      kernel 0 @unrolled_columns  matmul.nn f32
// CHECK:        par i[%m] red j[%k] par k[%n]
// CHECK-NEXT:     %c[i,k] = fmuladd(%a[i,j], %b[j,k], %c[i,k])
// CHECK-NEXT:   needs    inrange(0 <= mod(%n, 2) <= 0)
void unrolled_columns(ARGS) {
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j += 2) {
        c[i * n + j] += a[i * k + l] * b[l * n + j];
        c[i * n + j + 1] += a[i * k + l] * b[l * n + j + 1];
      }
}

// CHECK:      kernel 0 @several_sums  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local s0:f32
// CHECK-NEXT:     s0 = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       s0 = fmuladd(%a[i,k], %b[k,j], s0)
// CHECK-NEXT:     %c[i,j] = s0
// CHECK-NEXT:   needs    inrange(0 <= mod(%n, 2) <= 0)
void several_sums(ARGS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j += 2) {
      float s0 = 0, s1 = 0;
      for (int l = 0; l < k; l++) {
        s0 += a[i * k + l] * b[l * n + j];
        s1 += a[i * k + l] * b[l * n + j + 1];
      }
      c[i * n + j] = s0;
      c[i * n + j + 1] = s1;
    }
}

// CHECK:      kernel 0 @square_tiles  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local s0:f32
// CHECK-NEXT:     s0 = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       s0 = fmuladd(%a[i,k], %b[k,j], s0)
// CHECK-NEXT:     %c[i,j] = s0
// CHECK-NEXT:   needs    inrange(0 <= mod(%m, 2) <= 0)
// CHECK-NEXT:   needs    inrange(0 <= mod(%n, 2) <= 0)
void square_tiles(ARGS) {
  for (int i = 0; i < m; i += 2)
    for (int j = 0; j < n; j += 2) {
      float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
      for (int l = 0; l < k; l++) {
        float x = a[i * k + l], y = a[(i + 1) * k + l];
        s0 += x * b[l * n + j];
        s1 += x * b[l * n + j + 1];
        s2 += y * b[l * n + j];
        s3 += y * b[l * n + j + 1];
      }
      c[i * n + j] = s0;
      c[i * n + j + 1] = s1;
      c[(i + 1) * n + j] = s2;
      c[(i + 1) * n + j + 1] = s3;
    }
}

// CHECK:      kernel 0 @unrolled_in_memory  matmul.nn f32
// CHECK:        par i[%m] par j[%n] red k[%k]
// CHECK-NEXT:     %c[i,j] = fmuladd(%a[i,k], %b[k,j], %c[i,j])
void unrolled_in_memory(ARGS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int l;
      for (l = 0; l < k - k % 2; l += 2) {
        c[i * n + j] += a[i * k + l] * b[l * n + j];
        c[i * n + j] += a[i * k + l + 1] * b[(l + 1) * n + j];
      }
      for (; l < k; l++)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
    }
}

// CHECK:      kernel 0 @split  matmul.nn f32
// CHECK:          red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// CHECK-NEXT:     %c[i,j] = s
// CHECK-NEXT:   needs    inrange(0 <= %h <= 9223372036854775807)
// CHECK-NEXT:   needs    inrange(0 <= %k - %h <= 9223372036854775807)
void split(ARGS, int h) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < h; l++)
        s += a[i * k + l] * b[l * n + j];
      for (int l = h; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK:      kernel 0 @blocked  matmul.nn f32
// CHECK:        par i[%m] red j[%k] par k[%n]
// CHECK-NEXT:     %c[i,k] = fmuladd(%a[i,j], %b[j,k], %c[i,k])
// CHECK-NOT:    needs
// CHECK:      kernel 0 @blocked_by
void blocked(ARGS) {
  for (int ii = 0; ii < m; ii += 32)
    for (int ll = 0; ll < k; ll += 16)
      for (int jj = 0; jj < n; jj += 64)
        for (int i = ii; i < MIN(ii + 32, m); i++)
          for (int l = ll; l < MIN(ll + 16, k); l++)
            for (int j = jj; j < MIN(jj + 64, n); j++)
              c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// CHECK-SAME:   matmul.nn f32
// CHECK:        par i[%m] par j[%n] red k[%k]
// CHECK-NEXT:     %c[i,j] = fmuladd(%a[i,k], %b[k,j], %c[i,j])
// CHECK-NEXT:   needs    inrange(1 <= %t <= 9223372036854775807)
void blocked_by(ARGS, int t) {
  for (int jj = 0; jj < n; jj += t)
    for (int ll = 0; ll < k; ll += t)
      for (int i = 0; i < m; i++)
        for (int j = jj; j < jj + t && j < n; j++) {
          float s = c[i * n + j];
          for (int l = ll; l < ll + t && l < k; l++)
            s += a[i * k + l] * b[l * n + j];
          c[i * n + j] = s;
        }
}

// CHECK:      kernel 0 @first_round  matmul.nn f32
// CHECK:        par i[%m]
// CHECK-NEXT:     par j[%n]
// CHECK-NEXT:       %c[i,j] = 0.0
// CHECK-NEXT:     red j.1[%k] par k[%n]
// CHECK-NEXT:       %c[i,k] = fmuladd(%a[i,j.1], %b[j.1,k], %c[i,k])
// CHECK-NEXT:   needs    inrange(1 <= %k <= 9223372036854775807)
void first_round(ARGS) {
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j++) {
        if (l == 0)
          c[i * n + j] = 0;
        c[i * n + j] += a[i * k + l] * b[l * n + j];
      }
}

// CHECK:      kernel 0 @flat  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK:          red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// CHECK-NEXT:     %c[i,j] = s
// CHECK-NEXT:   needs    inrange(1 <= %n <= 9223372036854775807)
void flat(ARGS) {
  for (int x = 0; x < m * n; x++) {
    int i = x / n, j = x % n;
    float s = 0;
    for (int l = 0; l < k; l++)
      s += a[i * k + l] * b[l * n + j];
    c[x] = s;
  }
}

// CHECK:      kernel 0 @backwards  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK:          red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// CHECK-NEXT:     %c[i,j] = s
// CHECK-NOT:    needs
// CHECK:      kernel 0 @ends
void backwards(ARGS) {
  for (int i = m - 1; i >= 0; i--)
    for (int j = n; --j >= 0;) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK-SAME:   matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK:          red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// CHECK-NEXT:     %c[i,j] = s
// CHECK-NEXT:   needs
// CHECK:      kernel 0 @two_sums
void ends(ARGS) {
  for (float *end = c + m * n; c < end; a += k) {
    const float *column = b;
    for (float *row = c + n; c != row; c++) {
      float s = 0;
      const float *y = column++;
      for (const float *x = a; x != a + k; x++, y += n)
        s += *x * *y;
      *c = s;
    }
  }
}

// Sums that are added in another order stay what they are.
//
// CHECK-SAME:   reduce f32
// CHECK:          red k[%k - %div]
void two_sums(ARGS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = k / 2; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      for (int l = 0; l < k / 2; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK:      kernel 0 @even_and_odd  reduce f32
void even_and_odd(ARGS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0, t = 0;
      for (int l = 0; l < k; l += 2) {
        s += a[i * k + l] * b[l * n + j];
        t += a[i * k + l + 1] * b[(l + 1) * n + j];
      }
      c[i * n + j] = s + t;
    }
}

// Set in another round, and set again for each column block.
//
// CHECK:      kernel 0 @last_round  generic f32
// CHECK:        where
void last_round(ARGS) {
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j++) {
        if (l == k - 1)
          c[i * n + j] = 0;
        c[i * n + j] += a[i * k + l] * b[l * n + j];
      }
}

// The blocks of k meet in sums that are rounded on their own.
//
// CHECK:      kernel 0 @block_sums  {{(generic|reduce)}} f32
void block_sums(ARGS) {
  for (int ll = 0; ll < k; ll += 16)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        float s = 0;
        for (int l = ll; l < ll + 16 && l < k; l++)
          s += a[i * k + l] * b[l * n + j];
        c[i * n + j] += s;
      }
}

// Tiles that overlap, and tiles with gaps.
//
// CHECK:      kernel 0 @overlapping  matmul f32
// CHECK:      kernel 0 @gaps  matmul f32
void overlapping(ARGS) {
  for (int ii = 0; ii < m; ii += 16)
    for (int i = ii; i < MIN(ii + 32, m); i++)
      for (int l = 0; l < k; l++)
        for (int j = 0; j < n; j++)
          c[i * n + j] += a[i * k + l] * b[l * n + j];
}
void gaps(ARGS) {
  for (int ii = 0; ii < m; ii += 32)
    for (int i = ii; i < MIN(ii + 16, m); i++)
      for (int l = 0; l < k; l++)
        for (int j = 0; j < n; j++)
          c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// Sums run backwards.
//
// CHECK:      kernel 0 @descending  {{.*}} f32
// CHECK:        fmuladd(%a[{{.*}}-k - 1]
void descending(ARGS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = k - 1; l >= 0; l--)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK:      kernel 0 @walking_pointers  {{.*}} f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     %c[j,i] = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       %c[j,i] = fmuladd(%a[k,i], %b[k,j], %c[j,i])
// CHECK-NEXT:   needs
// CHECK:        needs    inrange(0 <= %columns_c - %n*%columns_c + %rows_c - 1
// Pointers in the order of an array's strides: by how far they came, back
// again, and on. Columns are meant to be nearer to each other than rows.
void walking_pointers(long m, long n, long k, const float *a, long rows_a,
                      long columns_a, const float *b, long rows_b,
                      long columns_b, float *restrict c, long rows_c,
                      long columns_c) {
  long back_a = columns_a * k, back_b = rows_b * k;
  long row_b = columns_b * n, row_c = columns_c * n;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++) {
      *c = 0;
      for (long l = 0; l < k; l++) {
        *c += *a * *b;
        a += columns_a;
        b += rows_b;
      }
      a -= back_a;
      b -= back_b;
      b += columns_b;
      c += columns_c;
    }
    c -= row_c;
    b -= row_b;
    a += rows_a;
    c += rows_c;
  }
}

// CHECK:      kernel 0 @unsigned_return  matmul.nt f32
// CHECK:          s = fmuladd(%x[i,k], %w[j,k], s)
// CHECK:        needs    inrange(-9223372036854775808 <= %n*%k <= 9223372036854775807)
// A product that may wrap is tested.
void unsigned_return(float *restrict y, const float *x, const float *w, unsigned long k,
                     unsigned long n, unsigned long m) {
  const unsigned long all = k * n;
  for (unsigned long i = m; i > 0; --i, w -= all, x += k)
    for (unsigned long j = n; j > 0; --j, x -= k, ++y) {
      float s = 0;
      for (unsigned long l = k; l > 0; --l, ++x, ++w)
        s += *x * *w;
      *y = s;
    }
}

// CHECK:      kernel 0 @strange_return  matvec f32
// CHECK:          %c[i,j] = fmuladd(%a[i,-i,j,k,-j], %b[k,j], %c[i,j])
// By another way than they came.
void strange_return(long m, long n, long k, const float *a, long columns_a,
                    const float *b, float *restrict c) {
  long back_a = columns_a * n;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      for (long l = 0; l < k; l++) {
        c[i * n + j] += *a * b[l * n + j];
        a += columns_a;
      }
      a -= back_a;
    }
}

// CHECK:      kernel 0 @tiles_and_rest  matmul.nn f32
// CHECK:          red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// A loop in the unrolled one is part of it, too.
void tiles_and_rest(ARGS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      int l = 0;
      for (; l + 4 <= k; l += 4)
        for (int x = 0; x < 4; x++)
          s += a[i * k + l + x] * b[(l + x) * n + j];
      for (; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK:      kernel 0 @tiles_and_other_rest  reduce f32
// The rest begins one element late.
void tiles_and_other_rest(ARGS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      int l = 0;
      for (; l + 4 <= k; l += 4)
        for (int x = 0; x < 4; x++)
          s += a[i * k + l + x] * b[(l + x) * n + j];
      for (l++; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK:      kernel 0 @subtracted  matmul.nn f32
// CHECK:          %c[i,k] = fmuladd(fneg(%a[i,j]), %b[j,k], %c[i,k])
void subtracted(ARGS) {
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j++)
        c[i * n + j] -= a[i * k + l] * b[l * n + j];
}
