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
// CHECK-DAG: {{(remark: )?[^ ]*}}own.h:6:{{.*}}left alone: a call that may have side effects: 'log::write'
// CHECK-DAG: {{(remark: )?}}main.cpp:7:{{.*}}left alone: a call that may have side effects: 'log::write'
// CHECK-DAG: {{(remark: )?}}main.cpp:11:{{.*}}left alone: a call that may have side effects: through a pointer
// FILE: usr/include/system.h
// SUMMARY-DAG: main.cpp: 0 loops transformed, 0 as fast already, 2 missed (lines 7 and 11)
// SUMMARY-DAG: own.h: 0 loops transformed, 0 as fast already, 1 missed (line 6)
//
// What is inlined from there still is the system's, but for a kernel that has a name, and what
// calls something that users wrote.
// RUN: %clangxx -O1 -g -I %t/usr/include -I %t/own -S -emit-llvm main.cpp -o main.ll
// RUN: %opt -passes='dl<O2>' -pass-remarks-missed=dl- -pass-remarks-output=main.yaml -disable-output main.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,INLINED --implicit-check-not=remark:
// RUN: grep -c OfSystem main.yaml | FileCheck %s --check-prefix=SILENT
// RUN: env DLOPT_OPTIONS=summary %opt -passes='dl<O2>' -disable-output main.ll 2>&1 | FileCheck %s --check-prefix=LINES
// INLINED-DAG: remark: main.cpp:16:{{.*}} left alone: a call that may have side effects: 'log::write' (in 'operator()'
// INLINED-DAG: remark: main.cpp:17:{{.*}} sum f32, {{.*}}: left alone: {{.*}} (in 'total'
// SILENT: {{^}}3{{$}}
// LINES-DAG: main.cpp: {{.*}}, 4 missed (lines 7, 11, 16 and 17)

//--- usr/include/system.h
namespace log { void write(float) noexcept; }
namespace system_ {
__attribute__((noinline)) static void visit(const float *x, int n) {
  // Here.
  for (int i = 0; i < n; ++i)
    log::write(x[i]);
}
__attribute__((always_inline)) static inline void each(const float *x, int n) {
  for (int i = 0; i < n; ++i)
    log::write(x[i]);
}
__attribute__((always_inline)) static inline void follow(float *x, int n) {
  for (int i = 1; i < n; ++i)
    x[i] = x[i - 1] * x[i];
}
template <class Of>
__attribute__((always_inline)) static inline void each_of(const float *x, int n, Of of) {
  for (int i = 0; i < n; ++i)
    of(x[i]);
}
__attribute__((always_inline)) static inline float total(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
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
float inline_(float *x, int n) {
  system_::each(x, n);
  system_::follow(x, n);
  system_::each_of(x, n, [](float v) { log::write(v * 3); });
  return system_::total(x, n);
}
