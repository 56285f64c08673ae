// The same in C++.
// TEETH: dl-prepare
// RUN: %clangxx_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
using size_t = decltype(sizeof(0));
using int8_t = signed char;
using uint8_t = unsigned char;
extern "C" double exp(double), tanh(double);
template <class T> struct span {
  T *Begin, *End;
  size_t size() const { return End - Begin; }
  T &operator[](size_t I) const { return Begin[I]; }
};
template <class T> struct matrix {
  T *Data;
  size_t Rows, Columns;
  T &operator()(size_t I, size_t J) const { return Data[I * Columns + J]; }
};

// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: lookup i8
void lookup(const span<const uint8_t> &x, const span<const int8_t> &t, span<int8_t> &y) { for (size_t i = 0; i < y.size(); ++i) y[i] = t[x[i]]; }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: slice f32
void every_third(const span<const float> &x, span<float> &y) { for (size_t i = 0; i < y.size(); ++i) y[i] = x[3 * i + 1]; }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: roll f32
void roll(const span<const float> &x, span<float> &y, size_t n, size_t by) { for (size_t i = 0; i < n; ++i) y[i] = x[(i + by) % n]; }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: pad.circular f64
void wrap(const span<const double> &x, span<double> &y) { for (size_t i = 0; i < 20; ++i) y[i] = x[(i + 14) % 16]; }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: upsample.linear f64
void interpolate(const span<const double> &x, const span<const int> &at, const span<const double> &by, span<double> &y) { for (size_t i = 0; i < y.size(); ++i) { const double *p = x.Begin + at[i]; y[i] = p[0] + by[i] * (p[1] - p[0]); } }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: upsample.bilinear f64
void resize(const matrix<double> &x, const span<const int> &r, const span<const int> &c, const span<const double> &u, const span<const double> &v, matrix<double> &y) { for (size_t i = 0; i < y.Rows; ++i) for (size_t j = 0; j < y.Columns; ++j) { double upper = x(r[i], c[j]) * (1 - v[j]) + x(r[i], c[j] + 1) * v[j], lower = x(r[i] + 1, c[j]) * (1 - v[j]) + x(r[i] + 1, c[j] + 1) * v[j]; y(i, j) = upper * (1 - u[i]) + lower * u[i]; } }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: grid-sample f64
void sample(const matrix<double> &x, const span<const int> &r, const span<const int> &c, const span<const double> &u, const span<const double> &v, span<double> &y) { for (size_t i = 0; i < y.size(); ++i) { double upper = x(r[i], c[i]) + v[i] * (x(r[i], c[i] + 1) - x(r[i], c[i])), lower = x(r[i] + 1, c[i]) + v[i] * (x(r[i] + 1, c[i] + 1) - x(r[i] + 1, c[i])); y[i] = upper + u[i] * (lower - upper); } }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: max-unpool f64
void unpool(const span<const double> &x, const span<const int> &at, span<double> &y, size_t planes, size_t rows, size_t columns, size_t plane) { for (size_t k = 0; k < planes; ++k) for (size_t i = 0; i < rows; ++i) for (size_t j = 0; j < columns; ++j) { size_t e = (k * rows + i) * columns + j; y[k * plane + at[e]] = x[e]; } }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: max-pool.backward f64
void unpool_gradient(const span<const double> &x, const span<const int> &at, span<double> &y, size_t planes, size_t rows, size_t columns, size_t plane) { for (size_t k = 0; k < planes; ++k) for (size_t i = 0; i < rows; ++i) for (size_t j = 0; j < columns; ++j) { size_t e = (k * rows + i) * columns + j; y[k * plane + at[e]] += x[e]; } }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: alibi f64
void alibi(matrix<double> &x, double slope) { for (size_t i = 0; i < x.Rows; ++i) for (size_t j = 0; j < x.Columns; ++j) x(i, j) = x(i, j) + slope * (double(j) - double(i)); }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: rnn f64
void rnn(const span<const double> &x, const matrix<double> &w, const span<const double> &h, const matrix<double> &u, span<double> &y) { for (size_t i = 0; i < w.Rows; ++i) { double sum = 0; for (size_t j = 0; j < w.Columns; ++j) sum += w(i, j) * x[j]; for (size_t j = 0; j < u.Columns; ++j) sum += u(i, j) * h[j]; y[i] = tanh(sum); } }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: attention.backward f64
void attention(const matrix<double> &p, const matrix<double> &g, const matrix<double> &v, matrix<double> &s, span<double> &t) { for (size_t i = 0; i < p.Rows; ++i) { double dot = 0; for (size_t j = 0; j < p.Columns; ++j) { double sum = 0; for (size_t k = 0; k < v.Columns; ++k) sum += g(i, k) * v(j, k); t[j] = sum; dot += sum * p(i, j); } for (size_t j = 0; j < p.Columns; ++j) s(i, j) = (t[j] - dot) * p(i, j); } }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: prelu.backward f64
void prelu(const matrix<double> &x, const matrix<double> &d, const span<const double> &a, matrix<double> &y) { for (size_t i = 0; i < y.Rows; ++i) for (size_t j = 0; j < y.Columns; ++j) y(i, j) = d(i, j) * (x(i, j) > 0 ? 1 : a[j]); }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: swish.backward f64
void swish(const span<const double> &x, const span<const double> &d, span<double> &y, double b) { for (size_t i = 0; i < y.size(); ++i) { double s = 1 / (1 + exp(-b * x[i])), f = x[i] * s; y[i] = d[i] * (b * f + s * (1 - b * f)); } }
// CHECK-DAG: places.cpp:[[#@LINE+1]]:{{.*}} kernel: log-sigmoid.backward f64
void log_sigmoid(const span<const double> &x, const span<const double> &d, span<double> &y) { for (size_t i = 0; i < y.size(); ++i) y[i] = d[i] / (1 + exp(x[i])); }
