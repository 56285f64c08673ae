// Rows that are containers of their own: checked by at(), as long as each says, and
// in loops over what size() says.
//
// RUN: %clangxx -march=haswell -O3 -std=c++20 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// REQUIRES: native-x86

#include <cstddef>
#include <vector>

using Rows = std::vector<std::vector<float>>;

// CHECK-LABEL: define {{.*}}@_Z7checked
// CHECK:         @dl.even.rows(
// CHECK:         call void @dl.matmul.nn.f32.
void checked(int m, int n, int k, const Rows &a, const Rows &b, Rows &c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a.at(i).at(l) * b.at(l).at(j);
      c.at(i).at(j) = sum;
    }
}

// CHECK-LABEL: define {{.*}}@_Z5sizes
// CHECK:         @dl.even.rows(
// CHECK:         call void @dl.matmul.nn.f32.
void sizes(const Rows &a, const Rows &b, Rows &c) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t l = 0; l < b.size(); ++l)
      for (std::size_t j = 0; j < b[l].size(); ++j)
        c[i][j] += a[i][l] * b[l][j];
}

// Loops that each end where the row of this round does.
//
// CHECK-LABEL: define {{.*}}@_Z10each_round
// CHECK:         @dl.even.rows(
// CHECK:         call void @dl.matmul.nn.f32.
void each_round(const Rows &a, const Rows &b, Rows &c) {
  for (std::size_t i = 0; auto &row : c) {
    for (std::size_t j = 0; auto &out : row) {
      float sum = 0;
      for (std::size_t l = 0; l < a[i].size(); ++l)
        sum += a[i][l] * b[l][j];
      out = sum;
      ++j;
    }
    ++i;
  }
}

// Where the nest is left by what is in a row, nobody knows which rows are read.
//
// CHECK-LABEL: define {{.*}}@_Z7by_data
// CHECK-NOT:     call void @dl.matmul.nn
// CHECK:       {{^}}}
bool by_data(int m, int n, int k, const Rows &a, const Rows &b, Rows &c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) {
        if (a[i][l] < 0)
          return false;
        sum += a[i][l] * b[l][j];
      }
      c[i][j] = sum;
    }
  return true;
}

// A triangle: its rows are tested against an index.
//
// CHECK-LABEL: define {{.*}}@_Z8triangle
// CHECK-NOT:     call void @dl.matmul.nn
// CHECK:       {{^}}}
bool triangle(int m, int n, const Rows &a, const Rows &b, Rows &c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l <= i; ++l) {
        if (b[l].size() <= std::size_t(i) + j)
          return false;
        sum += a[i][l] * b[l][i + j];
      }
      c[i][j] = sum;
    }
  return true;
}
