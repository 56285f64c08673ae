// Captures of a parallel region are read once where nothing in it synchronizes.
//
// RUN: env DLOPT_OPTIONS=disable=dl-vectorize %clang_dl -O2 -fopenmp -S -emit-llvm %s -o - \
// RUN:   -Rpass=dl-noalias -Rpass-missed=dl-noalias 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// CHECK-LABEL: define internal void @reference.omp_outlined(
// CHECK: !dl.guard
// REMARK: openmp.c:[[@LINE+2]]:{{.*}} loops that read {{[1-9]}} bounds and pointers once
void reference(signed char *y, signed char *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] += x[i];
}

// The distance is a capture that is read in each iteration.
// CHECK-LABEL: define internal void @stride.omp_outlined(
// CHECK: !dl.guard
// REMARK: openmp.c:[[@LINE+2]]:{{.*}} loops that read {{[1-9]}} bounds and pointers once
void stride(signed char *y, signed char *x, long n, long s) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i * s] = x[i];
}

// CHECK-LABEL: define internal void @critical.omp_outlined(
// CHECK-NOT: !dl.guard
// REMARK: left alone: a convergent operation (barrier): '__kmpc_critical'
void critical(signed char *y, signed char *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
#pragma omp critical
    y[i] += x[i];
  }
}

// CHECK-LABEL: define internal void @atomic.omp_outlined(
// CHECK-NOT: !dl.guard
// REMARK: left alone: an atomic access or a fence
void atomic(int *y, signed char *x, signed char *z, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    x[i] = z[i];
#pragma omp atomic
    y[0] += 1;
  }
}

// CHECK-LABEL: define internal void @flush.omp_outlined(
// CHECK-NOT: !dl.guard
// REMARK: left alone: a convergent operation (barrier): '__kmpc_flush'
void flush(signed char *x, signed char *z, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    x[i] = z[i];
#pragma omp flush
  }
}

// What is behind a barrier may see what others wrote: each round has a guard.
// CHECK-LABEL: define internal void @barrier.omp_outlined(
// CHECK: !dl.guard
// CHECK: call void @__kmpc_barrier
// REMARK: loops that read {{[1-9]}} bounds and pointers once
void barrier(signed char *y, signed char *x, long n, long m) {
#pragma omp parallel
  {
    for (long r = 0; r < m; r++) {
#pragma omp for
      for (long i = 0; i < n; i++)
        y[i] += x[i];
    }
  }
}

// CHECK-LABEL: define internal void @task.omp_outlined(
// CHECK-NOT: !dl.guard
// REMARK: left alone: a call that may throw or not return: '__kmpc_omp_task_alloc'
void unknown(long);
void task(signed char *y, signed char *x, long n) {
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i++) {
    y[i] = x[i];
#pragma omp task
    unknown(i);
  }
}
