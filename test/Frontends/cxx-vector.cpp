// std::vector: operator[], data(), a class around it; sizes from size().
//
// RUN: %clangxx -march=haswell -O3 -std=c++17 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// REQUIRES: native-x86

#include <cstddef>
#include <stdexcept>
#include <vector>

using Vector = std::vector<float>;

// CHECK-LABEL: define {{.*}}@_Z7indices
// CHECK:         call void @dl.matmul.nn.f32.0(
void indices(int m, int n, int k, const Vector &a, const Vector &b, Vector &c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}

// CHECK-LABEL: define {{.*}}@_Z6memory
// CHECK:         call void @dl.matmul.nn.f32.0(
void memory(std::size_t m, std::size_t n, std::size_t k, const Vector &a,
            const Vector &b, Vector &c) {
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t l = 0; l < k; ++l)
      for (std::size_t j = 0; j < n; ++j)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// CHECK-LABEL: define {{.*}}@_Z8returned
// CHECK:         call void @dl.matmul.nn.f32.0(
Vector returned(int m, int n, int k, const Vector &a, const Vector &b) {
  Vector c(static_cast<std::size_t>(m) * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
  return c;
}

// CHECK-LABEL: define {{.*}}@_Z4data
// CHECK:         call void @dl.matmul.nn.f32.0(
void data(int m, int n, int k, const Vector &a, const Vector &b, Vector &c) {
  const float *x = a.data(), *y = b.data();
  float *z = c.data();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += x[i * k + l] * y[l * n + j];
      z[i * n + j] = sum;
    }
}

// CHECK-LABEL: define {{.*}}@_Z7classes
// CHECK:         call void @dl.matmul.nn.f32.0(
struct Matrix {
  std::size_t rows, columns;
  Vector values;
  float &operator()(std::size_t i, std::size_t j) {
    return values[i * columns + j];
  }
  float operator()(std::size_t i, std::size_t j) const {
    return values[i * columns + j];
  }
};
void classes(const Matrix &a, const Matrix &b, Matrix &c) {
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.columns; ++j) {
      float sum = 0;
      for (std::size_t l = 0; l < a.columns; ++l)
        sum += a(i, l) * b(l, j);
      c(i, j) = sum;
    }
}

struct Checked {
  std::size_t Rows, Columns;
  Vector Data;
  float &at(std::size_t i, std::size_t j) {
    if (i >= Rows || j >= Columns)
      throw std::out_of_range("no such element");
    return Data[i * Columns + j];
  }
};

// An exception that is made in many steps, one of which may throw itself.
//
// CHECK-LABEL: define {{.*}}@_Z7checked
// CHECK:         call void @dl.matmul.nn.f32.0(
void checked(Checked &a, Checked &b, Checked &c) {
  for (std::size_t i = 0; i < a.Rows; ++i)
    for (std::size_t j = 0; j < b.Columns; ++j) {
      float sum = 0;
      for (std::size_t l = 0; l < a.Columns; ++l)
        sum += a.at(i, l) * b.at(l, j);
      c.at(i, j) = sum;
    }
}

// CHECK:     define internal void @dl.matmul.nn.f32.0(
// CHECK-NOT: define {{.*}}@dl.{{[a-z.0-9]*}}.1
