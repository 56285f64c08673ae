// Arrays that hold a row at a time become rows of the result, where sums of several rows
// can run at once then.
// RUN: %emit -gline-tables-only %s | %opt -passes='dl-fuse,verify,print<dl-kernels>' -pass-remarks=dl-fuse -disable-output 2>&1 | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu -gline-tables-only %s | %opt -passes='dl-fuse,verify,print<dl-kernels>' -pass-remarks=dl-fuse -disable-output 2>&1 | FileCheck %s
// What stays apart stays as it was.
// RUN: %emit -DREFUSED %s | %opt -passes='dl-prepare<all>,dl-fuse<prepared>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s --check-prefix=REFUSED
void *malloc(unsigned long);
void free(void *);
void use(float *);

#ifndef REFUSED
// CHECK: row-buffers.c:[[#@LINE+6]]:{{.*}} reduce f32, %m x %n x %n: rows kept in those of the result
// CHECK: @on_stack {{.*}}reduce f32
// CHECK: buffers %x:f32(%n,1) %y:f32(%n,1){{$}}
// CHECK: par i[%m]
void on_stack(long m, long n, float *y, const float *x) {
  float t[1000];
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      t[j] = x[i * n + j] * 2;
      s += t[j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] = t[j] - s;
  }
}
// CHECK: @on_heap
// CHECK: buffers %x:f32(%n,1) %y:f32(%n,1){{$}}
void on_heap(long m, long n, float *y, const float *x) {
  float *t = malloc(n * sizeof(float));
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      t[j] = x[i * n + j] * 2;
      s += t[j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] = t[j] - s;
  }
  free(t);
}
#else
// REFUSED-LABEL: @left
// REFUSED: %t[j] =
void left(long m, long n, float *y, const float *x) {
  float t[1000] = {0};
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      s += t[j];
      t[j] = x[i * n + j] * 2;
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] = t[j] - s;
  }
}
// REFUSED-LABEL: @used
// REFUSED: %t[j] =
void used(long m, long n, float *y, const float *x) {
  float t[1000];
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      t[j] = x[i * n + j] * 2;
      s += t[j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] = t[j] - s;
  }
  use(t);
}
// REFUSED-LABEL: @in_place
// REFUSED: %t[j] =
void in_place(long m, long n, float *y) {
  float t[1000];
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      t[j] = y[i * n + j] * 2;
      s += t[j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] += t[j] - s;
  }
}
// REFUSED-LABEL: @shorter
// REFUSED: %t[j] =
void shorter(long m, long n, float *y, const float *x) {
  float t[1000];
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      t[j] = x[i * n + j] * 2;
      s += t[j];
    }
    for (long j = 0; j < n - 1; j++)
      y[i * n + j] = t[j] - s;
  }
}
// Nothing to gain: lanes may share the sum.
// REFUSED-LABEL: @no_chain
// REFUSED: %t[j] =
void no_chain(long m, long n, float *y, const float *x) {
  float t[1000];
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
#pragma clang fp reassociate(on)
      t[j] = x[i * n + j] * 2;
      s += t[j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] = t[j] - s;
  }
}
#endif
