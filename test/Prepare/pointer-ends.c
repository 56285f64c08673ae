// Loops from one pointer to another count their rounds where the two have nothing
// to do with each other.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>' -S %t.ll | FileCheck %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s --check-prefix=KERNEL
// REQUIRES: x86-registered-target

// CHECK-LABEL: define {{.*}}float @sum(
// CHECK-DAG:     %[[END:.*]] = ptrtoint ptr %e to i64
// CHECK-DAG:     %[[START:.*]] = ptrtoint ptr %p to i64
// CHECK:         %[[BYTES:.*]] = sub i64 %[[END]], %[[START]]
// CHECK:         srem i64 %[[BYTES]], 4
// CHECK:         %rounds = select i1 %{{.*}}, i64 %{{.*}}, i64 -1
// CHECK:         icmp {{ne|eq}} i64 %round, %rounds
//
// KERNEL-LABEL: kernel 0 @sum  sum f32
// KERNEL:         red i[%rounds]
// KERNEL:         needs    inrange(0 <= %rounds <= 9223372036854775807)
float sum(const float *p, const float *e) {
  float s = 0;
  for (; p != e; ++p)
    s += *p;
  return s;
}

// What is left of the iterator behind the loop follows from the rounds.
//
// CHECK-LABEL: define {{.*}}ptr @scale(
// CHECK-NOT:     srem
// CHECK:         %rounds = select i1 %{{.*}}, i64 %{{.*}}, i64 0
// CHECK:         icmp ult i64 %round, %rounds
// CHECK:         phi i64 [ %round,
// CHECK:         getelementptr i8, ptr %o,
//
// KERNEL-LABEL: kernel 0 @scale  scale f32
// KERNEL:         par i[%rounds]
float *scale(const float *p, const float *e, float *o) {
  for (; p < e; ++p)
    *o++ = *p * 3;
  return o;
}

// Pointers into one array are apart as far as their subscripts.
//
// CHECK-LABEL: define {{.*}}@inside(
// CHECK-NOT:     ptrtoint
//
// KERNEL-LABEL: kernel 0 @inside
// KERNEL:         par i[%n]
void inside(float *p, long n) {
  for (float *e = p + n; p != e; ++p)
    *p *= 2;
}

// A list is none.
//
// CHECK-LABEL: define {{.*}}@list(
// CHECK-NOT:     ptrtoint
//
// KERNEL-LABEL: missed @list
struct node {
  struct node *next;
  float value;
};
void list(struct node *p, struct node *e) {
  for (; p != e; p = p->next)
    p->value *= 2;
}

// Where the pointer may wrap, as no access tells, p < e says nothing of rounds.
//
// CHECK-LABEL: define {{.*}}@may_wrap(
// CHECK-NOT:     %round
//
// KERNEL-LABEL: missed @may_wrap
void may_wrap(float *p, const float *e) {
  for (; p < e; p = (float *)((__UINTPTR_TYPE__)p + 4))
    *p *= 2;
}
