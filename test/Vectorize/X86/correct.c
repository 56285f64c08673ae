// math=correct: vectors, and for lanes that they cannot decide, and for calls of
// scalars, one function of the module. Nothing asks which library there is.
//
// RUN: env DLOPT_OPTIONS=math=correct %clang_dl -O2 -march=haswell -S -emit-llvm -Rpass=dl-vectorize %s -o %t.ll 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=NONE
// RUN: env DLOPT_OPTIONS='math=correct;disable=dl-math' %clang_dl -O2 -march=haswell -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
//
// OFF-NOT: dl.correct
//
// Lanes must not call what is not correct: where nothing is marked, nothing is done.
// RUN: env DLOPT_OPTIONS=math=correct %emit %s -march=haswell | env DLOPT_OPTIONS=math=correct %opt -passes=dl-vectorize -S | FileCheck %s --check-prefix=UNMARKED
// RUN: env DLOPT_OPTIONS=math=correct %emit %s -march=haswell | env DLOPT_OPTIONS=math=correct %opt -passes='dl-math<mark>,dl-vectorize' -S | FileCheck %s --check-prefix=MARKED
// UNMARKED-NOT: fpext <8 x float>
// MARKED: fpext <8 x float>
#include <math.h>

// REMARK: exp f32{{.*}}: correct, iterations of i in
void map(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

// CHECK-LABEL: @one(
// CHECK: call {{.*}}@dl.correct.expf(float
float one(float x) { return expf(x); }

// Of double nothing is known.
// CHECK-LABEL: @wide(
// CHECK: call double @exp(
double wide(double x) { return exp(x); }

// One function serves both.
// CHECK-LABEL: define internal {{.*}}@dl.lanes.
// CHECK: fpext <8 x float>
// CHECK: call {{.*}}@dl.correct.expf(float
// CHECK: define internal {{.*}}@dl.correct.expf(
// NONE-NOT: @dl.correct.expf.
// NONE-NOT: dl.has
// NONE-NOT: @expf
