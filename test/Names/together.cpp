// Vectors, whose extents are differences of pointers.
// TEETH: dl-prepare
// RUN: %clangxx_dl --target=x86_64-linux-gnu -O2 -w -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
namespace std { float exp(float) noexcept; float sqrt(float) noexcept; }
using size_t = decltype(sizeof(0));
struct Vector {
  float *Begin, *End;
  size_t size() const { return End - Begin; }
  float &operator[](size_t I) const { return Begin[I]; }
  float *begin() const { return Begin; }
  float *end() const { return End; }
};
// CHECK-DAG: together.cpp:[[#@LINE+1]]:{{.*}} kernel: mse f32
float mse(const Vector &a, const Vector &b) { float s = 0; for (size_t i = 0; i < a.size(); i++) s += (a[i] - b[i]) * (a[i] - b[i]); return s / a.size(); }
// CHECK-DAG: together.cpp:[[#@LINE+1]]:{{.*}} kernel: relu f32
void relu(Vector &x) { for (auto &v : x) v = v > 0 ? v : 0; }
// CHECK-DAG: together.cpp:[[#@LINE+1]]:{{.*}} kernel: mean f32
float mean(const Vector &x) { float s = 0; for (size_t i = 0; i < x.size(); i++) s += x[i]; return s / x.size(); }
