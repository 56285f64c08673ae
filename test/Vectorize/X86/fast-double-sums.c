// Rows of floats that are summed in double, in any order, are summed along rows by LLVM;
// in the order of the source they are columns of lanes.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -ffast-math %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize,verify' -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize,verify' -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize 2>&1 | FileCheck %s --check-prefix=EXACT
// FAST: fast-double-sums.c:[[#@LINE+4]]:3: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same
// EXACT: fast-double-sums.c:[[#@LINE+3]]:3: matvec f64, {{.*}}: exact, tile
void product(const float *restrict a, const float *restrict b,
             float *restrict o, int n, int m) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++)
      s += (double)a[i * m + j] * b[j];
    o[i] = (float)s;
  }
}
