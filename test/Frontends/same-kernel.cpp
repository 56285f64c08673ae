// The same kernel text from C++: local arrays, accessors.
//
// RUN: %clangxx --target=x86_64-linux-gnu -O2 -fno-exceptions -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t
// DEFINE: %{form} =
// DEFINE: %{same} = FileCheck %S/Inputs/product.check --input-file=%t -DFORM=%{form}
//
// REDEFINE: %{form} = tile
// RUN: %{same}
// REDEFINE: %{form} = row
// RUN: %{same}
// REDEFINE: %{form} = lambda
// RUN: %{same}
// REDEFINE: %{form} = micro_kernel
// RUN: %{same}
// REQUIRES: native-x86

#include <array>
#include <cstddef>

#define ARGS                                                                   \
  int m, int n, int k, const float *__restrict a, const float *__restrict b,  \
      float *__restrict c

extern "C" void tile(ARGS) {
  for (int i = 0; i < m; i += 4)
    for (int j = 0; j < n; j += 4) {
      std::array<std::array<float, 4>, 4> s{};
      for (int l = 0; l < k; l++)
        for (int x = 0; x < 4; x++)
          for (int y = 0; y < 4; y++)
            s[x][y] += a[(i + x) * k + l] * b[l * n + j + y];
      for (int x = 0; x < 4; x++)
        for (int y = 0; y < 4; y++)
          c[(i + x) * n + j + y] = s[x][y];
    }
}

extern "C" void row(ARGS) {
  std::array<float, 1024> s;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++)
      s[j] = 0;
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j++)
        s[j] += a[i * k + l] * b[l * n + j];
    for (int j = 0; j < n; j++)
      c[i * n + j] = s[j];
  }
}

extern "C" void lambda(ARGS) {
  auto at = [](auto *p, int rows, int i, int j) -> auto & {
    return p[i * rows + j];
  };
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += at(a, k, i, l) * at(b, n, l, j);
      at(c, n, i, j) = s;
    }
}

template <int Rows, int Columns>
static void multiply(const float *a, const float *b, float *c, int n, int k) {
  float s[Rows][Columns] = {};
  for (int l = 0; l < k; l++)
    for (int x = 0; x < Rows; x++)
      for (int y = 0; y < Columns; y++)
        s[x][y] += a[x * k + l] * b[l * n + y];
  for (int x = 0; x < Rows; x++)
    for (int y = 0; y < Columns; y++)
      c[x * n + y] = s[x][y];
}

extern "C" void micro_kernel(ARGS) {
  for (int i = 0; i < m; i += 4)
    for (int j = 0; j < n; j += 8)
      multiply<4, 8>(a + i * k, b + j, c + i * n + j, n, k);
}
