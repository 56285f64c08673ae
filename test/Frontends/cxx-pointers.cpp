// Raw pointers in C++: references, templates, lambdas, namespaces, inline helpers.
//
// RUN: %clangxx --target=x86_64-linux-gnu -march=haswell -O3 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

using size_t = decltype(sizeof 0);

// CHECK-LABEL: define {{.*}}@_Z5plain
// CHECK:         call void @dl.matmul.nn.f32.0(
void plain(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      auto sum = 0.0f;
      for (int l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}

// The extents are loaded in the loops: floats cannot change them.
//
// CHECK-LABEL: define {{.*}}@_Z10references
// CHECK:         call void @dl.matmul.nn.f32.0(
void references(const int &m, const int &n, const int &k,
                const float *const &a, const float *const &b, float *const &c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}

// CHECK-LABEL: define {{.*}}@_Z7helpers
// CHECK:         call void @dl.matmul.nn.f32.0(
static inline size_t at(size_t row, size_t column, size_t width) {
  return row * width + column;
}
void helpers(size_t m, size_t n, size_t k, const float *a, const float *b,
             float *c) {
  for (size_t i = 0; i < m; ++i)
    for (size_t l = 0; l < k; ++l)
      for (size_t j = 0; j < n; ++j)
        c[at(i, j, n)] += a[at(i, l, k)] * b[at(l, j, n)];
}

// CHECK-LABEL: define {{.*}}@_Z6lambda
// CHECK:         call void @dl.matmul.nn.f32.0(
void lambda(int m, int n, int k, const float *a, const float *b, float *c) {
  auto dot = [&](int i, int j) {
    float sum = 0;
    for (int l = 0; l < k; ++l)
      sum += a[i * k + l] * b[l * n + j];
    return sum;
  };
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      c[i * n + j] = dot(i, j);
}

// CHECK-LABEL: define {{.*}}@_Z12instantiated
// CHECK:         call void @dl.matmul.nn.f32.0(
template <typename T, typename I>
static void product(I m, I n, I k, const T *a, const T *b, T *c) {
  for (I i = 0; i < m; ++i)
    for (I j = 0; j < n; ++j) {
      T sum{};
      for (I l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}
// Only the template's instances hold the loops.
void instantiated(int m, int n, int k, const float *a, const float *b, float *c) {
  product<float, int>(m, n, k, a, b, c);
}

// CHECK-LABEL: define {{.*}}@_Z5fixed
// CHECK:         call void @dl.matmul.nn.f32.0(
void fixed(const float (&a)[64][48], const float (&b)[48][80],
           float (&c)[64][80]) {
  for (auto i = 0; i != 64; ++i)
    for (auto j = 0; j != 80; ++j) {
      c[i][j] = 0;
      for (auto l = 0; l != 48; ++l)
        c[i][j] += a[i][l] * b[l][j];
    }
}

// CHECK:     define internal void @dl.matmul.nn.f32.0(
// CHECK-NOT: define {{.*}}@dl.{{[a-z.0-9]*}}.1
