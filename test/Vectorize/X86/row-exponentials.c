// What a row's maximum is subtracted from is not positive: 2^n is one factor there, by
// 2^64 too large, so that it is normal. Elsewhere exp(x) is limited on both sides.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -ffast-math -fno-finite-math-only %s | env DLOPT_OPTIONS=fp=fast %opt -mattr=+avx2,+fma -S -o - \
// RUN:   -pass-remarks=dl-vectorize -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
float expf(float), logf(float), fmaxf(float, float);
#define FOR(I, E) for (long I = 0; I < E; I++)
#define MAX                                                                    \
  float max = a[i * n];                                                        \
  FOR(j, n) max = a[i * n + j] > max ? a[i * n + j] : max;

// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK-NOT: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: fmul <32 x float> {{.*}}, {{splat \(float 0x3BF0000000000000\)|<float 0x3BF0000000000000,[^>]*>}}
// CHECK-NOT: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: ret void
void softmax(long m, long n, const float *restrict a, float *restrict c) {
  FOR(i, m) {
    MAX float sum = 0;
    FOR(j, n) sum += c[i * n + j] = expf(a[i * n + j] - max);
    FOR(j, n) c[i * n + j] /= sum;
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.1(
// CHECK-NOT: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: {{splat \(float 0x3BF0000000000000\)|<float 0x3BF0000000000000,[^>]*>}}
// CHECK: ret void
void in_place(long m, long n, float *a) {
  FOR(i, m) {
    MAX
    FOR(j, n) a[i * n + j] = expf(a[i * n + j] - max);
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.2(
// CHECK-NOT: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: {{splat \(float 0x3BF0000000000000\)|<float 0x3BF0000000000000,[^>]*>}}
// CHECK: ret void
void from_the_second_on(long m, long n, const float *restrict a,
                        float *restrict c) {
  FOR(i, m) {
    float max = a[i * n];
    for (long j = 1; j < n; j++)
      if (max < a[i * n + j])
        max = a[i * n + j];
    FOR(j, n) c[i * n + j] = expf(a[i * n + j] - max);
  }
}

// Another row, other numbers, fewer numbers, the least of them.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.3(
// CHECK: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: ret void
void other_row(long m, long n, const float *restrict a, float *restrict c) {
  FOR(i, m) {
    MAX
    FOR(j, n) c[i * n + j] = expf(a[i * n + n + j] - max);
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.4(
// CHECK: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: ret void
void changed(long m, long n, float *a, float *restrict c) {
  FOR(i, m) {
    MAX
    FOR(j, n) a[i * n + j] *= 3;
    FOR(j, n) c[i * n + j] = expf(a[i * n + j] - max);
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.5(
// CHECK: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: ret void
void changed_before(long m, long n, float *a, float *restrict c) {
  FOR(i, m) {
    MAX
    FOR(j, n) {
      a[i * n + j] *= 3;
      c[i * n + j] = expf(a[i * n + j] - max);
    }
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.6(
// CHECK: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: ret void
void fewer(long m, long n, const float *restrict a, float *restrict c) {
  FOR(i, m) {
    float max = a[i * n + 1];
    for (long j = 1; j < n; j++)
      max = a[i * n + j] > max ? a[i * n + j] : max;
    FOR(j, n) c[i * n + j] = expf(a[i * n + j] - max);
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.7(
// CHECK: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: ret void
void least(long m, long n, const float *restrict a, float *restrict c) {
  FOR(i, m) {
    float max = a[i * n];
    FOR(j, n) max = a[i * n + j] < max ? a[i * n + j] : max;
    FOR(j, n) c[i * n + j] = expf(a[i * n + j] - max);
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.8(
// CHECK: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: ret void
void maximum_changes(long m, long n, const float *restrict a,
                     float *restrict c) {
  FOR(i, m) {
    MAX max *= 0.5f;
    FOR(j, n) c[i * n + j] = expf(a[i * n + j] - max);
  }
}
// A signaling NaN may make it start anew.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.9(
// CHECK: {{splat \(float 8\.900000e\+01\)|<float 8\.900000e\+01,[^>]*>}}
// CHECK: ret void
void may_start_anew(long m, long n, const float *restrict a,
                    float *restrict c) {
  FOR(i, m) {
    float max = a[i * n];
    FOR(j, n) max = fmaxf(max, a[i * n + j]);
    FOR(j, n) c[i * n + j] = expf(a[i * n + j] - max);
  }
}

// Nothing can test that c is none of the elements a[i * n + t[i]], which are read
// where they were.
// REMARK-DAG: row-exponentials.c:[[#@LINE+2]]:{{.*}} cross-entropy f32, %m x %n x %n: reassociated, iterations of j, j
void cross_entropy(long m, long n, const float *a, const int *t, float *c) {
  FOR(i, m) {
    float max = a[i * n], sum = 0;
    FOR(j, n) max = a[i * n + j] > max ? a[i * n + j] : max;
    FOR(j, n) sum += expf(a[i * n + j] - max);
    c[i] = logf(sum) + max - a[i * n + t[i]];
  }
}
// c may be one of the elements that are read behind the first store: the loops
// inside write nothing.
// REMARK-DAG: row-exponentials.c:[[#@LINE+6]]:{{.*}} max f32, %n: reassociated
// REMARK-DAG: row-exponentials.c:[[#@LINE+6]]:{{.*}} sum-of-exponentials f32, %n: reassociated
void two_stores(long m, long n, const float *a, const int *t, float *c,
                float *d) {
  FOR(i, m) {
    float max = a[i * n], sum = 0;
    FOR(j, n) max = a[i * n + j] > max ? a[i * n + j] : max;
    FOR(j, n) sum += expf(a[i * n + j] - max);
    d[i] = max;
    c[i] = logf(sum) + max - a[i * n + t[i]];
  }
}
// Rows of other lengths, each along itself.
// REMARK-DAG: row-exponentials.c:[[#@LINE+2]]:{{.*}} generic f32, %m x i + 1 x i + 1 x %n - i - 1: reassociated, iterations of j, j, j
void causal(long m, long n, const float *restrict a, float *restrict c) {
  FOR(i, m) {
    float max = a[i * n];
    for (long j = 0; j <= i; j++)
      max = a[i * n + j] > max ? a[i * n + j] : max;
    for (long j = 0; j <= i; j++)
      c[i * n + j] = expf(a[i * n + j] - max);
    for (long j = i + 1; j < n; j++)
      c[i * n + j] = 0;
  }
}
