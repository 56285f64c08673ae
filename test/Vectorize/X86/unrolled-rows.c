// Rows of few elements, whose loop LLVM unrolls: where they are further apart than its groups
// of accesses have elements, it would gather them one by one. Lanes read squares.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize<dispatch=0>' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
#define SUMS(NAME, N)                                                                    \
  void NAME(int m, float *restrict y, const float *restrict x) {                         \
    for (int i = 0; i < m; i++) {                                                        \
      float s = 0;                                                                       \
      for (int j = 0; j < N; j++)                                                        \
        s += x[i * N + j];                                                               \
      y[i] = s;                                                                          \
    }                                                                                    \
  }
// CHECK: LLVM's own loop vectorizer does the same
SUMS(eight, 8)
// CHECK: sum f32, %m x 9: exact, iterations of i in
SUMS(nine, 9)
// CHECK: sum f32, %m x 64: exact, iterations of i in
SUMS(most, 64)
