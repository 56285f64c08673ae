// Pointers that loops read under conditions on their indices are read in front of a copy of
// the nest, where the conditions hold in the middle of the loops.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<all>,verify,print<dl-kernels>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %opt -passes='dl-prepare<all>,verify' -S %t.ll | FileCheck %s --check-prefix=IR
// REQUIRES: x86-registered-target
struct image {
  int c, h, w;
  float *data;
};

// CHECK: kernel 0 @convolution
// CHECK: sum = fmuladd({{.*}}) where
// IR-LABEL: define {{.*}} @convolution(
// Half of the rounds of each loop; the condition there; what it leads to, in front of a copy
// that reads ahead for windows.
// IR-DAG: lshr i64
// IR-DAG: br i1 {{.*}}, label %middle{{.*}}, label %{{.*}}
// IR-DAG: load ptr
// IR-DAG: br label %{{.*}}.middle
void convolution(struct image *y, const struct image *x, const float *w,
                 int size, int step, int pad) {
  for (int i = 0; i < y->h; i++)
    for (int j = 0; j < y->w; j++) {
      float sum = 0;
      for (int c = 0; c < x->c; c++)
        for (int n = 0; n < size; n++)
          for (int m = 0; m < size; m++) {
            int h = i * step + n - pad, v = j * step + m - pad;
            if (h >= 0 && h < x->h && v >= 0 && v < x->w)
              sum += x->data[(c * x->h + h) * x->w + v] *
                     w[(c * size + n) * size + m];
          }
      y->data[i * y->w + j] = sum;
    }
}

// A condition around a loop, and bounds that are 64 bits wide behind indices of 32.
// CHECK: kernel 0 @rows
// IR-LABEL: define {{.*}} @rows(
// IR: br label %{{.*}}.middle
struct wide {
  long *dims;
  float *data;
};
void rows(const struct wide *y, const struct wide *x, int pad) {
  for (int i = 0; i < y->dims[0]; i++)
    for (int j = 0; j < y->dims[1]; j++) {
      float sum = 0;
      for (int n = 0; n < 3; n++) {
        int h = i + n - pad;
        if (h < 0 || h >= x->dims[0])
          continue;
        for (int m = 0; m < 3; m++)
          sum += x->data[h * x->dims[1] + j + m];
      }
      y->data[i * y->dims[1] + j] = sum;
    }
}

// What is written may be a bound.
// CHECK: missed @counted {{.*}} NotInvariant
// IR-LABEL: define {{.*}} @counted(
// IR-NOT: .middle
struct counts {
  int n;
  int *data;
};
void counted(int *y, const struct counts *x, int n, int from) {
  for (int i = 0; i < n; i++)
    if (i >= from && i < x->n)
      y[i] = 2 * x->data[i];
}

// A round may not come to its end.
void stop(void);
// IR-LABEL: define {{.*}} @called(
// IR-NOT: .middle
void called(float *y, const struct image *x, int n, int from) {
  for (int i = 0; i < n; i++) {
    stop();
    if (i >= from)
      for (int j = 0; j < n; j++)
        y[i * n + j] = 2 * x->data[j];
  }
}

// It may wait for ever.
// IR-LABEL: define {{.*}} @waiting(
// IR-NOT: .middle
void waiting(float *y, const struct image *x, int n, int from,
             volatile int *go) {
  for (int i = 0; i < n; i++) {
    while (!*go)
      ;
    if (i >= from)
      for (int j = 0; j < n; j++)
        y[i * n + j] = 2 * x->data[j];
  }
}

// Elements of an array say where: that of the middle says nothing of its value.
// IR-LABEL: define {{.*}} @masked(
// IR-NOT: .middle
void masked(float *y, const struct image *x, const int *mask, int n) {
  for (int i = 0; i < n; i++)
    if (mask[i])
      y[i] = 2 * x->data[i];
}

// One of two conditions is one condition.
// IR-LABEL: define {{.*}} @either(
// IR: br label %{{.*}}.middle
void either(float *y, const struct image *x, int n, int from, int to) {
  for (int i = 0; i < n; i++)
    if (i >= from || i < to)
      y[i] = 2 * x->data[i];
}
