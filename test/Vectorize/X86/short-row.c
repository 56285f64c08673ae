// A row of outputs that is known to be shorter than a vector has narrower ones.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize<dispatch=1>' 2>&1 | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes=dl-vectorize 2>&1 | FileCheck %s --check-prefix=NEON
// CHECK: matvec f32, 10 x 784: exact, tile {{[0-9x]*}} vectors of 8, kernel number 1
// CHECK: matvec f32, 4 x 784: exact, tile {{[0-9x]*}} vectors of 4, kernel number 2
// CHECK: matvec f32, 16 x 784: exact, tile {{[0-9x]*}} vectors of 16, kernel number 3
// NEON-COUNT-3: vectors of 4, kernel number
#define ROW(NAME, OUTPUTS)                                                     \
  void NAME(const float *restrict x, const float *restrict w, float *restrict y) { \
    for (int i = 0; i < OUTPUTS; i++) {                                        \
      float sum = 0;                                                           \
      for (int k = 0; k < 784; k++)                                            \
        sum += x[k] * w[i * 784 + k];                                          \
      y[i] = sum;                                                              \
    }                                                                          \
  }
ROW(ten, 10)
ROW(four, 4)
ROW(sixteen, 16)
