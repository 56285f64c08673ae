// Memory is not what loops wait for that compute functions with the library's bits: they
// have one loop of whole vectors, however large the output is.
// DEFINE: %{emit} = %emit -march=znver3 -gline-tables-only --target=x86_64-linux-gnu %s
// DEFINE: %{opt} = %opt -S -pass-remarks=dl-vectorize -passes='dl-vectorize,verify'
// RUN: %{emit} | %{opt} 2>&1 | FileCheck %s --check-prefix=CHECK
// Approximations are short.
// RUN: %{emit} | env DLOPT_OPTIONS=fp=fast %{opt} 2>&1 | FileCheck %s --check-prefix=FAST

// CHECK: scale f32, %n: exact, {{.*}}, past the caches from
void scale(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] * 0.5f;
}

// CHECK: {{.*}}exp{{.*}}, %n: exact, iterations of i in 2 vectors of 8, kernel number
// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.1(
// CHECK-NOT: nontemporal
// FAST: exp{{.*}}, %n: {{.*}}past the caches from
void exps(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = __builtin_expf(x[i]);
}
