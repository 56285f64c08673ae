// Nobody can change loops in headers of the system: nothing is said of those that stay as
// they are, but in files of remarks. What is called has its name of the source.
// TEETH: dl-prepare
//
// RUN: rm -rf %t && split-file %s %t && cd %t/work
// RUN: %clangxx_dl -O2 -g -I %t/usr/include -I %t/own -Rpass-missed=dl- -fsave-optimization-record -c main.cpp 2> %t.txt
// RUN: FileCheck %s --implicit-check-not=remark: < %t.txt
// RUN: FileCheck %s --check-prefix=FILE < main.opt.yaml
// RUN: env DLOPT_OPTIONS=summary %clangxx_dl -O2 -g -I %t/usr/include -I %t/own -c main.cpp 2>&1 | FileCheck %s --check-prefix=SUMMARY --implicit-check-not=usr/include
//
// CHECK-DAG: own.h:6:{{.*}} remark: {{.*}}left alone: a call that may have side effects: 'log::write'
// CHECK-DAG: main.cpp:7:{{.*}} remark: {{.*}}left alone: a call that may have side effects: 'log::write'
// CHECK-DAG: main.cpp:11:{{.*}} remark: {{.*}}left alone: a call that may have side effects: through a pointer
// FILE: usr/include/system.h
// SUMMARY-DAG: main.cpp: 0 loops transformed, 0 as fast already, 2 missed (lines 7 and 11)
// SUMMARY-DAG: own.h: 0 loops transformed, 0 as fast already, 1 missed (line 6)

//--- usr/include/system.h
namespace log { void write(float) noexcept; }
namespace system_ {
__attribute__((noinline)) static void visit(const float *x, int n) {
  // Here.
  for (int i = 0; i < n; ++i)
    log::write(x[i]);
}
}
//--- own/own.h
namespace own {
template <class T>
__attribute__((noinline)) void visit(const T *x, int n) {
  // Here.
  for (int i = 0; i < n; ++i)
    log::write(x[i] * 2);
}
}
//--- work/main.cpp
#include "system.h"
#include "own.h"
void visit(const float *x, int n) {
  own::visit(x, n);
  system_::visit(x, n);
  for (int i = 0; i < n; ++i)
    log::write(x[i] + 1);
}
void call(void (*f)(float) noexcept, const float *x, int n) {
  for (int i = 0; i < n; ++i)
    f(x[i]);
}
