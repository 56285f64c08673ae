// Elements that are stored in any case, and that loops read and store again under
// conditions, are locals of the lanes: that takes no masks, and one store.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -S -o %t.ll -passes='dl-vectorize,verify,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll --implicit-check-not=masked
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -S -o %t.512.ll -passes='dl-vectorize,verify,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.512.ll --check-prefix=MASKS

// Set in front of the loops.
// CHECK-LABEL: define {{.*}} @greatest(
// CHECK: call void @dl.lanes.[[GREATEST:.*]](
void greatest(long n, long m, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++) {
    y[i] = x[i];
    for (long j = 0; j < m; j++)
      if (y[i] < x[j * n + i])
        y[i] = x[j * n + i];
  }
}

// Set behind them: what it held before is read.
// CHECK-LABEL: define {{.*}} @mean(
// CHECK: call void @dl.lanes.[[MEAN:.*]](
void mean(long n, long m, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++) {
    int count = 0;
    for (long j = 0; j < m; j++)
      if (x[j * n + i] > 0) {
        y[i] += x[j * n + i];
        count++;
      }
    y[i] /= count;
  }
}

// Nothing says that the element is stored at all.
// CHECK-LABEL: define {{.*}} @perhaps(
// CHECK-NOT: call void @dl.lanes
// CHECK: ret void
void perhaps(long n, long m, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      if (y[i] < x[j * n + i])
        y[i] = x[j * n + i];
}

// Another element of the row is read, which may be the next lane's.
// CHECK-LABEL: define {{.*}} @neighbour(
// CHECK-NOT: call void @dl.lanes
// CHECK: ret void
void neighbour(long n, long m, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++) {
    y[i] = x[i];
    for (long j = 0; j < m; j++)
      if (y[i] < x[j * n + i])
        y[i] = x[j * n + i] + y[i + n];
  }
}

// CHECK: define internal void @dl.lanes.[[GREATEST]](
// CHECK: i.x{{[0-9]+}}.body:
// CHECK: load <[[N:[0-9]+]] x float>
// CHECK-NOT: store
// CHECK: j.header:
// CHECK: phi <[[N]] x float>
// CHECK-NOT: store
// CHECK: select <[[N]] x i1>
// CHECK-NOT: store
// CHECK: j.exit:
// CHECK: store <[[N]] x float>
// CHECK: define internal void @dl.lanes.[[MEAN]](
// CHECK: j.header:
// CHECK: phi <[[M:[0-9]+]] x float>
// CHECK-NOT: store
// CHECK: j.exit:
// CHECK: store <[[M]] x float>

// What whole vectors leave is one vector under a mask, stored once; of elements that
// each round stores it is done without: loads would wait for the stores.
// MASKS: define internal void @dl.lanes.{{.*}}(
// MASKS-COUNT-1: call void @llvm.masked.store
// MASKS-NOT: call void @llvm.masked.store
// MASKS: define internal void @dl.lanes.{{.*}}(
// MASKS-COUNT-1: call void @llvm.masked.store
// MASKS-NOT: call void @llvm.masked.store
// MASKS: define
