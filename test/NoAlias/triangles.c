// Rows that are one longer each time: the nest is tested as if all were as long as the
// longest one, outside of all loops.
// REQUIRES: x86-registered-target
// RUN: %clang --target=x86_64-linux-gnu -O1 -fno-discard-value-names -S -emit-llvm %s -o - | \
// RUN:   %opt -passes='dl-noalias<nests>,verify' -S -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll

struct S {
  long n, m;
  signed char *x, *y;
};

// The last row has n bytes.
// CHECK-LABEL: define {{.*}} @longer(
// CHECK:       dl.nest.guard:
// CHECK:         [[N:%.*]] = call i64 @llvm.smax.i64(
// CHECK:         icmp uge i64 {{.*}}, [[N]]
// CHECK:         br i1 {{.*}}, label %[[COPY:.*]], label %dl.nest.original, !dl.guard
// CHECK-NOT:   !dl.guard
// CHECK:       ret void
void longer(struct S *p) {
  for (long i = 0; i < p->n; i++)
    for (long j = 0; j <= i; j++)
      p->y[j] += p->x[j];
}

// Where the first one has some, too, that may be more than there are numbers.
// CHECK-LABEL: define {{.*}} @more(
// CHECK:       dl.nest.guard:
// CHECK:         [[FIRST:%.*]] = {{.*}}i64
// CHECK:         icmp ult i64
// CHECK:         !dl.guard
// CHECK-NOT:   !dl.guard
// CHECK:       ret void
void more(struct S *p) {
  for (long i = 0; i < p->n; i++) {
    unsigned long j = 0;
    do
      p->y[j] += p->x[j];
    while (j++ != p->m + i);
  }
}

// By two: the inner loops, each by itself.
// CHECK-LABEL: define {{.*}} @steps(
// CHECK-NOT:   dl.nest.guard:
// CHECK:       phi i64
// CHECK:       ret void
void steps(struct S *p) {
  for (long i = 0; i < p->n; i++)
    for (long j = 0; j <= i * 2; j++)
      p->y[j] += p->x[j];
}
