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
