// Loops that remember where an element is, and read it there, remember the element.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,verify' -S %t.ll | FileCheck %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s --check-prefix=KERNEL
// REQUIRES: x86-registered-target

// What it starts with is read where the loop has a round.
//
// CHECK-LABEL: define {{.*}}@greatest(
// CHECK:         %[[RUNS:.*]] = icmp slt i32 1, %n
// CHECK:         br i1 %[[RUNS]], label %[[READ:.*]], label %[[JOIN:.*]]
// CHECK:       [[READ]]:
// CHECK:         %[[A0:.*]] = load float, ptr %a
// CHECK:       [[JOIN]]:
// CHECK:         %first = phi float {{.*}}%[[A0]], %[[READ]]
// CHECK:         %element = phi float {{.*}}%first, %[[JOIN]]
// CHECK:         %[[AI:.*]] = load float
// CHECK-NEXT:    %[[TEST:.*]] = fcmp ogt float %[[AI]], %element
// CHECK-NEXT:    select i1 %[[TEST]], float %[[AI]], float %element
// CHECK-NEXT:    select i1 %[[TEST]], i32 %i.0, i32 %best.0
// CHECK-NOT:     load
// CHECK:         ret
//
// KERNEL-LABEL: kernel 0 @greatest  argmax i32
// KERNEL:         (best, element) = (0, %first)
// KERNEL:         (best, element) = (select(t1, index(i + 1), best), select(t1, t0, element))
int greatest(const float *a, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[best])
      best = i;
  return best;
}

// The comparison is the source's.
//
// CHECK-LABEL: define {{.*}}@last_least(
// CHECK:         fcmp ugt float %element,
// KERNEL-LABEL: kernel 0 @last_least
int last_least(const float *a, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (!(a[best] <= a[i]))
      best = i;
  return best;
}

// The first round is there.
//
// CHECK-LABEL: define {{.*}}@tested_at_end(
// CHECK-NOT:     br
// CHECK:         %[[A0:.*]] = load float, ptr %a
// CHECK-NEXT:    br label
// CHECK:         %element = phi float {{.*}}%[[A0]],
int tested_at_end(const float *a, int n) {
  int best = 0, i = 0;
  do {
    if (a[i] > a[best])
      best = i;
  } while (++i < n);
  return best;
}

// Two rounds in one.
//
// CHECK-LABEL: define {{.*}}@twice(
// CHECK:         %element = phi float
// CHECK:         %[[A0:.*]] = load float
// CHECK:         fcmp ogt float %[[A0]], %element
// CHECK:         %[[E:element.*]] = select i1 %{{.*}}, float %[[A0]], float %element
// CHECK:         %[[A1:.*]] = load float
// CHECK:         fcmp ogt float %[[A1]], %[[E]]
// CHECK-NOT:     load
// CHECK:         ret
int twice(const float *a, int n) {
  int best = 0;
  for (int i = 0; i + 1 < n; i += 2) {
    if (a[i] > a[best])
      best = i;
    if (a[i + 1] > a[best])
      best = i + 1;
  }
  return best;
}

// What is read behind the loop in any case is known in front of it.
//
// CHECK-LABEL: define {{.*}}@both(
// CHECK-NOT:     br
// CHECK:         load float, ptr %a
// CHECK-NOT:     load
// CHECK:         load float
// CHECK-NOT:     load
// CHECK:         ret
float both(const float *a, int n, int *at) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[best])
      best = i;
  *at = best;
  return a[best];
}
// Where a store may come in between it is read again.
//
// CHECK-LABEL: define {{.*}}@stored_between(
// CHECK:         icmp slt i32 1, %n
// CHECK:         store float
// CHECK:         load float
// CHECK:         ret
float stored_between(const float *a, int n, float *at) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[best])
      best = i;
  *at = best;
  return a[best];
}
// And not where that depends on something else.
//
// CHECK-LABEL: define {{.*}}@if_asked(
// CHECK:         icmp slt i32 1, %n
float if_asked(const float *a, int n, int ask) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[best])
      best = i;
  return ask ? a[best] : 0;
}

// Behind the loop the index is another one than in the last round that chose.
//
// CHECK-LABEL: define {{.*}}@beyond(
// CHECK:         %element = phi float
// CHECK:       for.end:
// CHECK:         %[[LAST:.*]] = load float
// CHECK-NEXT:    ret float %[[LAST]]
float beyond(const float *a, int n) {
  int best = 0, i;
  for (i = 1; i < n; i++) {
    float x = a[i], y = a[best];
    int later = i > best ? i : best;
    if (x > y)
      best = later;
  }
  return a[i > best ? i : best];
}
// What is chosen has a name in front of the loop, and an element in it alone.
//
// CHECK-LABEL: define {{.*}}@greater_of_two(
// CHECK:         %element = phi float
// CHECK:       if.end{{.*}}:
// CHECK:         phi float
// CHECK:         load float
// CHECK-NOT:     load
// CHECK:         ret float
float greater_of_two(const float *a, long n, long k, long m) {
  long best = 0;
  if (n > 5)
    for (long i = 1; i < n; i++) {
      float sum = a[k] + a[m] + a[best];
      long greater = k > m ? k : m;
      if (sum < a[i])
        best = greater;
    }
  long greater = k > m ? k : m;
  return a[greater] + a[best];
}

