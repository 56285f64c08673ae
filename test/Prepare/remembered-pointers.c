// Pointers that loops remember are numbers of elements, as are those that are
// chosen behind the loop for an empty range.
//
// Instructions as LLVM 22 simplifies and prints them.
// REQUIRES: llvm-22
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>' -S %t.ll | FileCheck %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s --check-prefix=KERNEL
// REQUIRES: x86-registered-target

static inline const float *find(const float *p, const float *e) {
  const float *best = p;
  if (p == e)
    return p;
  while (++p != e)
    if (*best < *p)
      best = p;
  return best;
}

// CHECK-LABEL: define {{.*}}ptr @one(
// CHECK:         %[[TEST:.*]] = fcmp olt float %element, %[[X:.*]]
// CHECK:         select i1 %[[TEST]], float %[[X]], float %element
// CHECK:         select i1 %[[TEST]], i64 %{{.*}}, i64 %best
// CHECK:         %[[AT:.*]] = phi i64
// CHECK:         %[[BYTES:.*]] = shl nuw nsw i64 %[[AT]], 2
// CHECK:         %[[FOUND:.*]] = getelementptr nusw nuw i8, ptr %p, i64 %[[BYTES]]
// CHECK:         ret ptr %[[FOUND]]
//
// KERNEL-LABEL: kernel 0 @one  argmax i64
// KERNEL:         seq i[%rounds - 1]
const float *one(const float *p, const float *e) {
  const float *best = p;
  while (++p != e)
    if (*best < *p)
      best = p;
  return best;
}

// What the pointer points to is remembered, too.
//
// KERNEL-LABEL: kernel 0 @elements  max f32
// KERNEL:         element = %a[i]
// KERNEL-NEXT:    red j[%n - 1]
void elements(const float *a, long m, long n, float *restrict o) {
  for (long i = 0; i < m; i++)
    o[i] = *find(a + i * n, a + i * n + n);
}

// The distance from the start is the number: in the kernel there are no pointers,
// nor a test of an empty row.
//
// KERNEL-LABEL: kernel 0 @rows  argmax i64
// KERNEL:         first = 0.0  where 4*%n == 4
// KERNEL-NEXT:    first = %a[i]  where %n >= 2
// KERNEL-NEXT:    best = 0
// KERNEL-NEXT:    seq j[%n - 1]
// KERNEL:         %o[i] = best
void rows(const float *a, long m, long n, long *o) {
  for (long i = 0; i < m; i++) {
    const float *p = a + i * n, *e = p + n, *best = p;
    if (p != e)
      while (++p != e)
        if (*best < *p)
          best = p;
    o[i] = best - (a + i * n);
  }
}

// Steps of pairs.
//
// CHECK-LABEL: define {{.*}}@pairs(
// CHECK:         select i1 %{{.*}}, i64 %i.0, i64 %best
// CHECK:         shl nuw nsw i64 %{{.*}}, 3
// CHECK:         getelementptr nusw nuw i8, ptr %p
// KERNEL-LABEL: kernel 0 @pairs
const float *pairs(const float *p, long n) {
  const float *best = p;
  for (long i = 1; i < n; i++)
    if (p[2 * i] > *best)
      best = &p[2 * i];
  return best;
}

// Numbers that nothing else computes, in front of where they are taken.
//
// CHECK-LABEL: define {{.*}}@twice(
// CHECK:         %[[I1:.*]] = add {{.*}}i64 %{{.*}}, 5
// CHECK:         select i1 %{{.*}}, i64 %[[I1]], i64 %best
const float *twice(const float *p, long n) {
  const float *best = p;
  for (long i = 0; i < n; i += 2) {
    if (p[i + 5] > *best)
      best = &p[i + 5];
    if (p[i + 8] > *best)
      best = &p[i + 8];
  }
  return best;
}

// The end of an empty row is a number as well.
//
// KERNEL-LABEL: kernel 0 @to_end  argmax i64
// KERNEL:         %o[i] = best
void to_end(const float *a, long m, long n, long *o) {
  for (long i = 0; i < m; i++) {
    const float *p = a + i * n, *e = p + n, *best = e;
    if (p != e) {
      best = p;
      while (++p != e)
        if (*best < *p)
          best = p;
    }
    o[i] = best - (a + i * n);
  }
}

// From somewhere else, and to what was read.
//
// CHECK-LABEL: define {{.*}}@elsewhere(
// CHECK:         %best{{.*}} = phi ptr
// CHECK-LABEL: define {{.*}}@read(
// CHECK:         %best{{.*}} = phi ptr
//
// KERNEL-LABEL: missed @elsewhere
const float *elsewhere(const float *p, const float *q, long n) {
  const float *best = q;
  for (long i = 0; i < n; i++)
    if (p[i] > *best)
      best = &p[i];
  return best;
}
// KERNEL-LABEL: missed @read
const float *read(const float **p, long n) {
  const float *best = p[0];
  for (long i = 1; i < n; i++)
    if (*p[i] > *best)
      best = p[i];
  return best;
}
