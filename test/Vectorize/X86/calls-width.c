// Vectors beside calls of the library, which are scalar code and most of the time, are
// as wide as LLVM's own: wider ones lower the clock of some cores.
// DEFINE: %{cpu} = -march=cascadelake
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %s %{cpu} | %opt -S -o /dev/null -passes='dl-vectorize,verify' -pass-remarks=dl-vectorize 2>&1
// RUN: %{run} | FileCheck %s --check-prefixes=CHECK,NARROW
// REDEFINE: %{cpu} = -march=znver5
// RUN: %{run} | FileCheck %s --check-prefixes=CHECK,WIDE
float atanf(float);

// NARROW: calls-width.c:[[#@LINE+3]]:{{.*}} j, j in 4 vectors of 8, kernel number
// WIDE: calls-width.c:[[#@LINE+2]]:{{.*}} j, j in 4 vectors of 16, kernel number
void softmax(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float max = x[i * n], sum = 0;
    for (long j = 1; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (long j = 0; j < n; j++)
      sum += y[i * n + j] = atanf(x[i * n + j] - max);
    for (long j = 0; j < n; j++)
      y[i * n + j] /= sum;
  }
}
// Without them they are as wide as they can be.
// CHECK: calls-width.c:[[#@LINE+2]]:{{.*}} in 1 vectors of 16
void sums(long m, long n, float *restrict y, const float *restrict x) {
  for (long j = 0; j < m; j++) {
    float sum = 0;
    for (long i = 0; i < n; i++)
      sum += x[j * n + i];
    y[j] = sum;
  }
}
