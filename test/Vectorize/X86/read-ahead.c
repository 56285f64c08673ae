// Bounds and pointers that results might overwrite, as far as types tell, are read in front
// and tested to lie elsewhere.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-prepare<all>,dl-recognize,dl-vectorize<prepared>,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s --check-prefix=KERNEL

struct Layer {
  int rows, columns;
  const signed char *weights;
  signed char data[64];
  struct Layer *next;
};

// KERNEL-LABEL: kernel 0 @sums
// KERNEL-NEXT: params %p:i32 %p.1:i32
// KERNEL-NEXT: buffers %a:f32(%p.1,1) %out:i8 %l:i32 %{{.*}}:i32{{$}}
// KERNEL: needs disjoint(%out; %a %l %{{.*}}){{$}}
// REMARK-DAG: read-ahead.c:[[#@LINE+15]]:{{.*}} %p x %p.1: exact, iterations of i in 1 vectors of 8, kernel number
// CHECK-LABEL: define {{.*}} @sums(
// CHECK: load i32, ptr %l
// CHECK: br i1 {{.*}}, label %dl.guard, label %dl.original
// CHECK: dl.guard:
// CHECK: [[COLUMNS:%.*]] = getelementptr inbounds{{( nuw)?}} i8, ptr %l, i64 4
// CHECK: load i32, ptr [[COLUMNS]]
// CHECK: [[OUT:%.*]] = ptrtoint ptr %out to i64
// CHECK: [[L:%.*]] = ptrtoint ptr %l to i64
// CHECK: [[BEHIND:%.*]] = sub i64 [[OUT]], [[L]]
// CHECK: icmp uge i64 [[BEHIND]], 4
// CHECK: ptrtoint ptr [[COLUMNS]] to i64
// CHECK: br i1 {{.*}}, label %dl.fast, label %dl.original
// CHECK: call {{.*}} @dl.lanes.
void sums(signed char *out, const struct Layer *l, const float *a) {
  for (int i = 0; i < l->rows; i++) {
    float sum = 0;
    for (int j = 0; j < l->columns; j++)
      sum += a[i * l->columns + j];
    out[i] = (signed char)sum;
  }
}

// LLVM vectorizes loops whose bounds stay the same.
// REMARK-DAG: read-ahead.c:[[#@LINE+4]]:{{.*}} %p x %p.1: exact, loops whose bounds are read in front, kernel number
// CHECK-LABEL: define {{.*}} @products(
// CHECK: store i8 {{.*}}!alias.scope
void products(signed char *out, const struct Layer *l, const signed char *a) {
  for (int i = 0; i < l->rows; i++) {
    int sum = 0;
    for (int j = 0; j < l->columns; j++)
      sum += a[i * l->columns + j] * l->weights[j];
    out[i] = (signed char)(sum >> 7);
  }
}

// Results and bounds in one object: no test tells them apart.
// REMARK-DAG: read-ahead.c:[[#@LINE+2]]:{{.*}} left alone: a bound or base pointer may change inside the loops
void inside(struct Layer *l, const float *a) {
  for (int i = 0; i < l->rows; i++) {
    float sum = 0;
    for (int j = 0; j < l->columns; j++)
      sum += a[i * l->columns + j];
    l->data[i] = (signed char)sum;
  }
}

// The pointer may be no pointer before the first result is there.
// REMARK-DAG: read-ahead.c:[[#@LINE+2]]:{{.*}} left alone: a bound or base pointer may change inside the loops
void late(signed char *out, const struct Layer *l, const float *a) {
  for (int i = 0; i < l->rows; i++) {
    out[2 * i] = (signed char)a[i];
    float sum = 0;
    for (int j = 0; j < l->next->columns; j++)
      sum += a[i * 9 + j];
    out[2 * i + 1] = (signed char)sum;
  }
}
