// A line for each source file: what became of its loops.
//
// REQUIRES: x86-registered-target
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// DEFINE: %{cc} = %clang_dl --target=x86_64-linux-gnu -mavx2 -mfma -O3
// RUN: env DLOPT_OPTIONS=summary %{cc} -g -c all.c -o all.o 2>&1 | FileCheck %s --check-prefix=LINES --implicit-check-not=loop
// LINES: {{^}}all.c: 4 loops transformed, 1 as fast already, 3 missed (lines 30, 36 and 43){{$}}
// LINES: {{^}}./rows.h: 1 loop transformed, 0 as fast already, 1 missed (line 10){{$}}
//
// RUN: %{cc} -Rpass-analysis=dl-summary -c all.c -o all.o 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: ./rows.h: 1 loop transformed, 0 as fast already, 1 missed (line 10) [-Rpass-analysis=dl-summary]
// REMARK-DAG: remark: all.c: 4 loops transformed, 1 as fast already, 3 missed (lines 30, 36 and 43) [-Rpass-analysis=dl-summary]
//
// Without places nobody knows what is said of one loop: functions count, by the best.
// RUN: %{cc} -mllvm -dl-summary -c all.c -o all.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: {{^}}all.c: 3 functions transformed, 0 as fast already, 4 missed (add_up, add_up_too, rows_of and find); -gline-tables-only counts loops and names lines{{$}}
//
// RUN: env DLOPT_OPTIONS=summary %{cc} -c none.c -o none.o 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: {{^}}none.c: 0 loops transformed, 0 as fast already, 0 missed{{$}}
// RUN: env DLOPT_OPTIONS=summary %clang_dl -O0 -c none.c -o none.o 2>&1 | FileCheck %s --check-prefix=O0
// RUN: env DLOPT_OPTIONS=summary %clang_dl -Oz -c none.c -o none.o 2>&1 | FileCheck %s --check-prefix=OZ
// RUN: env DLOPT_OPTIONS='summary;enable=0' %clang_dl -O0 -c none.c -o none.o 2>&1 | count 0
// O0: {{^}}none.c: no loop is looked at at -O0, as kernels take more code: -O1, -O2 or -O3 does{{$}}
// OZ: {{^}}none.c: no loop is looked at at -Oz, as
// Nor has a header whose loops are all around kernels.
// RUN: env DLOPT_OPTIONS=summary %{cc} -g -c around.c -o around.o 2>&1 | FileCheck %s --check-prefix=AROUND --implicit-check-not=around.h
// AROUND: {{^}}around.c: 1 loop transformed, 0 as fast already, 0 missed{{$}}
// RUN: %{cc} -c all.c -o all.o 2>&1 | count 0
//
// Nobody who is not asked says anything, and none of it is in the object.
// RUN: cp all.o before.o
// RUN: env DLOPT_OPTIONS=summary %{cc} -c all.c -o all.o
// RUN: cmp all.o before.o

//--- none.c
int none(int x) { return x; }

//--- around.h
  while (more())
    inner(n, x, y);
//--- around.c
int more(void);
static void inner(int n, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      y[i * n + j] = 2 * x[j * n + i];
}
void outer(int n, const float *restrict x, float *restrict y) {
#include "around.h"
}

//--- rows.h
static inline void twice(int n, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      y[i * n + j] = 2 * x[j * n + i];
}

static float rows_of(int n, const float *x) {
  float s = 0;
  // Missed.
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}

//--- all.c
#include "rows.h"
int send(float);

// One kernel, and one as fast already.
void layer(int m, int n, int k, const float *restrict a, const float *restrict b, float *restrict c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int p = 0; p < k; ++p)
        s += a[i * k + p] * b[p * n + j];
      c[i * n + j] = s;
    }
  for (int i = 0; i < m * n; ++i)
    c[i] = c[i] > 0 ? c[i] : 0;
}

// Two that are joined, and what is around a kernel.
void joined(int n, const float *restrict x, float *restrict y) {
  for (int epoch = 0; send(1); ++epoch) {
    for (int i = 0; i < n; ++i)
      y[i] = 3 * x[i];
    for (int i = 0; i < n; ++i)
      y[i] = 1 / (1 + __builtin_expf(-y[i]));
    twice(n, x, y);
  }
}

float add_up(int n, const float *x) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}
float add_up_too(int n, const float *x) {
  float s = rows_of(n, x);
  for (int i = 0; i < n; ++i)
    s += x[i] * 3;
  return s;
}

// What is called inside is not known.
void find(int n, const float *x) {
  for (int i = 0; send(x[i]); ++i)
    ;
}

// Left alone by choice.
__attribute__((annotate("dl:off")))
void off(int n, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * x[i];
}
