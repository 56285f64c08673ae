// Loops that leave out factors of zero stay as they are behind a guard, tests
// included: it must know of all that they read.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,dl-noalias<guards>' -pass-remarks-missed=dl-noalias -S -o %t.out.ll %t.ll 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.out.ll
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks --allow-empty
// REQUIRES: x86-registered-target

// The factor itself is read as an operand, too.
//
// CHECK-LABEL: define {{.*}}@factor(
// CHECK:         br i1 {{.*}} !dl.guard
// CHECK:         fcmp une float {{.*}}, 0.0
// CHECK:         !alias.scope
// CHECK:       }
void factor(long m, long n, long k, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      if (a[i * k + l] != 0)
        for (long j = 0; j < n; j++)
          c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// What only the test reads would not be among what is tested to be disjoint. It
// is not tried.
//
// REMARK-NOT: left alone
// CHECK-LABEL: define {{.*}}@other(
// CHECK-NOT:     !dl.guard
// CHECK-NOT:     !alias.scope
// CHECK:       }
void other(long m, long n, long k, const float *keep, const float *a,
           const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      if (keep[i * k + l] != 0)
        for (long j = 0; j < n; j++)
          c[i * n + j] += a[i * k + l] * b[l * n + j];
}
