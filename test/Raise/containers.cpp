// std::vector's storage and classes with accessors: pointers and sizes that
// type-based alias analysis proves invariant.
//
// RUN: %clangxx --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target

using size_t = decltype(sizeof 0);

struct vector {
  float *First, *Last, *End;
  float &operator[](size_t I) { return First[I]; }
  const float &operator[](size_t I) const { return First[I]; }
};

extern "C" void vectors(const vector &A, const vector &B, vector &C, int M,
                        int N, int K) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float Sum = 0;
      for (int k = 0; k < K; ++k)
        Sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = Sum;
    }
}

struct matrix {
  float *Data;
  int Rows, Columns;
  float &operator()(int I, int J) { return Data[I * Columns + J]; }
  float operator()(int I, int J) const { return Data[I * Columns + J]; }
};

extern "C" void matrices(const matrix &A, const matrix &B, matrix &C) {
  for (int i = 0; i < A.Rows; ++i)
    for (int j = 0; j < B.Columns; ++j) {
      float Sum = 0;
      for (int k = 0; k < A.Columns; ++k)
        Sum += A(i, k) * B(k, j);
      C(i, j) = Sum;
    }
}

// CHECK-LABEL: kernel 0 @vectors  matmul.nn f32
// CHECK-NEXT:   params   %M:i32 %N:i32 %K:i32
// CHECK-NEXT:   buffers  %A:f32(%K,1) %B:f32(%N,1) %C:f32(%N,1)
// CHECK-NEXT:   par i[%M] par j[%N]
// CHECK-NEXT:     local Sum:f32
// CHECK-NEXT:     Sum = 0.0
// CHECK-NEXT:     red k[%K]
// CHECK-NEXT:       Sum = fmuladd(%A[i,k], %B[k,j], Sum)
// CHECK-NEXT:     %C[i,j] = Sum
// CHECK-NEXT:   needs    disjoint(%C; %A %B)

// CHECK-LABEL: kernel 0 @matrices  matmul.nn f32
// CHECK-NEXT:   params   %p:i32 %p.1:i32 %p.2:i32 %p.3:i32
// CHECK-NEXT:   buffers  %A:f32(%p.2,1) %B:f32(%p.1,1) %C:f32(%p.3,1)
// CHECK-NEXT:   par i[%p] par j[%p.1]
// CHECK-NEXT:     local Sum:f32
// CHECK-NEXT:     Sum = 0.0
// CHECK-NEXT:     red k[%p.2]
// CHECK-NEXT:       Sum = fmuladd(%A[i,k], %B[k,j], Sum)
// CHECK-NEXT:     %C[i,j] = Sum
// CHECK-NEXT:   needs    disjoint(%C; %A %B)
// CHECK-NEXT:   needs    inrange(0 <= %p.3 - %p.1 <= 9223372036854775807)

// CHECK-LABEL: kernel 0 @by_size  matmul.nn f32
// CHECK-NEXT:   params   %M %sub.ptr.sub{{[^ :]*}} %K
// CHECK-NEXT:   buffers
// CHECK-NEXT:   par i[%M] par j[floordiv(%sub.ptr.sub{{.*}}, 4)]
// The distance of two pointers, in front or in the loops, is one number: guards
// cannot compute with addresses.
extern "C" void by_size(const float *A, const vector *B, float *__restrict C,
                        long M, long K) {
  for (long i = 0; i < M; ++i)
    for (long j = 0; j < B[0].Last - B[0].First; ++j) {
      float Sum = 0;
      for (long k = 0; k < K; ++k)
        Sum += A[i * K + k] * B[0].First[k * (B[0].Last - B[0].First) + j];
      C[i * (B[0].Last - B[0].First) + j] = Sum;
    }
}
