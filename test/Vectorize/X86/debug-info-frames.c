// Each of 96 calls that are inlined, every other one of them into another, is a
// frame of the source's function and one of the generated function, once: however
// many there are, instructions of one call stay together.
// RUN: %clang_dl -O3 -g -march=x86-64-v3 --target=x86_64-linux-gnu -S -emit-llvm %s -o - | FileCheck %s
// CHECK: define internal {{.*}}@dl.lanes.
// CHECK-COUNT-192: distinct !DILocation(
// CHECK-NOT: distinct !DILocation(
static float square(float x) { return x * x + 1.0f; }
static float term(float x) { return square(x) + x; }

#define TERM(K) sum += term(x[i * n + j] * (K));
#define TERMS(K)                                                               \
  TERM(K) TERM(K + 1) TERM(K + 2) TERM(K + 3)                                  \
  TERM(K + 4) TERM(K + 5) TERM(K + 6) TERM(K + 7)

void sums(long m, long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++) {
      TERMS(1) TERMS(9) TERMS(17) TERMS(25) TERMS(33) TERMS(41)
    }
    y[i] = sum;
  }
}
