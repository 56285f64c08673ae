// Members of objects are not errno, which functions may set; other integers may
// be, which is tested in front.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes=dl-vectorize -pass-remarks=dl-vectorize -pass-remarks-missed=dl- 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
// RUN: %emit --target=x86_64-linux-gnu -fno-strict-aliasing %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes=dl-vectorize -pass-remarks=dl-vectorize -pass-remarks-missed=dl- 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=ANY
float expf(float);
struct layer {
  int in, out;
  float *w, *b, *y;
};

// CHECK-DAG: matvec f32, {{.*}}: exact, loops apart from products
// CHECK-DAG: matvec f32, {{.*}}: exact, tile
// ANY-LABEL: define {{.*}}@dense(
// ANY: call ptr @__errno_location
void dense(struct layer *l, const float *x) {
  for (int o = 0; o < l->out; o++) {
    float s = l->b[o];
    for (int i = 0; i < l->in; i++)
      s += l->w[o * l->in + i] * x[i];
    l->y[o] = 1 / (1 + expf(-s));
  }
}

// CHECK-DAG: matvec f32, %p x %p: exact, loops apart from products
// IR-LABEL: define {{.*}}@counted(
// IR: call ptr @__errno_location
// ANY-LABEL: define {{.*}}@counted(
// ANY: call ptr @__errno_location
void counted(const int *n, const float *w, const float *x, float *y) {
  for (int o = 0; o < *n; o++) {
    float s = 0;
    for (int i = 0; i < *n; i++)
      s += w[o * *n + i] * x[i];
    y[o] = 1 / (1 + expf(-s));
  }
}
