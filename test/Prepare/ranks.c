// Nests that find elements by a loop over dimensions get copies for the usual numbers of
// these.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s
// RUN: %opt -passes=dl-vectorize -verify-each -pass-remarks=dl-vectorize -S %t.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REQUIRES: x86-registered-target

// The number is asked before anything is read.
// REMARK-COUNT-3: loops without quotients in subscripts
// CHECK-LABEL: define {{.*}}@permute(
// CHECK:         switch i32 %{{.*}}, label
// CHECK:         i32 4, label
// CHECK:         i32 3, label
// CHECK:         i32 2, label
// CHECK:       }
void permute(int n, const float *x, const int *order, const int *from, const int *to,
             int rank, float *y) {
  for (int i = 0; i < n; i++) {
    int o = 0, r = i;
    for (int k = 0; k < rank; k++) {
      o += r / to[k] * from[order[k]];
      r %= to[k];
    }
    y[i] = x[o];
  }
}

// A rank that is read is read where there is a round.
// REMARK-COUNT-3: loops without quotients in subscripts
// CHECK-LABEL: define {{.*}}@shaped(
// CHECK:         load i32
// CHECK:         {{icmp eq i32 .*, 4$|i32 4, label}}
// CHECK:       }
struct shape {
  int dims[8], rank;
};
void shaped(int n, const float *x, const float *b, const struct shape *shape,
            const struct shape *steps, float *y) {
  for (int i = 0; i < n; i++) {
    int o = 0, r = i;
    for (int k = shape->rank - 1; k >= 0; k--) {
      o += r % shape->dims[k] * steps->dims[k];
      r /= shape->dims[k];
    }
    y[i] = x[i] + b[o];
  }
}
// Not where it is written.
// CHECK-LABEL: define {{.*}}@overwritten(
// CHECK-NOT:     .rank
// CHECK:       }
void overwritten(int n, const int *x, struct shape *shape, int *y) {
  for (int i = 0; i < n; i++) {
    int o = 0, r = i;
    for (int k = shape->rank - 1; k >= 0; k--) {
      o += r % shape->dims[k] * k;
      r /= shape->dims[k];
    }
    y[i] = x[o] * 3;
  }
}

// Two numbers, one that changes, and coordinates that are stored.
// CHECK-LABEL: define {{.*}}@two(
// CHECK-NOT:     .rank
// CHECK:       }
void two(int n, const float *x, const int *d, const int *s, const int *e, const int *t,
         int rank, int other, float *y) {
  for (int i = 0; i < n; i++) {
    int o = 0, p = 0, r = i;
    for (int k = 0; k < rank; k++) {
      o += r / d[k] * s[k];
      r %= d[k];
    }
    r = i;
    for (int k = 0; k < other; k++) {
      p += r / e[k] * t[k];
      r %= e[k];
    }
    y[i] = x[o] + x[p];
  }
}
// CHECK-LABEL: define {{.*}}@changes(
// CHECK-NOT:     .rank
// CHECK:       }
void changes(int n, const float *x, const int *d, const int *s, const int *ranks, float *y) {
  for (int i = 0; i < n; i++) {
    int o = 0, r = i, rank = ranks[i];
    for (int k = 0; k < rank; k++) {
      o += r / d[k] * s[k];
      r %= d[k];
    }
    y[i] = x[o];
  }
}
// CHECK-LABEL: define {{.*}}@stored(
// CHECK-NOT:     .rank
// CHECK:       }
void stored(int n, const float *x, const int *d, const int *s, int rank, float *restrict y,
            int *restrict z) {
  for (int i = 0; i < n; i++) {
    int o = 0, r = i;
    for (int k = 0; k < rank; k++) {
      o += r / d[k] * s[k];
      r %= d[k];
    }
    y[i] = x[o] * 2;
    z[i] = o;
  }
}
