// The greatest of integers, kept in a number of any width: LLVM's vectors find it, too, so
// that lanes are for those who get wider ones by dispatch. No order changes the result.
// RUN: %clang -O3 -Xclang -disable-llvm-passes -gline-tables-only --target=x86_64-linux-gnu -S -emit-llvm -o %t.ll %s
// RUN: %opt %t.ll -mattr=+avx2 -S -o /dev/null -passes='dl-prepare<all>,dl-vectorize' -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: %opt %t.ll -S -passes='dl-prepare<all>,dl-vectorize<dispatch=1>' -pass-remarks=dl-vectorize 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=WIDE
// LEFT-COUNT-3: left alone: recognized; LLVM's own loop vectorizer does the same
// LEFT-NOT: vectors of
// WIDE-COUNT-3: exact, iterations of {{[ij]}} in 4 vectors of 4, avx512 at run time, avx2 at run time
// WIDE-NOT: vectors of

// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.i8.0.avx512(
// CHECK: icmp sgt <64 x i8>
// CHECK: ret void
signed char greatest(const signed char *x, int n) {
  signed char m = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
}
int widened(const signed char *x, int n) {
  int m = -1000;
  for (int i = 0; i < n; i++)
    m = x[i] > m ? x[i] : m;
  return m;
}
void rows(const unsigned *restrict x, unsigned *restrict y, int m, int n) {
  for (int i = 0; i < m; i++) {
    unsigned least = ~0u;
    for (int j = 0; j < n; j++)
      if (x[i * n + j] < least)
        least = x[i * n + j];
    y[i] = least;
  }
}
