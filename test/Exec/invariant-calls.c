// Calls that are made in front of a nest leave errno as those in it do.
// RUN: %clang_dl -O3 -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize %s -lm -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %t | FileCheck %s
// RUN: %clang -O3 %s -lm -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=native %s -lm -o %t && %t | FileCheck %s
// REQUIRES: native-x86
// CHECK: 0 failures
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 50 };
static float p[N], v[N], q[N], s[N * N], r[N * N];
static int failures;

__attribute__((noinline)) static void adam(float *p, float *v, long n,
                                           float beta, int t) {
  // REMARK-DAG: c:[[#@LINE+1]]:{{.*}}: map f32, {{.*}}: exact
  for (long i = 0; i < n; i++)
    p[i] -= 1 / (sqrtf(v[i] / (1 - powf(beta, t))) + 1);
}

// The same, one round by itself.
__attribute__((noinline, optnone)) static void step(float *p, float v,
                                                    float beta, int t) {
  *p -= 1 / (sqrtf(v / (1 - powf(beta, t))) + 1);
}

static void run(long n, float beta, int t, int negative, int before,
                int after) {
  for (int i = 0; i < N; i++) {
    p[i] = q[i] = i;
    v[i] = i == negative ? -1e30f : i;
  }
  errno = before;
  adam(p, v, n, beta, t);
  failures += errno != after;
  for (long i = 0; i < n; i++)
    step(q + i, v[i], beta, t);
  for (int i = 0; i < N; i++)
    failures += memcmp(p + i, q + i, 4) && !(isnan(p[i]) && isnan(q[i]));
}

__attribute__((noinline)) static void attend(float *restrict s, const float *x,
                                             const float *y, int n, int d,
                                             float f) {
  // REMARK-DAG: c:[[#@LINE+1]]:{{.*}}: matmul.nt f32, {{.*}}: exact
  for (int i = 0; i < n; i++) {
    float most = -1e30f, sum = 0;
    for (int j = 0; j <= i; j++) {
      float a = 0;
      for (int l = 0; l < d; l++)
        a += x[i * d + l] * y[j * d + l];
      s[i * n + j] = a / sqrtf(f);
      if (s[i * n + j] > most)
        most = s[i * n + j];
    }
    for (int j = 0; j <= i; j++) {
      s[i * n + j] = expf(s[i * n + j] - most);
      sum += s[i * n + j];
    }
    for (int j = 0; j <= i; j++)
      s[i * n + j] /= sum;
  }
}

static float grown[2];

// What each step changes is read again in each.
__attribute__((noinline)) static void grow(float *restrict p,
                                           const float *restrict v, int steps,
                                           long n, float beta, int t) {
  // REMARK-DAG: c:[[#@LINE+1]]:{{.*}}: {{.*}} f32, {{.*}}: exact
  for (int s = 0; s < steps; s++) {
    grown[0] += 1;
    float c = sqrtf(grown[0]);
    for (long i = 0; i < n; i++)
      p[i] -= c / (sqrtf(v[i] / (1 - powf(beta, t))) + 1);
  }
}

__attribute__((noinline, optnone)) static void
growOnce(float *p, float v, float beta, int t, float g) {
  *p -= sqrtf(g) / (sqrtf(v / (1 - powf(beta, t))) + 1);
}

static void runSteps(int steps, long n) {
  for (int i = 0; i < N; i++)
    p[i] = q[i] = v[i] = i;
  grown[0] = grown[1] = 1.5f;
  grow(p, v, steps, n, 0.9f, 3);
  for (int s = 0; s < steps; s++) {
    grown[1] += 1;
    for (int i = 0; i < n; i++)
      growOnce(q + i, v[i], 0.9f, 3, grown[1]);
  }
  failures += grown[0] != grown[1] || memcmp(p, q, sizeof p);
}

int main(void) {
  // No error; of a root; no round; one that the power leaves, or the root after
  // it in the last round; one round.
  run(N, 0.9f, 3, -1, 7, 7);
  run(N, 0.9f, 3, 20, 7, EDOM);
  run(0, 1e30f, 3, 20, 7, 7);
  run(N, 1e30f, 3, -1, 7, ERANGE);
  run(N, 1e-20f, 3, 20, 7, ERANGE);
  run(N, 1e-20f, 3, N - 1, 7, EDOM);
  run(1, 1e-30f, 2, -1, 7, ERANGE);
  run(N, -8, 3, -1, 7, 7);
  run(N, 0, 2, -1, 7, 7);
  run(N, INFINITY, 2, -1, 7, 7);
  run(N, NAN, 2, -1, 7, 7);

  runSteps(5, N);
  runSteps(1, N);
  runSteps(3, 0);

  // The last error is that of the exponential, or of the root behind it.
  for (int i = 0; i < N * N; i++)
    r[i] = i % 7 * 0.1f;
  errno = 0;
  attend(s, r, r, N, N, 4);
  failures += errno != 0;
  errno = 0;
  attend(s, r, r, N, N, -4);
  failures += errno != EDOM || !isnan(s[0]);
  r[N * 20] = r[N * 3] = 1e20f;
  errno = 0;
  attend(s, r, r, N, N, 4);
  failures += errno != ERANGE;
  printf("%d failures\n", failures);
  return failures != 0;
}
