// Pointers that loops read under conditions are read in front of them, under the same
// conditions: where the first rounds read them.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<all>,verify,print<dl-kernels>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %opt -passes='dl-prepare<loops>,verify' -S %t.ll | FileCheck %s --check-prefix=IR
// REQUIRES: x86-registered-target
struct tensor {
  int n;
  float *data;
};
struct layer {
  struct tensor *weight, *bias;
  int in, out, from, has;
};

// CHECK: kernel 0 @linear matvec f32
// CHECK: sum = fadd(sum, %buf[i]) if
// CHECK: kernel 0 @flagged map f32
// The loop has a round, and there is a bias.
// IR-LABEL: define {{.*}} @linear(
// IR: br i1 {{.*}}, label %[[FIRST:.*]], label %[[FRONT:.*]]{{$}}
// IR: [[FIRST]]:
// IR: br i1 {{.*}}, label %[[FRONT]], label %[[READ:.*]]{{$}}
// IR: [[READ]]:
// IR: load ptr
// IR: br label %[[FRONT]]
// IR: [[FRONT]]:
// IR: phi ptr [ {{.*}}, %[[READ]] ], [ null,
void linear(struct layer *l, const float *x, float *y) {
  for (int i = 0; i < l->out; i++) {
    float sum = 0;
    for (int k = 0; k < l->in; k++)
      sum += l->weight->data[i * l->in + k] * x[k];
    if (l->bias)
      sum += l->bias->data[i];
    y[i] = sum;
  }
}

// IR-LABEL: define {{.*}} @flagged(
// IR: phi ptr [ {{.*}} ], [ null,
void flagged(struct layer *l, const float *x, float *y) {
  for (int i = 0; i < l->out; i++)
    for (int k = 0; k < l->in; k++) {
      y[i * l->in + k] = 2 * x[k];
      if (l->has)
        y[i * l->in + k] += l->bias->data[i];
    }
}

// The first round has none of the inner loop's rounds: in front of that alone.
// CHECK: kernel 0 @triangle
// CHECK: par i[%i.0]
// IR-LABEL: define {{.*}} @triangle(
// IR: phi i32 [ 0,
// IR: phi ptr [ {{.*}} ], [ null,
void triangle(struct layer *l, const float *x, float *y) {
  for (int i = 0; i < l->out; i++)
    for (int k = 0; k < i; k++)
      if (l->has)
        y[i * l->in + k] = l->bias->data[k] * x[i];
}

// The first round may have no bias; the one in the middle is asked (middle-rounds.c).
// CHECK: kernel 0 @later map f32
// IR-LABEL: define {{.*}} @later(
// IR-NOT: null
void later(struct layer *l, const float *x, float *y) {
  for (int i = 0; i < l->out; i++)
    if (i >= l->from)
      y[i] = l->bias->data[i] * x[i];
}

// The loop may set the pointer.
// IR-LABEL: define {{.*}} @moved(
// IR-NOT: null
void moved(struct layer *l, const float *x, struct tensor **y) {
  for (int i = 0; i < l->out; i++)
    if (l->has)
      y[i] = l->bias + (int)x[i];
}

// A round may not come to its end.
void stop(void);
// IR-LABEL: define {{.*}} @called(
// IR-NOT: null
void called(struct layer *l, const float *x, float *y) {
  for (int i = 0; i < l->out; i++) {
    stop();
    if (l->has)
      y[i] = l->bias->data[i] * x[i];
  }
}

// Either condition leads there, and neither has to: there may be no bias.
// IR-LABEL: define {{.*}} @either(
// IR-NOT: null
void either(struct layer *l, const float *x, float *y, const int *go) {
  for (int i = 0; i < l->out; i++)
    if (l->has || *go)
      y[i] = l->bias->data[i] * x[i];
}

// What both sides lead to is no question.
// IR-LABEL: define {{.*}} @beside(
// IR: phi ptr [ {{.*}} ], [ null,
void beside(struct layer *l, const float *x, float *y) {
  for (int i = 0; i < l->out; i++) {
    if (x[i] > 0)
      y[i] = 0;
    if (l->has)
      y[i] += l->bias->data[i] * x[i];
  }
}

// It may wait for ever.
// IR-LABEL: define {{.*}} @waiting(
// IR-NOT: null
void waiting(struct layer *l, const float *x, float *y, volatile int *go) {
  for (int i = 0; i < l->out; i++) {
    while (!*go)
      ;
    if (l->has)
      y[i] = l->bias->data[i] * x[i];
  }
}

// So may what is no loop.
// IR-LABEL: define {{.*}} @tangled(
// IR-NOT: null
void tangled(struct layer *l, const float *x, float *y, const int *go) {
  for (int i = 0; i < l->out; i++) {
    if (l->from)
      goto second;
  first:
    if (go[0])
      goto done;
  second:
    if (!go[1])
      goto first;
  done:
    if (l->has)
      y[i] = l->bias->data[i] * x[i];
  }
}
// IR: attributes
