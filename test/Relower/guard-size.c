// A guard computes each number once, however many tests ask for it, and compares
// all that must be below a bound at once: products that may overflow of both
// arrays by one flag and one comparison. What it computes of defined numbers is
// not frozen.
// RUN: %clang -O1 --target=x86_64-linux-gnu -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='dl-prepare<loops>,dl-relower' -S %t.ll | FileCheck %s
void f(long n, long m, float *a, const float *b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        for (long l = 0; l < m; l++)
          a[((i * n + j) * n + k) * m + l] = b[((i * n + j) * n + k) * m + l] * 2.0f;
}
// CHECK-LABEL: define {{.*}}@f(
// CHECK-NOT:     freeze
// CHECK:         [[IJ:%.*]] = call { i64, i1 } @llvm.umul.with.overflow.i64(
// CHECK-NEXT:    [[IJ_N:%.*]] = extractvalue { i64, i1 } [[IJ]], 0
// CHECK-NEXT:    [[FLAG1:%.*]] = extractvalue { i64, i1 } [[IJ]], 1
// CHECK:         call { i64, i1 } @llvm.umul.with.overflow.i64(i64 [[IJ_N]], i64 %1)
// CHECK-NEXT:    [[IJ_M:%.*]] = extractvalue
// CHECK-NEXT:    [[FLAG2:%.*]] = extractvalue
// CHECK:         call { i64, i1 } @llvm.umul.with.overflow.i64(
// CHECK-NEXT:    [[JK_M:%.*]] = extractvalue
// CHECK-NEXT:    [[FLAG3:%.*]] = extractvalue
// CHECK-NOT:     {{umul.with.overflow|freeze}}
// CHECK:         [[M1:%.*]] = sub i64 %1, 1
// CHECK-NEXT:    [[LAST:%.*]] = add i64 {{%.*}}, [[M1]]
// CHECK-NEXT:    ptrtoint ptr %2 to i64
// CHECK-NOT:     umul.with.overflow
// CHECK:         icmp uge i64
// CHECK:         icmp uge i64
// CHECK-NEXT:    [[FLAGS:%.*]] = or i1 [[FLAG1]], [[FLAG2]]
// CHECK-NEXT:    [[ANY:%.*]] = or i1 [[FLAGS]], [[FLAG3]]
// CHECK-NEXT:    xor i1 [[ANY]], true
// CHECK-NEXT:    [[OR1:%.*]] = or i64 [[IJ_N]], [[IJ_M]]
// CHECK-NEXT:    [[OR2:%.*]] = or i64 [[OR1]], [[JK_M]]
// CHECK-NEXT:    [[OR3:%.*]] = or i64 [[OR2]], [[LAST]]
// CHECK-NEXT:    icmp ult i64 [[OR3]], 576460752303423488
// CHECK-NOT:     {{icmp|freeze}}
// CHECK:         %dl.small = icmp ult i64 {{%.*}}, 536870912
// CHECK-NOT:     {{icmp|freeze}}
// CHECK:         br i1 {{%.*}}, label %dl.fast, label %dl.original, !dl.guard
