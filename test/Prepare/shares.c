// A loop over a part of all elements becomes three, if that makes the whole rows
// in it a product.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define ARGS                                                                   \
  long first, long last, long n, long k, const float *a, const float *b,      \
      float *c
#define SUM(I, J)                                                              \
  float s = 0;                                                                 \
  for (long l = 0; l < k; l++)                                                 \
    s += a[(I) * k + l] * b[l * n + (J)];

// CHECK-LABEL: define {{.*}}@elements(
// CHECK:         [[END:%.*]] = call i64 @llvm.smin.i64(
// CHECK:         [[TAIL:%.*]] = call i64 @llvm.smax.i64(i64 [[END]],
// CHECK:       for.cond.head:
// CHECK:         icmp slt i64 {{.*}}, [[END]]
// CHECK-NOT:     {{div|rem}}
// CHECK:       for.cond:
// CHECK:         sdiv
// CHECK:       for.cond.tail:
// CHECK:         phi i64 [ [[TAIL]],
// CHECK-NOT:     {{div|rem}}
// CHECK:       }
void elements(ARGS) {
  for (long x = first; x < last; x++) {
    SUM(x / n, x - x / n * n)
    c[x] = s;
  }
}

// Starts with a row.
//
// CHECK-LABEL: define {{.*}}@from_the_start(
// CHECK-NOT:   .head:
// CHECK:       }
void from_the_start(ARGS) {
  for (long x = 0; x < last; x++) {
    SUM(x / n, x % n)
    c[x] = s;
  }
}

// Two indices that are one again.
//
// CHECK-LABEL: define {{.*}}@positions(
// CHECK-NOT:   .head:
// CHECK:       }
void positions(ARGS, long t) {
  for (long x = first; x < last; x++)
    for (long j = 0; j < n; j++) {
      SUM((x / t * t + (x - x / t * t)), j)
      c[x * n + j] = s;
    }
}

// Nothing that will be transformed: left as it was.
//
// CHECK-LABEL: define {{.*}}@scattered(
// CHECK-NOT:   .head:
// CHECK:       }
void scattered(ARGS, const int *at) {
  for (long x = first; x < last; x++) {
    SUM(at[x / n], x - x / n * n)
    c[x] = s;
  }
}
