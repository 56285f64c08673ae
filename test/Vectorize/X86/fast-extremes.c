// Extremes by comparison, which LLVM vectorizes where flags say that there are no NaNs and
// that signs of zeros do not matter, are left to it.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -O3 -ffast-math %s | %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -O3 -ffast-math -fhonor-nans %s | %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefixes=CHECK,NANS
// FAST: fast-extremes.c:[[#@LINE+5]]:3: {{.*}}left alone: recognized; LLVM's own loop vectorizer does the same
// NANS: fast-extremes.c:[[#@LINE+4]]:3: {{.*}}, iterations of i, j in
float fabsf(float), expf(float);
void scaled(signed char *restrict y, const float *restrict x, float *restrict scales,
            int m, int n) {
  for (int i = 0; i < m; i++) {
    float most = 0;
    for (int j = 0; j < n; j++) {
      float a = fabsf(x[i * n + j]);
      if (a > most)
        most = a;
    }
    scales[i] = most / 127;
    for (int j = 0; j < n; j++)
      y[i * n + j] = (signed char)(x[i * n + j] / scales[i]);
  }
}

// CHECK: fast-extremes.c:[[#@LINE+3]]:3: softmax f32, {{.*}}, iterations of
void softmax(float *restrict y, const float *restrict x, int m, int n) {
  // LLVM has no vectors for the function, whatever the extreme is.
  for (int i = 0; i < m; i++) {
    float most = x[i * n], sum = 0;
    for (int j = 1; j < n; j++)
      most = x[i * n + j] > most ? x[i * n + j] : most;
    for (int j = 0; j < n; j++) {
      y[i * n + j] = expf(x[i * n + j] - most);
      sum += y[i * n + j];
    }
    for (int j = 0; j < n; j++)
      y[i * n + j] /= sum;
  }
}
