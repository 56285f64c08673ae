// Sums of 64 bits as sums of 32: as a whole where that has room for all terms, in blocks
// else. What is too wide for many terms stays as it is.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2 -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// REMARK-COUNT-2: wide-sums.c:{{.*}} loops by sums of 32 bits
// REMARK: wide-sums.c:{{.*}} by the script rows

// CHECK-LABEL: define {{.*}} @rows(
// CHECK: sext i32 {{.*}} to i64
void rows(long *y, const short *x, const signed char *w, int n, int k) {
  for (int i = 0; i < n; i++) {
    long s = 0;
    for (int l = 0; l < k; l++)
      s += (int)x[l] * w[i * k + l];
    y[i] = s;
  }
}
// Two products of 16 by 16 bits do not fit.
// CHECK-LABEL: define {{.*}} @wide(
// CHECK-NOT: sext i32 {{.*}}_part
// REMARK-NOT: sums of 32 bits
void wide(long *y, const short *x, const short *w, int n, int k) {
  for (int i = 0; i < n; i++) {
    long s = 0;
    for (int l = 0; l < k; l++)
      s += (int)x[l] * w[i * k + l];
    y[i] = s;
  }
}
