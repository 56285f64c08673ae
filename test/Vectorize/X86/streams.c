// Outputs that are larger than the caches are stored past them, or fetched ahead.
// DEFINE: %{cpu} = -march=skylake
// DEFINE: %{emit} = %emit %{cpu} -gline-tables-only --target=x86_64-linux-gnu %s
// DEFINE: %{opt} = %opt -S -pass-remarks=dl-vectorize -pass-remarks-missed=dl-
// DEFINE: %{passes} = -passes='dl-vectorize,verify,function(instsimplify,early-cse)'
// RUN: %{emit} | %{opt} -o %t.ll %{passes} 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// REDEFINE: %{cpu} = -march=znver3
// RUN: %{emit} | %{opt} %{passes} 2>&1 | FileCheck %s --check-prefix=AMD
// REDEFINE: %{cpu} = -march=cascadelake
// RUN: %{emit} | %{opt} %{passes} 2>&1 | FileCheck %s --check-prefixes=AHEAD,ALONE
// Who made the CPU is asked at run time where that is allowed.
// REDEFINE: %{cpu} = -mavx2 -mfma
// RUN: %{emit} | %{opt} %{passes} 2>&1 | FileCheck %s --check-prefix=VENDOR
// RUN: %{emit} | %{opt} %{passes} -dl-dispatch=0 2>&1 | FileCheck %s --check-prefixes=AHEAD,ALONE
// RUN: %{emit} -mcmodel=kernel | %{opt} %{passes} 2>&1 | FileCheck %s --check-prefixes=AHEAD,ALONE
// RUN: %{emit} | %{opt} -passes='dl-vectorize' -dl-disable=streams 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | %opt -S -pass-remarks=dl-vectorize -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: past the caches
// OFF-NOT: nontemporal
// OFF-NOT: fetched ahead
// OFF-NOT: call {{.*}}@dl.
// AMD: scale f32, %n: exact, iterations of i in 4 vectors of 8, past the caches from 16777216 bytes on
// AMD-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// AMD-NOT: prefetch
// AMD: store <32 x float> {{.*}}, {{.*}}!nontemporal
// VENDOR: scale f32, %n: exact, iterations of i in 4 vectors of 8, past the caches from 8388608 bytes on
// VENDOR-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// VENDOR: [[LARGE:%.*]] = icmp sge i64 %n, 2097152
// VENDOR: [[EVEN:%.*]] = icmp eq i64 {{.*}}, 0
// VENDOR: %cpu.features = load i64, ptr @dl.cpu.features
// VENDOR: [[BIT:%.*]] = and i64 %cpu.features, 1{{(, !dbg ![0-9]+)?$}}
// VENDOR: [[ISAMD:%.*]] = icmp ne i64 [[BIT]], 0
// VENDOR: [[PAST:%.*]] = and i1 [[EVEN]], [[ISAMD]]
// VENDOR: and i1 [[LARGE]], [[PAST]]
// VENDOR: i.stream.x32.body:
// VENDOR: store <32 x float> {{.*}}, align 32, {{.*}}!nontemporal
// VENDOR: call void @llvm.x86.sse.sfence()
// VENDOR: [[SOME:%.*]] = icmp sge i64 %n, 262144
// VENDOR: [[OTHER:%.*]] = xor i1 [[ISAMD]], true
// VENDOR: [[FETCHES:%.*]] = and i1 [[SOME]], [[OTHER]]
// VENDOR: select i1 [[FETCHES]], i64 %n, i64 0
// VENDOR: i.ahead.x32.body:
// VENDOR: call void @llvm.prefetch
// VENDOR: store <32 x float> {{.*}}, align 4{{(, !dbg ![0-9]+)?$}}
// VENDOR: i.x32.body:
// 2048 bytes ahead, first the lines of the output.
// AHEAD: scale f32, %n: exact, iterations of i in 4 vectors of {{8|16}}, fetched ahead from {{1048576|4194304}} bytes on
// AHEAD-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// AHEAD: icmp sge i64 %n, {{262144|1048576}}
// AHEAD: {{^}}i.ahead.x{{32|64}}.body:
// AHEAD: [[NEXT:%.*]] = add i64 %i.ahead.x{{[0-9]+}}, 512
// AHEAD: [[Y:%.*]] = getelementptr float, ptr %y, i64 [[NEXT]]
// AHEAD-NEXT: call void @llvm.prefetch.p0(ptr [[Y]], i32 1, i32 3, i32 1)
// AHEAD-NEXT: [[Y1:%.*]] = getelementptr i8, ptr [[Y]], i64 64
// AHEAD-NEXT: call void @llvm.prefetch.p0(ptr [[Y1]], i32 1, i32 3, i32 1)
// AHEAD: [[X:%.*]] = getelementptr float, ptr %x, i64 [[NEXT]]
// AHEAD-NEXT: call void @llvm.prefetch.p0(ptr [[X]], i32 0, i32 3, i32 1)
// AHEAD: load <[[LANES:32|64]] x float>
// AHEAD: store <[[LANES]] x float>
// ALONE-NOT: nontemporal
// ALONE-NOT: cpu.vendor

// Two arrays of 4 MiB, of which nothing is read and written: the cache has 8.
// REMARK-DAG: streams.c:[[#@LINE+4]]:{{.*}} scale f32, %n: exact, iterations of i in 4 vectors of 8, past the caches from 4194304 bytes on
// CHECK-LABEL: define {{.*}} @scale(
// CHECK: icmp sge i64 %n, 1048576
void scale(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = 2 * x[i];
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// CHECK: [[Y:%.*]] = ptrtoint ptr %y to i64
// CHECK: [[ODD:%.*]] = and i64 [[Y]], 3
// CHECK: icmp sge i64 %n, 1048576
// CHECK: icmp eq i64 [[ODD]], 0
// CHECK: sub i64 0, [[Y]]
// CHECK: and i64 {{.*}}, 31
// CHECK: i.peel.body:
// CHECK: store float {{.*}}, align 4
// CHECK: i.stream.x32.body:
// CHECK: load <32 x float>, ptr {{.*}}, align 4
// CHECK: store <32 x float> {{.*}}, align 32, {{.*}}!nontemporal [[ONE:![0-9]+]]
// CHECK: call void @llvm.x86.sse.sfence()
// CHECK: i.x32.body:
// CHECK: store <32 x float> {{.*}}, align 4{{(, !dbg ![0-9]+)?$}}
// CHECK: ret void
// CHECK: [[ONE]] = !{i32 1}

// A line that was read is in the cache: storing past that takes ten times as long.
// REMARK-DAG: streams.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void update(float *y, const float *x, long n) {
  for (long i = 0; i < n; i++)
    y[i] += x[i];
}

// Lines of which only parts are written, as LLVM does under masks.
// REMARK-DAG: streams.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
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
