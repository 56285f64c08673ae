// Loops over a few dimensions that compute where an element is are unrolled, and arrays of
// coordinates are numbers.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>' -verify-each -S %t.ll | FileCheck %s
// RUN: %opt -passes=dl-vectorize -verify-each -pass-remarks=dl-vectorize -S %t.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REQUIRES: x86-registered-target

// REMARK: loops without quotients in subscripts, kernel number 1
// CHECK-LABEL: define {{.*}}@places(
// CHECK-NOT:     alloca
// CHECK-COUNT-4: srem
// CHECK:       }
void places(float *y, const float *x, const int *d, const int *s, int n) {
  for (int i = 0; i < n; i++) {
    int c[4], r = i, o = 0;
    for (int k = 3; k >= 0; k--) {
      c[k] = r % d[k];
      r /= d[k];
    }
    for (int k = 0; k < 4; k++)
      o += c[k] * s[k];
    y[i] = x[o];
  }
}

// As classes have them.
// REMARK: loops without quotients in subscripts, kernel number 2
// CHECK-LABEL: define {{.*}}@wrapped(
// CHECK-NOT:     alloca
// CHECK-COUNT-3: srem
// CHECK:       }
struct places {
  int at[3];
};
void wrapped(float *y, const float *x, const struct places *d, const struct places *s, int n) {
  for (int i = 0; i < n; i++) {
    struct places c;
    int r = i, o = 0;
    for (int k = 2; k >= 0; k--) {
      c.at[k] = r % d->at[k];
      r /= d->at[k];
    }
    for (int k = 0; k < 3; k++)
      o += c.at[k] * s->at[k];
    y[i] = x[o];
  }
}

// One that is left early.
// REMARK: loops without quotients in subscripts, kernel number 3
// CHECK-LABEL: define {{.*}}@counted(
// CHECK-NOT:     alloca
// CHECK:       }
void counted(float *y, const float *x, int n, int rows, int cols, int s0, int s1) {
  int c[2] = {0, 0}, d[2] = {rows, cols};
  for (int i = 0; i < n; i++) {
    y[i] = x[c[0] * s0 + c[1] * s1];
    for (int k = 1; k >= 0; k--) {
      if (++c[k] < d[k])
        break;
      c[k] = 0;
    }
  }
}

// An element at an index that is read is any of them.
// CHECK-LABEL: define {{.*}}@dropped(
// CHECK-NOT:     alloca
// CHECK:         [[AXIS:%.*]] = load i64, ptr %axis
// CHECK-NEXT:    [[IS:%.*]] = icmp eq i64 [[AXIS]], 0
// CHECK-NEXT:    select i1 [[IS]], i64 0,
// CHECK:       }
void dropped(float *y, const float *x, int m, int n, const long *axis) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      long c[] = {i, j};
      c[*axis] = 0;
      y[c[0] * n + c[1]] += x[i * n + j];
    }
}

// Loops over values are axes: sums in an array, what is divided and stored, many
// dimensions, a coordinate that is stored.
// CHECK-LABEL: define {{.*}}@tile(
// CHECK:         alloca [4 x i32]
// CHECK:       }
void tile(int *restrict y, const int *restrict a, const int *restrict b, int m, int n) {
  for (int i = 0; i < m; i++) {
    int s[4] = {0, 0, 0, 0};
    for (int k = 0; k < n; k++)
      for (int j = 0; j < 4; j++)
        s[j] += a[i * n + k] * b[k * 4 + j];
    for (int j = 0; j < 4; j++)
      y[i * 4 + j] = s[j];
  }
}
// CHECK-LABEL: define {{.*}}@means(
// CHECK-COUNT-1: sdiv
// CHECK-NOT:     sdiv
// CHECK:       }
void means(int *restrict y, const int *restrict x, const int *restrict w, int n) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < 4; k++)
      s += x[i * 4 + k] / w[k];
    y[i] = s;
  }
}
// CHECK-LABEL: define {{.*}}@many(
// CHECK:         alloca [12 x i32]
// CHECK:       }
void many(float *y, const float *x, const int *d, const int *s, int n) {
  for (int i = 0; i < n; i++) {
    int c[12], r = i, o = 0;
    for (int k = 11; k >= 0; k--) {
      c[k] = r % d[k];
      r /= d[k];
    }
    for (int k = 0; k < 12; k++)
      o += c[k] * s[k];
    y[i] = x[o];
  }
}
// CHECK-LABEL: define {{.*}}@stored(
// CHECK:         alloca [4 x i32]
// CHECK:       }
void stored(float *restrict y, int *restrict z, const float *restrict x, const int *d, int n) {
  for (int i = 0; i < n; i++) {
    int c[4], r = i;
    for (int k = 3; k >= 0; k--) {
      c[k] = r % d[k];
      r /= d[k];
    }
    y[i] = x[c[0]];
    z[i] = c[1];
  }
}
