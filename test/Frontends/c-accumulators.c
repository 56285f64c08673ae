// Sums in a local variable, in memory, and both; statements in every spelling.
//
// RUN: %clang --target=x86_64-linux-gnu -march=haswell -O3 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define ARGUMENTS                                                              \
  int m, int n, int k, const float *a, const float *b, float *c
#define UNTIL(X, END) for (int X = 0; X < END; X++)

// CHECK-LABEL: define {{.*}}@local(
// CHECK:         call void @dl.matmul.nn.f32.0(
void local(ARGUMENTS) {
  UNTIL(i, m) UNTIL(j, n) {
    float sum = 0;
    UNTIL(l, k) sum += a[i * k + l] * b[l * n + j];
    c[i * n + j] = sum;
  }
}

// CHECK-LABEL: define {{.*}}@local_columns_first(
// CHECK:         call void @dl.matmul.nn.f32.0(
void local_columns_first(ARGUMENTS) {
  UNTIL(j, n) UNTIL(i, m) {
    float sum = 0;
    UNTIL(l, k) sum += a[i * k + l] * b[l * n + j];
    c[i * n + j] = sum;
  }
}

// CHECK-LABEL: define {{.*}}@memory(
// CHECK:         call void @dl.matmul.nn.f32.0(
void memory(ARGUMENTS) {
  UNTIL(i, m) UNTIL(j, n) {
    c[i * n + j] = 0;
    UNTIL(l, k) c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// The variable is shared by all elements, as in older C.
//
// CHECK-LABEL: define {{.*}}@declared_first(
// CHECK:         call void @dl.matmul.nn.f32.0(
void declared_first(ARGUMENTS) {
  int i, j, l;
  float sum;
  for (i = 0; i < m; ++i)
    for (j = 0; j < n; ++j) {
      sum = 0.0f;
      for (l = 0; l < k; ++l)
        sum = sum + a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}

// CHECK-LABEL: define {{.*}}@factors_swapped(
// CHECK:         call void @dl.matmul.nn.f32.0(
void factors_swapped(ARGUMENTS) {
  UNTIL(i, m) UNTIL(j, n) {
    float sum = 0;
    UNTIL(l, k) sum = b[l * n + j] * a[i * k + l] + sum;
    c[i * n + j] = sum;
  }
}

// The element of A is read once, outside the innermost loop.
//
// CHECK-LABEL: define {{.*}}@element_of_a(
// CHECK:         call void @dl.matmul.nn.f32.0(
void element_of_a(ARGUMENTS) {
  UNTIL(i, m) UNTIL(l, k) {
    float x = a[i * k + l];
    UNTIL(j, n) c[i * n + j] += x * b[l * n + j];
  }
}

// Pointers to rows.
//
// CHECK-LABEL: define {{.*}}@rows(
// CHECK:         call void @dl.matmul.nn.f32.0(
void rows(ARGUMENTS) {
  UNTIL(i, m) {
    const float *row = a + i * k;
    float *out = &c[i * n];
    UNTIL(j, n) {
      float sum = 0;
      UNTIL(l, k) sum += row[l] * b[l * n + j];
      out[j] = sum;
    }
  }
}

// while and do.
//
// CHECK-LABEL: define {{.*}}@while_loops(
// CHECK:         call void @dl.matmul.nn.f32.0(
void while_loops(ARGUMENTS) {
  int i = 0;
  while (i < m) {
    int j = 0;
    while (j < n) {
      float sum = 0;
      int l = 0;
      while (l < k) {
        sum += a[i * k + l] * b[l * n + j];
        l++;
      }
      c[i * n + j] = sum;
      j++;
    }
    i++;
  }
}

// CHECK:     define internal void @dl.matmul.nn.f32.0(
// CHECK-NOT: define {{.*}}@dl.{{[a-z.0-9]*}}.1
