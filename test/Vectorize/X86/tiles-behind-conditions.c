// Rows in lanes whose sum has a condition, behind which functions of all elements are
// computed: what whole tiles leave is read column by column for all rows, not for those that
// the condition was true of, which is a value of another loop.
// RUN: %emit -march=rocketlake --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=row-blocks %opt -S -passes='dl-prepare<all>,dl-vectorize<dispatch=0>,verify' | FileCheck %s
// RUN: %if native-x86 %{ %clang -O2 -march=native -fpass-plugin=%plugin -DRUN %s -o %t -lm && %t %}
float expf(float);
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK: %tile{{.*}} = alloca
__attribute__((noinline)) void rows(long m, long l, long n, float *restrict y, const float *restrict x,
                                    const int *restrict left) {
  for (long i = 0; i < m; i++) {
    float sum = 1;
    for (long b = 0; b < l; b++)
      for (long j = 0; j < n; j++)
        if (j != left[i])
          sum += x[(i * l + b) * n + j];
    for (long b = 0; b < l; b++)
      for (long j = 0; j < n; j++)
        y[(i * l + b) * n + j] = expf(x[(i * l + b) * n + j]) / sum;
  }
}

#ifdef RUN
int main(void) {
  enum { M = 21, N = 33 };
  static float x[M * N], y[M * N];
  static int left[M];
  for (int i = 0; i < M * N; i++)
    x[i] = i * 7 % 5 - 1;
  for (int i = 0; i < M; i++)
    left[i] = i % 5;
  rows(M, 1, N, y, x, left);
  for (int i = 0; i < M; i++) {
    float sum = 1;
    for (int j = 0; j < N; j++)
      sum += j != left[i] ? x[i * N + j] : 0;
    for (int j = 0; j < N; j++)
      if (y[i * N + j] != expf(x[i * N + j]) / sum)
        return 1;
  }
  return 0;
}
#endif
