// A kernel in a function of a header of the system is named at the first line of users that
// calls it, directly or by another such function; one that users wrote at its own lines.
// TEETH: dl-prepare
//
// RUN: rm -rf %t && split-file %s %t && cd %t/work
// RUN: %clangxx_dl --target=x86_64-linux-gnu -O2 -g -w -I %t/usr/include -I %t/own -Rpass-analysis=dl-recognize -S -o /dev/null main.cpp 2> %t.txt
// RUN: FileCheck %s --implicit-check-not=remark: < %t.txt
// Without -g, too.
// RUN: %clangxx_dl --target=x86_64-linux-gnu -O2 -w -I %t/usr/include -I %t/own -Rpass-analysis=dl-recognize -S -o /dev/null main.cpp 2> %t.txt
// RUN: FileCheck %s --implicit-check-not=remark: < %t.txt
// REQUIRES: x86-registered-target
//
// CHECK-DAG: main.cpp:5:{{[0-9]+}}: remark: kernel: dot f32, {{.*}} (in 'product<float>', {{.*}}system.h:
// CHECK-DAG: main.cpp:11:{{[0-9]+}}: remark: kernel: fill f32, {{.*}} (in 'set_all<float>', {{.*}}system.h:
// Nobody calls it by name.
// CHECK-DAG: system.h:19:{{[0-9]+}}: remark: kernel: negate f32
// CHECK-DAG: own.h:4:{{[0-9]+}}: remark: kernel: scale f32

//--- usr/include/system.h
namespace system_ {
template <class T> T product(const T *x, const T *y, int n) {
  T s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
template <class T> void set_all(T *x, int n, T to) {
  for (int i = 0; i < n; ++i)
    x[i] = to;
}
template <class T> struct array {
  T *x;
  int n;
  void fill(T to) { set_all(x, n, to); }
};
template <class T> void negate(T *x, int n) {

  for (int i = 0; i < n; ++i)
    x[i] = -x[i];
}
}
//--- own/own.h
namespace own {
template <class T> __attribute__((noinline)) void halve(T *x, int n) {

  for (int i = 0; i < n; ++i)
    x[i] *= T(0.5);
}
}
//--- work/main.cpp
#include <own.h>
#include <system.h>
// Here.
float first(const float *x, const float *y, int n) {
  return system_::product(x, y, n);
}
float second(const float *x, const float *y, int n) {
  return system_::product(x + 1, y, n);
}
void third(system_::array<float> &x) {
  x.fill(3);
}
void fourth(float *x, int n) { own::halve(x, n); }
void (*fifth())(float *, int) { return system_::negate<float>; }
