// Rows behind an array of pointers: a copy of the nest for rows that are equally
// far apart, if that copy is a product.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s
// RUN: %opt -passes=dl-vectorize -verify-each -pass-remarks=dl- -pass-remarks-missed=dl- -S %t.ll -o /dev/null 2>%t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-strict-aliasing -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s --check-prefix=UNTYPED
// RUN: %clang --target=aarch64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -pass-remarks=dl- -pass-remarks-missed=dl- -S %t.ll -o /dev/null 2>%t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: %clang --target=nvptx64-nvidia-cuda -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -S %t.ll | FileCheck %s --check-prefix=ANY
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target

// GPUs get no guards.
// ANY-NOT: @dl.even.rows

// REMARK: remark: {{.*}}matmul.nn f32, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@rows(
// CHECK:         br i1 {{.*}}, label %[[TEST:.*]], label %[[MAIN:.*]]
// CHECK:       [[TEST]]:
// CHECK:         call { ptr, i64, i1 } @dl.even.rows(ptr {{%.*}}, i64 8, i64
// CHECK:         [[D:%.*]] = sdiv i64 {{%.*}}, 4
// CHECK:         call { ptr, i64, i1 } @dl.even.rows(ptr {{%.*}}, i64 8, i64
// CHECK:         call { ptr, i64, i1 } @dl.even.rows(ptr {{%.*}}, i64 8, i64
// CHECK:         br i1 {{.*}}, label %{{.*}}.even, label %[[MAIN]]
// CHECK-NOT:     load ptr
// CHECK:       [[MAIN]]:
// CHECK:         load ptr
// CHECK:       }
void rows(int m, int n, int k, float **a, float **b, float **c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i][l] * b[l][j];
      c[i][j] = s;
    }
}
// Bounds and the arrays are read in the nest, where the loops around run.
struct matrix {
  long rows, columns;
  double **row;
};
// REMARK: remark: {{.*}}matmul.nn f64, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@structs(
// CHECK:         call i64 @llvm.smax
// CHECK:         br i1 {{.*}}, label %[[SECOND:rows.first[0-9]*]], label
// CHECK:       [[SECOND]]:
// CHECK:         call i64 @llvm.smax
// CHECK:         br i1 {{.*}}, label %[[THIRD:.*]], label
// CHECK:       [[THIRD]]:
// CHECK:         call i64 @llvm.smax
// CHECK:         br i1
// CHECK-COUNT-3: call { ptr, i64, i1 } @dl.even.rows(
// CHECK:       }
// Without types any store may change an address of a row: each row of C is asked
// whether it lies on one of the three tables, the first one and those behind it.
// UNTYPED-LABEL: define {{.*}}@rows(
// UNTYPED-COUNT-6:  icmp ule i64
// UNTYPED:       rows.each:
// UNTYPED:         %[[ROW:.*]] = load ptr, ptr
// UNTYPED:         ptrtoint ptr %[[ROW]] to i64
// UNTYPED-COUNT-6:  icmp ule i64
// UNTYPED:         br i1 {{.*}}, label %rows.each, label %rows.behind{{.*}}, !llvm.loop
// UNTYPED-COUNT-3: call { ptr, i64, i1 } @dl.even.rows(
void structs(const struct matrix *a, const struct matrix *b, struct matrix *c) {
  for (long i = 0; i < c->rows; i++)
    for (long j = 0; j < c->columns; j++) {
      double s = 0;
      for (long l = 0; l < b->rows; l++)
        s += a->row[i][l] * b->row[l][j];
      c->row[i][j] = s;
    }
}
// One array of an outer one for each product: the inner nest.
// REMARK: remark: {{.*}}matmul.nn f32, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@batch(
// CHECK:       for.cond:
// CHECK:         @dl.even.rows(
// CHECK:       }
void batch(int p, int m, int n, int k, float ***a, float ***b, float ***c) {
  for (int h = 0; h < p; h++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        float s = 0;
        for (int l = 0; l < k; l++)
          s += a[h][i][l] * b[h][l][j];
        c[h][i][j] = s;
      }
}

// Addresses of rows of c are written in the nest, or they come by a list, or some
// are left out: products of a row with b.
// REMARK: remark: {{.*}}vecmat f32, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@written(
// CHECK:         store ptr
// CHECK:         @dl.even.rows(
// CHECK-NOT:     @dl.even.rows(
// CHECK:       }
void written(int m, int n, int k, float **a, float **b, float **c, float *d) {
  for (int i = 0; i < m; i++) {
    c[i] = d + i * n;
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i][l] * b[l][j];
      c[i][j] = s;
    }
  }
}
// REMARK: remark: {{.*}}vecmat f32, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@permuted(
// CHECK:         @dl.even.rows(
// CHECK-NOT:     @dl.even.rows(
// CHECK:       }
void permuted(int m, int n, int k, const int *p, float **a, float **b, float **c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[p[i]][l] * b[l][j];
      c[i][j] = s;
    }
}
// REMARK: remark: {{.*}}vecmat f32, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@some(
// CHECK:         @dl.even.rows(
// CHECK-NOT:     @dl.even.rows(
// CHECK:       }
void some(int m, int n, int k, const char *wanted, float **a, float **b, float **c) {
  for (int i = 0; i < m; i++)
    if (wanted[i])
      for (int j = 0; j < n; j++) {
        float s = 0;
        for (int l = 0; l < k; l++)
          s += a[i][l] * b[l][j];
        c[i][j] = s;
      }
}
// Beside a product of other matrices, which stays one where rows are not even.
// REMARK: remark: {{.*}}matmul.nn f32, {{.*}}: exact
// REMARK: remark: {{.*}}matmul.nn f32, {{.*}}: exact
// REMARK: remark: {{.*}}matmul.nn f32, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@beside(
// CHECK:         @dl.even.rows(
// CHECK:       }
void beside(int p, int m, int n, int k, float **a, float **b, float **c, float *x,
            float *y, float *z) {
  for (int h = 0; h < p; h++) {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++)
          c[i][j] += a[i][l] * b[l][j];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++)
          z[i * n + j] += x[i * k + l] * y[l * n + j];
  }
}
// A row of b for some steps only.
// MISSED: left alone: a bound or base pointer may change inside the loops
// CHECK-LABEL: define {{.*}}@some_steps(
// CHECK-NOT:     @dl.even.rows
// CHECK:       }
void some_steps(int m, int n, int k, const char *wanted, float **a, float **b, float **c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        if (wanted[l])
          s += a[i][l] * b[l][j];
      c[i][j] = s;
    }
}
// Every second row.
// MISSED: left alone: an address that is not a polynomial in the loop indices
// CHECK-LABEL: define {{.*}}@second(
// CHECK-NOT:     @dl.even.rows
// CHECK:       }
void second(int m, int n, int k, float **a, float **b, float **c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i][l] * b[2 * l][j];
      c[i][j] = s;
    }
}
// A row that is left early.
// MISSED: left alone: the number of iterations is not known before the loop
// CHECK-LABEL: define {{.*}}@left_early(
// CHECK-NOT:     @dl.even.rows
// CHECK:       }
void left_early(int m, int n, int k, float **a, float **b, float **c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k && s < 100; l++)
        s += a[i][l] * b[l][j];
      c[i][j] = s;
    }
}
// CHECK-LABEL: define internal { ptr, i64, i1 } @dl.even.rows(ptr %table, i64 %step, i64 %count)
