// However a product of matrices is written, the kernel has one text.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t
// DEFINE: %{form} =
// DEFINE: %{same} = FileCheck %S/Inputs/product.check --input-file=%t -DFORM=%{form}
//
// REDEFINE: %{form} = plain
// RUN: %{same}
// REDEFINE: %{form} = pointers
// RUN: %{same}
// REDEFINE: %{form} = size_t_indices
// RUN: %{same}
// REDEFINE: %{form} = unrolled_k
// RUN: %{same}
// REDEFINE: %{form} = unrolled_rows
// RUN: %{same}
// REDEFINE: %{form} = backwards
// RUN: %{same}
// REDEFINE: %{form} = checked
// RUN: %{same}
// REDEFINE: %{form} = asserted
// RUN: %{same}
// REDEFINE: %{form} = sums_of_tile
// RUN: %{same}
// REDEFINE: %{form} = sums_cleared
// RUN: %{same}
// REDEFINE: %{form} = row_of_sums
// RUN: %{same}
// REDEFINE: %{form} = row_of_variable_size
// RUN: %{same}
// REDEFINE: %{form} = copied_operands
// RUN: %{same}
// REDEFINE: %{form} = guarded
// RUN: %{same}
// REDEFINE: %{form} = unrolled_columns
// RUN: %{same}
// REDEFINE: %{form} = unrolled_tile
// RUN: %{same}
// REDEFINE: %{form} = two_bounds
// RUN: %{same}

// In memory, after a start in loops of its own, and with vectors, which are
// only taken apart where that is worth it.
//
// RUN: FileCheck --check-prefix=MEMORY %s --input-file=%t
// RUN: %opt -passes='dl-prepare,print<dl-kernels>' -disable-output %t.ll > %t.vectors
// RUN: FileCheck --check-prefix=VECTORS %s --input-file=%t.vectors
// REQUIRES: x86-registered-target

#define ARGS                                                                   \
  int m, int n, int k, const float *restrict a, const float *restrict b,      \
      float *restrict c
#define UNTIL(X, END) for (int X = 0; X < END; X++)
#define SUM                                                                    \
  float s = 0;                                                                 \
  UNTIL(l, k) s += a[i * k + l] * b[l * n + j];                                \
  c[i * n + j] = s;

void plain(ARGS) { UNTIL(i, m) UNTIL(j, n) { SUM } }

void pointers(ARGS) {
  UNTIL(i, m) UNTIL(j, n) {
    const float *p = a + i * k, *q = b + j;
    float s = 0;
    UNTIL(l, k) {
      s += *p++ * *q;
      q += n;
    }
    c[i * n + j] = s;
  }
}

