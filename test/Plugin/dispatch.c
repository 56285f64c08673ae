// clang -O3 without -march, for a hosted target: wide code behind a test of the
// CPU, for which nothing has to be linked. -O2 on demand.
//
// REQUIRES: x86-registered-target
// RUN: %clang_dl --target=x86_64-linux-gnu -O3 -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: llvm-nm -u %t.o | count 0
// RUN: env DLOPT_OPTIONS=dispatch=1 %clang_dl --target=x86_64-linux-gnu -O2 -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: llvm-nm -u %t.o | count 0
// RUN: %clang_dl --target=x86_64-linux-gnu -O3 -ffreestanding -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %clang_dl --target=x86_64-linux-gnu -O3 -mcmodel=kernel -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %clang_dl --target=x86_64-linux-gnu -O3 -march=haswell -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: env DLOPT_OPTIONS=dispatch=0 %clang_dl --target=x86_64-linux-gnu -O3 -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
//
// So is code that did not come from clang or flang.
// RUN: %clang --target=x86_64-linux-gnu -O3 -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -passes='default<O3>' -pass-remarks=dl-vectorize %t.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: sed '/llvm.ident/d' %t.ll | %opt -passes='default<O3>' -pass-remarks=dl-vectorize -o %t.bc 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: llvm-nm -u %t.bc | count 0
//
// Loops in lanes alike, and no others for code that is to be small.
// RUN: %clang_dl --target=x86_64-linux-gnu -O3 -DLANES -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: llvm-nm -u %t.o | count 0
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -DLANES -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: llvm-nm -u %t.o | count 0
// RUN: env DLOPT_OPTIONS=dispatch=1 %clang_dl --target=x86_64-linux-gnu -Oz -DLANES -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | count 0
// RUN: llvm-nm -u %t.o | count 0
// RUN: %clang_dl --target=x86_64-linux-gnu -O3 -DLANES -ffreestanding -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: llvm-nm -u %t.o | count 0
//
// WIDE: avx512 at run time, avx2 at run time
// PLAIN-NOT: run time
// PLAIN: kernel number 1
#ifdef LANES
void sums(float *restrict C, const float *restrict A, long M, long N) {
  for (long i = 0; i < M; i++) {
    float sum = 1;
    for (long j = 0; j < N; j++)
      sum += A[i * N + j];
    C[i] = sum;
  }
}
#else
void product(float *C, const float *A, const float *B, long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float sum = C[i * N + j];
      for (long k = 0; k < K; k++)
        sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = sum;
    }
}
#endif
