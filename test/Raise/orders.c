// The product of two matrices in all loop orders, with the accumulator in a
// local or in memory.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target

void ijk(int m, int n, int k, float A[restrict m][k], float B[restrict k][n], float C[restrict m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += A[i][l] * B[l][j];
      C[i][j] = s;
    }
}

void jik(int m, int n, int k, float A[restrict m][k], float B[restrict k][n], float C[restrict m][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      C[i][j] = 0;
      for (int l = 0; l < k; l++)
        C[i][j] += A[i][l] * B[l][j];
    }
}

void ikj(int m, int n, int k, float A[restrict m][k], float B[restrict k][n], float C[restrict m][n]) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++)
      C[i][j] = 0;
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j++)
        C[i][j] += A[i][l] * B[l][j];
  }
}

void kij(int m, int n, int k, float A[restrict m][k], float B[restrict k][n], float C[restrict m][n]) {
  for (int l = 0; l < k; l++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        C[i][j] += A[i][l] * B[l][j];
}

void kji(int m, int n, int k, float A[restrict m][k], float B[restrict k][n], float C[restrict m][n]) {
  for (int l = 0; l < k; l++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        C[i][j] += B[l][j] * A[i][l];
}

void jki(int m, int n, int k, float A[restrict m][k], float B[restrict k][n], float C[restrict m][n]) {
  for (int j = 0; j < n; j++)
    for (int l = 0; l < k; l++) {
      float b = B[l][j];
      for (int i = 0; i < m; i++)
        C[i][j] += A[i][l] * b;
    }
}

void nt(int m, int n, int k, float A[restrict m][k], float B[restrict n][k], float C[restrict m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int l = 0; l < k; l++)
        C[i][j] += A[i][l] * B[j][l];
}

void tn(int m, int n, int k, float A[restrict k][m], float B[restrict k][n], float C[restrict m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int l = 0; l < k; l++)
        C[i][j] += A[l][i] * B[l][j];
}

void tt(int m, int n, int k, float A[restrict k][m], float B[restrict n][k], float C[restrict m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int l = 0; l < k; l++)
        C[i][j] += A[l][i] * B[j][l];
}

void batched(int b, int m, int n, int k, float A[restrict b][m][k], float B[restrict b][k][n], float C[restrict b][m][n]) {
  for (int x = 0; x < b; x++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++)
          C[x][i][j] += A[x][i][l] * B[x][l][j];
}

void matvec(int m, int k, float A[restrict m][k], float *restrict x, float *restrict y) {
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++)
      y[i] += x[l] * A[i][l];
}

void vecmat(int n, int k, float B[restrict k][n], float *restrict x, float *restrict y) {
  for (int l = 0; l < k; l++)
    for (int j = 0; j < n; j++)
      y[j] += x[l] * B[l][j];
}

void outer(int m, int n, float *restrict x, float *restrict y, float C[restrict m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      C[i][j] += x[i] * y[j];
}

float dot(int n, float *x, float *y) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

// CHECK-LABEL: kernel 0 @ijk  matmul.nn f32
// CHECK-NEXT:   params   %m:i32 %n:i32 %k:i32
// CHECK-NEXT:   buffers  %A:f32(%k,1) %B:f32(%n,1) %C:f32(%n,1)
// CHECK-NEXT:   par i[%m] par j[%n]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       s = fmuladd(%A[i,k], %B[k,j], s)
// CHECK-NEXT:     %C[i,j] = s

// CHECK-LABEL: kernel 0 @jik  matmul.nn f32
// CHECK-NEXT:   params   %n:i32 %m:i32 %k:i32
// CHECK-NEXT:   buffers  %C:f32(%n,1) %A:f32(%k,1) %B:f32(%n,1)
// CHECK-NEXT:   par i[%n] par j[%m]
// CHECK-NEXT:     %C[j,i] = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       %C[j,i] = fmuladd(%A[j,k], %B[k,i], %C[j,i])

// CHECK-LABEL: kernel 0 @ikj  matmul.nn f32
// CHECK-NEXT:   params   %m:i32 %n:i32 %k:i32
// CHECK-NEXT:   buffers  %C:f32(%n,1) %A:f32(%k,1) %B:f32(%n,1)
// CHECK-NEXT:   par i[%m]
// CHECK-NEXT:     par j[%n]
// CHECK-NEXT:       %C[i,j] = 0.0
// CHECK-NEXT:     red j.1[%k] par k[%n]
// CHECK-NEXT:       %C[i,k] = fmuladd(%A[i,j.1], %B[j.1,k], %C[i,k])

// CHECK-LABEL: kernel 0 @kij  matmul.nn f32
// CHECK-NEXT:   params   %k:i32 %m:i32 %n:i32
// CHECK-NEXT:   buffers  %C:f32(%n,1) %A:f32(%k,1) %B:f32(%n,1)
// CHECK-NEXT:   red i[%k] par j[%m] par k[%n]
// CHECK-NEXT:     %C[j,k] = fmuladd(%A[j,i], %B[i,k], %C[j,k])

// CHECK-LABEL: kernel 0 @kji  matmul.nn f32
// CHECK-NEXT:   params   %k:i32 %n:i32 %m:i32
// CHECK-NEXT:   buffers  %C:f32(%n,1) %B:f32(%n,1) %A:f32(%k,1)
// CHECK-NEXT:   red i[%k] par j[%n] par k[%m]
// CHECK-NEXT:     %C[k,j] = fmuladd(%B[i,j], %A[k,i], %C[k,j])

// CHECK-LABEL: kernel 0 @jki  matmul.nn f32
// CHECK-NEXT:   params   %n:i32 %k:i32 %m:i32
// CHECK-NEXT:   buffers  %C:f32(%n,1) %A:f32(%k,1) %B:f32(%n,1)
// CHECK-NEXT:   par i[%n] red j[%k] par k[%m]
// CHECK-NEXT:     %C[k,i] = fmuladd(%A[k,j], %B[j,i], %C[k,i])

// CHECK-LABEL: kernel 0 @nt  matmul.nt f32
// CHECK-NEXT:   params   %m:i32 %n:i32 %k:i32
// CHECK-NEXT:   buffers  %C:f32(%n,1) %A:f32(%k,1) %B:f32(%k,1)
// CHECK-NEXT:   par i[%m] par j[%n] red k[%k]
// CHECK-NEXT:     %C[i,j] = fmuladd(%A[i,k], %B[j,k], %C[i,j])

// CHECK-LABEL: kernel 0 @tn  matmul.tn f32
// CHECK-NEXT:   params   %m:i32 %n:i32 %k:i32
// CHECK-NEXT:   buffers  %C:f32(%n,1) %A:f32(%m,1) %B:f32(%n,1)
// CHECK-NEXT:   par i[%m] par j[%n] red k[%k]
// CHECK-NEXT:     %C[i,j] = fmuladd(%A[k,i], %B[k,j], %C[i,j])

// CHECK-LABEL: kernel 0 @tt  matmul.tt f32
// CHECK-NEXT:   params   %m:i32 %n:i32 %k:i32
// CHECK-NEXT:   buffers  %C:f32(%n,1) %A:f32(%m,1) %B:f32(%k,1)
// CHECK-NEXT:   par i[%m] par j[%n] red k[%k]
// CHECK-NEXT:     %C[i,j] = fmuladd(%A[k,i], %B[j,k], %C[i,j])

// CHECK-LABEL: kernel 0 @batched  matmul.nn.batched f32
// CHECK-NEXT:   params   %b:i32 %m:i32 %n:i32 %k:i32
// CHECK-NEXT:   buffers  %C:f32(%m*%n,%n,1) %A:f32(%m*%k,%k,1) %B:f32(%n*%k,%n,1)
// CHECK-NEXT:   par i[%b] par j[%m] par k[%n] red l[%k]
// CHECK-NEXT:     %C[i,j,k] = fmuladd(%A[i,j,l], %B[i,l,k], %C[i,j,k])

// CHECK-LABEL: kernel 0 @matvec  matvec f32
// CHECK-NEXT:   params   %m:i32 %k:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32 %A:f32(%k,1)
// CHECK-NEXT:   par i[%m] red j[%k]
// CHECK-NEXT:     %y[i] = fmuladd(%x[j], %A[i,j], %y[i])

// CHECK-LABEL: kernel 0 @vecmat  vecmat f32
// CHECK-NEXT:   params   %k:i32 %n:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32 %B:f32(%n,1)
// CHECK-NEXT:   red i[%k] par j[%n]
// CHECK-NEXT:     %y[j] = fmuladd(%x[i], %B[i,j], %y[j])

// CHECK-LABEL: kernel 0 @outer  outer f32
// CHECK-NEXT:   params   %m:i32 %n:i32
// CHECK-NEXT:   buffers  %C:f32(%n,1) %x:f32 %y:f32
// CHECK-NEXT:   par i[%m] par j[%n]
// CHECK-NEXT:     %C[i,j] = fmuladd(%x[i], %y[j], %C[i,j])

// CHECK-LABEL: kernel 0 @dot  dot f32
// CHECK-NEXT:   params   %n:i32
// CHECK-NEXT:   buffers  %x:f32 %y:f32
// CHECK-NEXT:   local s:f32
// CHECK-NEXT:   s = 0.0
// CHECK-NEXT:   red i[%n]
// CHECK-NEXT:     s = fmuladd(%x[i], %y[i], s)