// KERNEL-LABEL: kernel 0 @rows  argmax i32
// KERNEL:         first = 0.0  where %n <= 1
// KERNEL-NEXT:    first = %a[i]  where %n >= 2
// KERNEL-NEXT:    best = 0
// KERNEL-NEXT:    seq j[%n - 1]
void rows(const float *a, int m, int n, int *o) {
  for (int i = 0; i < m; i++) {
    int best = 0;
    for (int j = 1; j < n; j++)
      if (a[i * n + j] > a[i * n + best])
        best = j;
    o[i] = best;
  }
}

// Where the row is, is read in each round.
//
// KERNEL-LABEL: kernel 0 @of_struct  argmax i32
struct matrix {
  float *data;
  int columns;
};
int of_struct(const struct matrix *m, int row) {
  int best = 0;
  for (int j = 1; j < m->columns; j++)
    if (m->data[row * m->columns + j] > m->data[row * m->columns + best])
      best = j;
  return best;
}

// None of these: what is read at the position may not be what was there, is none
// of the array's, or is not read in each round.
//
// CHECK-LABEL: define {{.*}}@written(
// CHECK-NOT:     %element
// CHECK-LABEL: define {{.*}}@next(
// CHECK-NOT:     %element
// CHECK-LABEL: define {{.*}}@other_base(
// CHECK-NOT:     %element
// CHECK-LABEL: define {{.*}}@other_type(
// CHECK-NOT:     %element
// CHECK-LABEL: define {{.*}}@moving(
// CHECK-NOT:     %element
// CHECK-LABEL: define {{.*}}@in_some_rounds(
// CHECK-NOT:     %element
// CHECK-LABEL: define {{.*}}@left_early(
// CHECK-NOT:     %element
// CHECK-LABEL: define {{.*}}@volatile_elements(
// CHECK-NOT:     %element
// CHECK-LABEL: define {{.*}}@narrowed(
// CHECK-NOT:     %element
// CHECK-LABEL: define {{.*}}@limit_written(
// CHECK-NOT:     %element
//
// KERNEL-LABEL: missed @written line {{.*}}: NonAffineAccess
int written(float *a, int n) {
  int best = 0;
  for (int i = 1; i < n; i++) {
    if (a[i] > a[best])
      best = i;
    a[i - 1] = 0;
  }
  return best;
}
// KERNEL-LABEL: missed @next line {{.*}}: NonAffineAccess
int next(const float *a, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[best])
      best = i + 1;
  return best;
}
// KERNEL-LABEL: missed @other_base line {{.*}}: NonAffineAccess
int other_base(const float *a, const float *b, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > b[best])
      best = i;
  return best;
}
// KERNEL-LABEL: missed @other_type line {{.*}}: NonAffineAccess
int other_type(const float *a, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > ((const int *)a)[best])
      best = i;
  return best;
}
// KERNEL-LABEL: missed @moving line {{.*}}: NonAffineAccess
int moving(const float *a, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[best + i])
      best = i;
  return best;
}
// KERNEL-LABEL: missed @in_some_rounds line {{.*}}: NonAffineAccess
int in_some_rounds(const float *a, const int *mask, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (mask[i] && a[i] > a[best])
      best = i;
  return best;
}
// KERNEL-LABEL: missed @left_early line
int left_early(const float *a, int n) {
  int best = 0;
  for (int i = 1; i < n; i++) {
    if (a[i] < 0)
      break;
    if (a[i] > a[best])
      best = i;
  }
  return best;
}
// KERNEL-LABEL: missed @volatile_elements line {{.*}}: Volatile
int volatile_elements(const volatile float *a, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[best])
      best = i;
  return best;
}
// Behind 2^31 elements it is another one.
//
// KERNEL-LABEL: missed @narrowed line {{.*}}: NonAffineAccess
int narrowed(const float *a, unsigned long n) {
  int best = 0;
  for (unsigned long i = 1; i < n; i++)
    if (a[i] > a[best])
      best = i;
  return best;
}
// Whether there is a round is known only behind what it writes.
//
// KERNEL-LABEL: missed @limit_written line
int limit_written(const float *a, int *count, const int *limit, int n) {
  int best = 0;
  for (int i = 0; (*count = n, i < *limit); i++)
    if (a[i] > a[best])
      best = i;
  return best;
}