void size_t_indices(__SIZE_TYPE__ m, __SIZE_TYPE__ n, __SIZE_TYPE__ k,
                    const float *restrict a, const float *restrict b,
                    float *restrict c) {
  for (__SIZE_TYPE__ i = 0; i < m; i++)
    for (__SIZE_TYPE__ j = 0; j < n; j++) {
      float s = 0;
      for (__SIZE_TYPE__ l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

void unrolled_k(ARGS) {
  UNTIL(i, m) UNTIL(j, n) {
    float s = 0;
    int l = 0;
    for (; l + 1 < k; l += 2) {
      s += a[i * k + l] * b[l * n + j];
      s += a[i * k + l + 1] * b[(l + 1) * n + j];
    }
    for (; l < k; l++)
      s += a[i * k + l] * b[l * n + j];
    c[i * n + j] = s;
  }
}

void unrolled_rows(ARGS) {
  for (int i = 0; i < m; i += 2)
    UNTIL(j, n) {
      float s = 0, t = 0;
      UNTIL(l, k) {
        s += a[i * k + l] * b[l * n + j];
        t += a[(i + 1) * k + l] * b[l * n + j];
      }
      c[i * n + j] = s;
      c[(i + 1) * n + j] = t;
    }
}

void backwards(ARGS) {
  for (int i = m - 1; i >= 0; i--)
    for (int j = n - 1; j >= 0; j--) {
      SUM
    }
}

void checked(ARGS) {
  UNTIL(i, m) UNTIL(j, n) {
    if (!c)
      return;
    SUM
  }
}

void fail(void) __attribute__((noreturn));
void asserted(ARGS) {
  UNTIL(i, m) UNTIL(j, n) {
    if (i + j < 0)
      fail();
    SUM
  }
}

#define TILES for (int i = 0; i < m; i += 4) for (int j = 0; j < n; j += 4)
#define INSIDE UNTIL(x, 4) UNTIL(y, 4)
void sums_of_tile(ARGS) {
  TILES {
    float s[4][4];
    INSIDE s[x][y] = 0;
    UNTIL(l, k) INSIDE s[x][y] += a[(i + x) * k + l] * b[l * n + j + y];
    INSIDE c[(i + x) * n + j + y] = s[x][y];
  }
}

void sums_cleared(ARGS) {
  TILES {
    float s[16] = {0};
    UNTIL(l, k) INSIDE s[4 * x + y] += a[(i + x) * k + l] * b[l * n + j + y];
    INSIDE c[(i + x) * n + j + y] = s[4 * x + y];
  }
}

void row_of_sums(ARGS) {
  float s[4096];
  UNTIL(i, m) {
    UNTIL(j, n) s[j] = 0;
    UNTIL(l, k) UNTIL(j, n) s[j] += a[i * k + l] * b[l * n + j];
    UNTIL(j, n) c[i * n + j] = s[j];
  }
}

void row_of_variable_size(ARGS) {
  UNTIL(i, m) {
    float s[n];
    UNTIL(j, n) s[j] = 0;
    UNTIL(l, k) UNTIL(j, n) s[j] += a[i * k + l] * b[l * n + j];
    UNTIL(j, n) c[i * n + j] = s[j];
  }
}

void copied_operands(ARGS) {
  UNTIL(i, m) {
    float row[k];
    UNTIL(l, k) row[l] = a[i * k + l];
    UNTIL(j, n) {
      float s = 0;
      UNTIL(l, k) s += row[l] * b[l * n + j];
      c[i * n + j] = s;
    }
  }
}

void guarded(ARGS) {
  if (m > 0)
    UNTIL(i, m) if (n > 0) UNTIL(j, n) {
      SUM
    }
}

void unrolled_columns(ARGS) {
  UNTIL(i, m) {
    int j = 0;
    for (; j + 4 <= n; j += 4) {
      float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
      UNTIL(l, k) {
        float x = a[i * k + l];
        s0 += x * b[l * n + j];
        s1 += x * b[l * n + j + 1];
        s2 += x * b[l * n + j + 2];
        s3 += x * b[l * n + j + 3];
      }
      c[i * n + j] = s0;
      c[i * n + j + 1] = s1;
      c[i * n + j + 2] = s2;
      c[i * n + j + 3] = s3;
    }
    for (; j < n; j++) {
      SUM
    }
  }
}

void unrolled_tile(ARGS) {
  for (int i = 0; i < m; i += 2)
    for (int j = 0; j < n; j += 2) {
      float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
      for (int l = 0; l < k; l += 2) {
        const float *p = a + i * k + l, *q = p + k;
        const float *x = b + l * n + j, *y = x + n;
        s00 += p[0] * x[0];
        s01 += p[0] * x[1];
        s10 += q[0] * x[0];
        s11 += q[0] * x[1];
        s00 += p[1] * y[0];
        s01 += p[1] * y[1];
        s10 += q[1] * y[0];
        s11 += q[1] * y[1];
      }
      c[i * n + j] = s00;
      c[i * n + j + 1] = s01;
      c[(i + 1) * n + j] = s10;
      c[(i + 1) * n + j + 1] = s11;
    }
}

void two_bounds(ARGS) {
  UNTIL(i, m) UNTIL(j, n) {
    float s = 0;
    for (int block = 0; block < k; block += 32)
      for (int l = block; l < block + 32 && l < k; l++)
        s += a[i * k + l] * b[l * n + j];
    c[i * n + j] = s;
  }
}

// MEMORY-LABEL: @first_round_chosen matmul.nn f32
// MEMORY:         par i[%m] par j[%n]
// MEMORY-NEXT:      %c[i,j] = 0.0
// MEMORY-NEXT:      red k[%k]
// MEMORY-NEXT:        %c[i,j] = fmuladd(%a[i,k], %b[k,j], %c[i,j])
void first_round_chosen(ARGS) {
  UNTIL(i, m) UNTIL(j, n) UNTIL(l, k) {
    float before = l == 0 ? 0 : c[i * n + j];
    c[i * n + j] = before + a[i * k + l] * b[l * n + j];
  }
}

// MEMORY-LABEL: @flat matmul.nn f32
// MEMORY:         par i[%m] par j[%n] red k[%k]
// MEMORY-NEXT:      %c[i,j] = fmuladd(%a[i,k], %b[k,j], %c[i,j])
void flat(ARGS) {
  for (int x = 0; x < m * n * k; x++) {
    int l = x % k, j = x / k % n, i = x / k / n;
    c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// One divisor more than once: quotients of rows are not those of the index.
//
// MEMORY-LABEL: @flat_square matmul.nn f32
// MEMORY:         par i[%m] par j[%n*%n]
// MEMORY:           red k[%k]
// MEMORY-NEXT:        s = fmuladd(%a[i,k], %b[k,j], s)
// MEMORY-NEXT:      %c[i,j] = s
void flat_square(const float *a, const float *b, float *c, long m, long n,
                 long k) {
  for (long x = 0; x < m * n * n; x++) {
    long i = x / (n * n), h = x / n % n, j = x % n;
    float s = 0;
    for (long l = 0; l < k; l++)
      s += a[i * k + l] * b[(l * n + h) * n + j];
    c[(i * n + h) * n + j] = s;
  }
}

// The order of sums that copies of the body take turns with is none of loops.
//
// MEMORY-LABEL: @turns generic f32
// MEMORY:         par i[%m] seq j[floordiv(%n - 1, 2) + 1] seq k[%k]
void turns(ARGS) {
  UNTIL(i, m)
    for (int j = 0; j < n; j += 2)
      UNTIL(l, k) {
        c[i] += a[i * n * k + j * k + l] * b[j * k + l];
        c[i] += a[i * n * k + (j + 1) * k + l] * b[(j + 1) * k + l];
      }
}

typedef float f32x4 __attribute__((vector_size(16), aligned(4)));

// VECTORS:      @vectors matmul.nn f32
// VECTORS:        par i[%m] par j[%n]
// VECTORS-NEXT:     local [[S:.*]]:f32
// VECTORS-NEXT:     [[S]] = 0.0
// VECTORS-NEXT:     red k[%k]
// VECTORS-NEXT:       [[S]] = fmuladd(%a[i,k], %b[k,j], [[S]])
// VECTORS-NEXT:     %c[i,j] = [[S]]
void vectors(ARGS) {
  for (int i = 0; i < m; i += 2)
    for (int j = 0; j < n; j += 4) {
      f32x4 s = {0}, t = {0};
      UNTIL(l, k) {
        f32x4 x = *(const f32x4 *)(b + l * n + j);
        s += a[i * k + l] * x;
        t += a[(i + 1) * k + l] * x;
      }
      *(f32x4 *)(c + i * n + j) = s;
      *(f32x4 *)(c + (i + 1) * n + j) = t;
    }
}

// Vectors that are only loaded and stored, as code generators write them.
//
// VECTORS:      @loads_and_stores matmul.nn f32
// VECTORS-NEXT:   buffers %a:f32(64,1) %b:f32(96,1) %c:f32(96,1)
// VECTORS-NEXT:   par i[32] par j[96]
// VECTORS:          red k[64]
// VECTORS-NEXT:       [[S:.*]] = fmuladd(%a[i,k], %b[k,j], [[S]])
// VECTORS-NEXT:     %c[i,j] = [[S]]
void loads_and_stores(float *restrict c, const float *a, const float *b) {
#define VECTOR(P) (*(const f32x4 *)(P))
  for (int x = 0; x < 16; x++)
    for (int y = 0; y < 24; y++) {
      float s0 = 0, s1 = 0, s2 = 0, s3 = 0, t0 = 0, t1 = 0, t2 = 0, t3 = 0;
      for (int z = 0; z < 32; z++) {
        int at = (x << 7) + (z << 1), from = z * 192 + (y << 2);
        f32x4 p = VECTOR(b + from), q = VECTOR(b + from + 96);
        s0 = (s0 + a[at] * p[0]) + a[at + 1] * q[0];
        s1 = (s1 + a[at] * p[1]) + a[at + 1] * q[1];
        s2 = (s2 + a[at] * p[2]) + a[at + 1] * q[2];
        s3 = (s3 + a[at] * p[3]) + a[at + 1] * q[3];
        t0 = (t0 + a[at + 64] * p[0]) + a[at + 65] * q[0];
        t1 = (t1 + a[at + 64] * p[1]) + a[at + 65] * q[1];
        t2 = (t2 + a[at + 64] * p[2]) + a[at + 65] * q[2];
        t3 = (t3 + a[at + 64] * p[3]) + a[at + 65] * q[3];
      }
      *(f32x4 *)(c + x * 192 + y * 4) = (f32x4){s0, s1, s2, s3};
      *(f32x4 *)(c + x * 192 + y * 4 + 96) = (f32x4){t0, t1, t2, t3};
    }
}

// Beside what stays, vectors stay, of whatever they are.
//
// VECTORS:      missed @vectors_and_more line {{.*}}: UnsupportedType
void vectors_and_more(ARGS) {
  vectors(m, n, k, a, b, c);
  for (int i = 0; i < m; i += 4) {
    f32x4 x = *(f32x4 *)(c + i);
    *(f32x4 *)(c + i) = x * __builtin_shufflevector(x, x, 3, 2, 1, 0) / x[2];
  }
}

// VECTORS:      missed @vectors_and_integers line {{.*}}: UnsupportedType
void vectors_and_integers(ARGS) {
  typedef int i32x4 __attribute__((vector_size(16), aligned(4)));
  vectors(m, n, k, a, b, c);
  for (int i = 0; i < m; i += 4)
    *(i32x4 *)(c + i) ^= *(i32x4 *)(c + i) >> 3;
}
