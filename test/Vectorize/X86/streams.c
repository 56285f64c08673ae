// Outputs that are larger than the caches are stored past them.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -pass-remarks=dl-vectorize -passes='dl-vectorize' -dl-disable=streams 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | %opt -S -pass-remarks=dl-vectorize -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: past the caches
// OFF-NOT: nontemporal
// OFF-NOT: call {{.*}}@dl.

// 8 MiB of floats, of which nothing is read.
// REMARK-DAG: streams.c:[[#@LINE+4]]:{{.*}} scale f32, %n: exact, iterations of i in 4 vectors of 8, past the caches from 8388608 bytes on
// CHECK-LABEL: define {{.*}} @scale(
// CHECK: icmp sge i64 %n, 2097152
void scale(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = 2 * x[i];
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// CHECK: [[Y:%.*]] = ptrtoint ptr %y to i64
// CHECK: [[ODD:%.*]] = and i64 [[Y]], 3
// CHECK: icmp sge i64 %n, 2097152
// CHECK: icmp eq i64 [[ODD]], 0
// CHECK: sub i64 0, [[Y]]
// CHECK: and i64 {{.*}}, 31
// CHECK: i.peel.body:
// CHECK: store float {{.*}}, align 4
// CHECK: i.stream.x32.body:
// CHECK: load <32 x float>, ptr {{.*}}, align 4
// CHECK: store <32 x float> {{.*}}, align 32, !nontemporal [[ONE:![0-9]+]]
// CHECK: call void @llvm.x86.sse.sfence()
// CHECK: i.x32.body:
// CHECK: store <32 x float> {{.*}}, align 4{{$}}
// CHECK: ret void
// CHECK: [[ONE]] = !{i32 1}

// A line that was read is in the cache: storing past that takes ten times as long.
// REMARK-DAG: streams.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void update(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    y[i] += x[i];
}

// Lines of which only parts are written.
// REMARK-DAG: streams.c:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule
void some(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    if (x[i] > 0)
      y[i] = 2 * x[i];
}

// The library has a function for this.
// REMARK-DAG: streams.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void copy(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[i];
}

// It fits.
// REMARK-DAG: streams.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void small(float *restrict y, const float *restrict x) {
  for (long i = 0; i < 100000; i++)
    y[i] = 2 * x[i];
}
