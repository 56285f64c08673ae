// Stores under masks of which nothing is made, as they are slow where masks are no registers of
// their own, LLVM makes all the same: such loops are as fast already, not missed.
// REQUIRES: x86-registered-target
// TEETH: none - the plugin leaves these loops alone
//
// RUN: %clang_dl --target=x86_64-linux-gnu -march=x86-64-v3 -O3 -Rpass=dl- -Rpass-analysis=dl-vectorize -Rpass-missed=dl- -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %clang --target=x86_64-linux-gnu -march=x86-64-v3 -O3 -Rpass=loop-vectorize -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LLVM --implicit-check-not=remark:
//
// CHECK: masked-stores.c:[[@LINE+3]]:3: remark: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same; what helps:
// LLVM: masked-stores.c:[[@LINE+2]]:3: remark: vectorized loop
void relu(float *x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] < 0)
      x[i] = 0;
}
