// A product that leaves out factors of zero: after all other tests, where all loops
// run, all elements of the factor are looked at; with a zero the loops stay. The
// function is nobody's to inline, and looks at rows as a whole.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<all>,dl-vectorize' -verify-each -S %t.ll | FileCheck %s
// RUN: %clang --target=aarch64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<all>,dl-vectorize' -verify-each -S %t.ll | FileCheck %s
// REQUIRES: aarch64-registered-target

#define UNTIL(X, END) for (int X = 0; X < END; X++)

// CHECK-LABEL: define {{.*}}@rows(
// CHECK:         icmp sgt i64 %{{.*}}, 0
// CHECK:         br i1 %{{.*}}, label %[[LOOK:dl.guard[0-9]+]], label %[[LOOPS:.*]]
// CHECK:       [[LOOK]]:
// CHECK:         [[NONE:%.*]] = call i1 @dl.no.zeros.f32(ptr %{{.*}}, i64 1, i64 1, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 1)
// CHECK:         br i1 %{{.*}}, label %{{.*}}, label %[[LOOPS]]
// CHECK:         call void @dl.matmul.nn.f32
void rows(int m, int n, int k, const float *restrict a, const float *restrict b,
          float *restrict c) {
  UNTIL(i, m) UNTIL(l, k) if (a[i * k + l] != 0)
    UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// Half is compared by calls on some targets.
//
// CHECK-LABEL: define {{.*}}@halves(
// CHECK-NOT:     no.zeros
// CHECK-LABEL: define internal i1 @dl.no.zeros.f32(
// CHECK-SAME:    #[[ATTRIBUTES:[0-9]+]]
// CHECK:         [[X:%.*]] = load float, ptr
// CHECK-NEXT:    [[TEST:%.*]] = fcmp une float [[X]], 0.0
// CHECK-NEXT:    [[ALL:%.*]] = and i1 %{{.*}}, [[TEST]]
// CHECK:         br i1 %{{.*}}, label %loop{{[0-9]*}}, label %after
// CHECK:       after:
// CHECK-NEXT:    br i1 [[ALL]], label %row, label %found
// CHECK:       attributes #[[ATTRIBUTES]] = { {{.*}}noinline{{.*}}memory(read)
void halves(int m, int n, int k, const _Float16 *restrict a,
            const float *restrict b, float *restrict c) {
  UNTIL(i, m) UNTIL(l, k) if (a[i * k + l] != 0)
    UNTIL(j, n) c[i * n + j] += (float)a[i * k + l] * b[l * n + j];
}
