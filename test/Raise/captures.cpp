// What a lambda captures by reference is read through the references, in every round: pointers
// behind pointers, and sizes behind these, do not change where nothing of their types is stored.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

template <class F> __attribute__((noinline)) void run(long n, const F &f) {
  f(0, n);
}

// CHECK-LABEL: transpose f32
// CHECK: par i[%end - %begin] par j[%p]
// CHECK-NEXT: %this[j,i + %begin] = %this.1[i + %begin,j]
void transpose(const float *a, const long *dims, float *b) {
  run(dims[0], [&](long begin, long end) {
    for (long i = begin; i < end; ++i)
      for (long j = 0; j < dims[1]; ++j)
        b[j * dims[0] + i] = a[i * dims[1] + j];
  });
}

// Elements of the type of the sizes may be these: both are read in front, if they are apart.
// CHECK-LABEL: transpose i64
// CHECK: buffers {{.*}} %arrayidx:i64 %this.2:i64
// CHECK: needs {{.*}}disjoint(%this.1; %this %arrayidx %this.2)
void integers(const long *a, const long *dims, long *b) {
  run(dims[0], [&](long begin, long end) {
    for (long i = begin; i < end; ++i)
      for (long j = 0; j < dims[1]; ++j)
        b[j * dims[0] + i] = a[i * dims[1] + j];
  });
}
