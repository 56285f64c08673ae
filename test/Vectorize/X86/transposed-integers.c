// What moves elements is found whatever they are, in vectors of as many as a
// register has. Three rows have no squares, and rows that stay rows are LLVM's.
//
// RUN: %clang_dl -O3 -march=icelake-server -S -emit-llvm %s -o - -Rpass=dl-vectorize -Rpass-missed=dl-vectorize 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %clang_dl -O3 -march=x86-64-v3 -S -o /dev/null %s -Rpass=dl-vectorize 2>&1 | FileCheck %s --check-prefix=AVX2
// RUN: %clang_dl -O3 --target=aarch64-linux-gnu -ffreestanding -S -o /dev/null %s -Rpass=dl-vectorize 2>&1 | FileCheck %s --check-prefix=NEON
//
// CHECK: [[#@LINE+24]]:3: remark: transpose i8, {{.*}}: left alone: recognized; no schedule for this kind yet
// CHECK: [[#@LINE+29]]:3: remark: copy i8, {{.*}}: left alone: recognized; LLVM's own loop vectorizer does the same
// CHECK: remark: transpose i8, {{.*}}: exact, iterations of i in 1 vectors of 64,
// CHECK: remark: transpose i16, {{.*}}: exact, iterations of i in 1 vectors of 32,
// CHECK: remark: transpose i64, {{.*}}: exact, iterations of i in 1 vectors of 8,
// CHECK: shufflevector <64 x i8>
// AVX2: remark: transpose i8, {{.*}} in 1 vectors of 32,
// AVX2: remark: transpose i16, {{.*}} in 1 vectors of 16,
// NEON: remark: transpose i8, {{.*}} in 1 vectors of 16,
// NEON: remark: transpose i16, {{.*}} in 1 vectors of 8,
#include <stdint.h>

#define TRANSPOSE(T)                                                           \
  void transpose_##T(T *restrict y, const T *restrict x, long m, long n) {     \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++)                                             \
        y[j * m + i] = x[i * n + j];                                           \
  }
TRANSPOSE(int8_t)
TRANSPOSE(uint16_t)
TRANSPOSE(int64_t)

// Few rows have no squares.
void three(int8_t *restrict y, const int8_t *restrict x, long n) {
  for (long i = 0; i < 3; i++)
    for (long j = 0; j < n; j++)
      y[j * 3 + i] = x[i * n + j];
}

void rows(int8_t *restrict y, const int8_t *restrict x, long m, long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j];
}
