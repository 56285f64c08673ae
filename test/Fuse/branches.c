// What branches assign lives for a round of the loops that become one: dl-vectorize has
// them in lanes still.
// RUN: %clang --target=x86_64-linux-gnu -O3 -ffast-math -fno-discard-value-names -gline-tables-only -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | %opt -mattr=+avx2,+fma -passes='dl-prepare<loops>,dl-fuse,dl-vectorize,verify' -pass-remarks=dl- -disable-output 2>&1 | FileCheck %s
#include <stddef.h>
float expf(float), tanhf(float), log1pf(float);

// CHECK: branches.c:[[#@LINE+3]]:{{.*}} 1 loops joined with others
// CHECK: branches.c:[[#@LINE+2]]:{{.*}} iterations of i in
void mish(const float *x, float *y, size_t n) {
  for (size_t i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : expf(x[i]) - 1;
  for (size_t i = 0; i < n; i++)
    y[i] = y[i] * tanhf(log1pf(expf(y[i])));
}
