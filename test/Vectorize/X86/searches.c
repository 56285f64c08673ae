// The greatest element and where it is: lanes share the search without any flags.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -S -passes=dl-vectorize | FileCheck %s --check-prefix=NARROW --implicit-check-not=prefetch
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -passes=dl-vectorize | FileCheck %s --check-prefix=NARROW --implicit-check-not=prefetch
// NARROW: @dl.lanes.generic.f32.0(

// Groups of eight vectors; the last one ends with the last element. A lane keeps
// the best value of two vectors and the group's first element. What comes 2048 bytes
// later is fetched, if vectors are longer than that of SSE and NEON.
// REMARK-DAG: searches.c:[[#@LINE+4]]:{{.*}} argmax i64, %n - 1: exact, iterations of i in 4 vectors of 8
long argmax(const float *a, long n) {
  float best = a[0];
  long at = 0;
  for (long i = 1; i < n; i++)
    if (a[i] > best) {
      best = a[i];
      at = i;
    }
  return at;
}
// Long rows one after the other, short ones in lanes of eight rows.
// REMARK-DAG: searches.c:[[#@LINE+5]]:{{.*}} argmax i32, %m x %n: exact, iterations of i in 1 vectors of 8
// CHECK-LABEL: define {{.*}} @rows(
// CHECK-DAG: icmp sge i64 %m, 4
// CHECK-DAG: icmp sge i64 %n, 64
void rows(long m, long n, const float *restrict a, int *restrict c) {
  for (long i = 0; i < m; i++) {
    float best = -3e38f;
    int at = 0;
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > best) {
        best = a[i * n + j];
        at = j;
      }
    c[i] = at;
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.generic.f32.0(
// CHECK: icmp sge i64 {{.*}}, 64
// CHECK: [[LAST:%.*]] = sub i64 {{.*}}, 64
// CHECK: i.x64.header:
// CHECK: phi <32 x float>
// CHECK: phi <32 x i32>
// CHECK: i.x64.body:
// CHECK: [[FIRST:%.*]] = call i64 @llvm.smin.i64(i64 %i.x64, i64 [[LAST]])
// CHECK: add i64 [[FIRST]], 512
// CHECK-COUNT-4: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// CHECK-NOT: prefetch
// CHECK: load <64 x float>, ptr {{.*}}, align 4
// CHECK-COUNT-2: fcmp ogt <32 x float>
// CHECK: trunc i64 [[FIRST]] to i32
// CHECK: fcmp ogt <32 x float>
// CHECK: search.found:
// CHECK: load <64 x float>
// CHECK: fcmp oeq <64 x float>
// CHECK: call i64 @llvm.cttz.i64(i64 {{.*}}, i1 true)
// CHECK: icmp sge i64 {{.*}}, 8
// CHECK: i.x8.header:
// CHECK: fcmp ogt float
// CHECK-LABEL: define internal {{.*}} @dl.lanes.generic.i32.0(
// CHECK: icmp sge i64 %n, 64
// CHECK: j.x64.header:
// CHECK: i.x8.header:

// What is no number is found in the order of the source, where there is any.
// REMARK-DAG: searches.c:[[#@LINE+4]]:{{.*}} argmax i64, %n - 1: exact, iterations of i
long unordered(const float *a, long n) {
  float best = a[0];
  long at = 0;
  for (long i = 1; i < n; i++)
    if (!(a[i] <= best)) {
      best = a[i];
      at = i;
    }
  return at;
}

// The last of equal ones: lanes keep the last group, and -1 where there is none.
// REMARK-DAG: searches.c:[[#@LINE+14]]:{{.*}} argmax i64, %n - 1: exact, iterations of i in 4 vectors of 8
// CHECK-LABEL: define internal {{.*}} @dl.lanes.generic.f32.1(
// CHECK: phi <32 x i32> {{.*}}{{splat \(i32 -1\)|<i32 -1,[^>]*>}}
// CHECK: [[A:%.*]] = fcmp oge <32 x float>
// CHECK: [[B:%.*]] = fcmp oge <32 x float>
// CHECK: [[TAKEN:%.*]] = or <32 x i1> [[A]], [[B]]
// CHECK: select <32 x i1> [[TAKEN]], <32 x i32>
// CHECK: call {{.*}}i32> @llvm.smax
// CHECK: icmp sge i64 {{.*}}, 0
// CHECK: search.found:
// CHECK: call i64 @llvm.ctlz.i64(i64 {{.*}}, i1 true)
long last(const float *a, long n) {
  float best = a[0];
  long at = 0;
  for (long i = 1; i < n; i++)
    if (a[i] >= best) {
      best = a[i];
      at = i;
    }
  return at;
}

// A product might be rounded otherwise when it is computed again.
// REMARK-DAG: searches.c:[[#@LINE+4]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
long squares(const float *a, long n) {
  float best = 0;
  long at = 0;
  for (long i = 0; i < n; i++)
    if (a[i] * a[i] > best) {
      best = a[i] * a[i];
      at = i;
    }
  return at;
}

// One value, again and again.
// REMARK-DAG: searches.c:[[#@LINE+4]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
long one_value(const float *a, long n) {
  float best = 0;
  long at = -1;
  for (long i = 0; i < n; i++)
    if (a[0] > best) {
      best = a[0];
      at = i;
    }
  return at;
}

// Integers, and what they are extended to. Each lane has the width of what is kept.
// REMARK-DAG: searches.c:[[#@LINE+9]]:{{.*}} argmax i64, %n - 1: exact, iterations of i in 4 vectors of 8
// CHECK-LABEL: define internal {{.*}} @dl.lanes.generic.i32.1(
// CHECK: load <64 x i8>
// CHECK: sext <64 x i8> {{.*}} to <64 x i32>
// CHECK-COUNT-2: icmp sgt <32 x i32>
// CHECK: icmp eq <64 x i32>
long argmax_bytes(const signed char *a, long n) {
  int best = a[0];
  long at = 0;
  for (long i = 1; i < n; i++)
    if (a[i] > best) {
      best = a[i];
      at = i;
    }
  return at;
}
// REMARK-DAG: searches.c:[[#@LINE+3]]:{{.*}} argmin i32, %m x %n: exact, iterations of i in 1 vectors of 8
void rows_unsigned(long m, long n, const unsigned *restrict a,
                   int *restrict c) {
  for (long i = 0; i < m; i++) {
    unsigned best = -1;
    int at = 0;
    for (long j = 0; j < n; j++)
      if (a[i * n + j] < best) {
        best = a[i * n + j];
        at = j;
      }
    c[i] = at;
  }
}
// REMARK-DAG: searches.c:[[#@LINE+4]]:{{.*}} argmax i64, %n - 1: exact, iterations of i in 4 vectors of 8
long last_integer(const int *a, long n) {
  int best = a[0];
  long at = 0;
  for (long i = 1; i < n; i++)
    if (a[i] >= best) {
      best = a[i];
      at = i;
    }
  return at;
}

// Narrow ones are as wide as positions where they are compared.
// REMARK-DAG: searches.c:[[#@LINE+9]]:{{.*}} argmax i64, %n - 1: exact, iterations of i in 4 vectors of 8
// CHECK-LABEL: define internal {{.*}} @dl.lanes.generic.i8.0(
// CHECK: load <64 x i8>
// CHECK: zext <64 x i8> {{.*}} to <64 x i32>
// CHECK-COUNT-2: icmp ugt <32 x i32>
// CHECK: icmp eq <64 x i32>
long narrow(const unsigned char *a, long n) {
  unsigned char best = a[0];
  long at = 0;
  for (long i = 1; i < n; i++)
    if (a[i] > best) {
      best = a[i];
      at = i;
    }
  return at;
}
