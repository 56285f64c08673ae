// What keeps arguments from being noalias is counted.
// RUN: %clang_dl -O2 -fno-inline -c %s -o /dev/null -Rpass-analysis=dl-noalias 2>&1 | FileCheck %s
float *kept;
void unknown(float *);

// CHECK-DAG: unproved.c:[[@LINE+2]]:{{.*}} pointer arguments that are not noalias: 1 of 3 that may be captured, 1 of 3 that a caller does not own alone
static void mixed(float *a, float *b, float *c, long n) {
  for (long i = 0; i < n; i++)
    c[i] += a[i] * b[i];
  kept = b;
}

// CHECK-DAG: unproved.c:[[@LINE+2]]:{{.*}} pointer arguments that are not noalias: 2 of 2 of a function whose callers are not all known
void visible(float *a, float *c, long n) {
  for (long i = 0; i < n; i++)
    c[i] += a[i];
}

void callers(float *given, long n) {
  float a[16] = {0}, b[16] = {1};
  mixed(a, b, given, n);
  unknown(b);
}
