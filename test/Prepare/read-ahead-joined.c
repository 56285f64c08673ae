// A function that calls others for the stages of what may be one pass, with their bodies:
// what these read of structs is read in front, too, in a loop around them.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -pass-remarks=dl-vectorize -S %t.ll -o /dev/null 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target

typedef struct {
  signed char *q;
} Tensor;

static void product(int *out, const Tensor *x, const Tensor *w, int n, int d) {
  for (int i = 0; i < d; i++) {
    int s = 0;
    for (int k = 0; k < n; k++)
      s += x->q[k] * w->q[i * n + k];
    out[i] = s;
  }
}
static void add(float *x, const float *y, int n) {
  for (int i = 0; i < n; i++)
    x[i] += y[i];
}
static void scale(float *x, float by, int n) {
  for (int i = 0; i < n; i++)
    x[i] *= by;
}

// CHECK: by the script rows
void layers(int m, int n, int *out, const Tensor *x, const Tensor *w, float *y,
            const float *z) {
  for (int l = 0; l < m; l++) {
    product(out, x, w + l, n, n);
    add(y, z, n);
    scale(y, 0.5f, n);
  }
}
