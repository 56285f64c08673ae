// A product of blocks in a function of its own, called for all blocks: one product.
// With another loop in it, it is left in its function.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define MIN(a, b) ((a) < (b) ? (a) : (b))
static void block(int lda, int m, int n, int k, const double *a,
                  const double *b, double *c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double s = c[i + j * lda];
      for (int l = 0; l < k; ++l)
        s += a[i + l * lda] * b[l + j * lda];
      c[i + j * lda] = s;
    }
}

// CHECK:      kernel 0 @blocks  matmul.nn f64
// CHECK:        par i[%lda] par j[%lda] red k[%lda]
// CHECK-NEXT:     %c[j,i] = fmuladd(%a[k,i], %b[j,k], %c[j,i])
void blocks(int lda, const double *a, const double *b, double *c) {
  for (int i = 0; i < lda; i += 41)
    for (int j = 0; j < lda; j += 41)
      for (int l = 0; l < lda; l += 41)
        block(lda, MIN(41, lda - i), MIN(41, lda - j), MIN(41, lda - l),
              a + i + l * lda, b + l + j * lda, c + i + j * lda);
}

static void batch(int count, int n, const double *a, const double *b,
                  double *c) {
  for (int x = 0; x < count; ++x)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int l = 0; l < n; ++l)
          c[(x * n + i) * n + j] +=
              a[(x * n + i) * n + l] * b[(x * n + l) * n + j];
}

// CHECK: missed @batches line {{.*}}: UnknownCall
void batches(int rounds, int count, int n, const double *a, const double *b,
             double *c) {
  for (int r = 0; r < rounds; ++r)
    batch(count, n, a, b, c);
}
