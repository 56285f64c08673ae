// A loop that ends where its elements say so is no kernel, but what is inside of
// it may be, and what is called there.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

// CHECK: define {{.*}}@iterate({{.*}} #[[LIGHT:[0-9]+]]
void iterate(long n, float limit, const float *restrict a, float *restrict x,
             float *restrict y) {
  float change = 1;
  while (change > limit) {
    for (long i = 0; i < n; i++) {
      float s = 0;
      for (long j = 0; j < n; j++)
        s += a[i * n + j] * x[j];
      y[i] = s;
    }
    change = y[0] - x[0];
    for (long i = 0; i < n; i++)
      x[i] = y[i];
  }
}

static void step(long n, const float *restrict a, const float *restrict x,
                 float *restrict y) {
  for (long i = 0; i < n; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j] * x[j];
    y[i] = s;
  }
}

// CHECK: define {{.*}}@called({{.*}} #[[LIGHT]]
void called(long n, float limit, const float *restrict a, float *restrict x,
            float *restrict y) {
  do
    step(n, a, x, y);
  while (y[0] > limit);
}

// Tests of what does not change are tests in front of the loop.
// CHECK: define {{.*}}@given({{.*}} #[[LIGHT]]
void given(long n, const float *x, float *restrict y) {
  for (long i = 0; i < n; i++) {
    if (!x)
      return;
    float s = 0;
    for (long j = 0; j < n; j++)
      s += x[i * n + j];
    y[i] = s;
  }
}
// CHECK: define {{.*}}@given_inside({{.*}} #[[LIGHT]]
void given_inside(long n, const float *x, float *restrict y) {
  for (long i = 0; i < n; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      if (!x)
        return;
      s += x[i * n + j];
    }
    y[i] = s;
  }
}
// CHECK: define {{.*}}@limited({{.*}} #[[LIGHT]]
void limited(long n, float limit, const float *x, float *restrict y) {
  for (long i = 0; i < n && limit > 0; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      if (limit < 1)
        return;
      s += x[i * n + j];
    }
    y[i] = s;
  }
}

// CHECK: define {{.*}}@find({{.*}} #[[PLAIN:[0-9]+]]
long find(long n, float limit, const float *x) {
  long i = 0;
  while (i < n && x[i] > limit)
    i++;
  return i;
}

struct list {
  struct list *next;
  float value;
};

// CHECK: define {{.*}}@follow({{.*}} #[[PLAIN]]
float follow(const struct list *l, const float *x) {
  float s = 0;
  for (long i = 0; l; l = l->next, i++)
    s += l->value * x[i];
  return s;
}

// CHECK: attributes #[[LIGHT]] = {{.*}}"dl-light"
// CHECK-NOT: "dl-light"
