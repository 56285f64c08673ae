// Start values that are parameters, and elements that are there or not.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll
#define PRODUCT(NAME, START, ...)                                              \
  void NAME(long m, long n, long k, const float *a, const float *b, float *c,  \
            const float *v, float alpha, float beta, int flag) {               \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++) {                                           \
        START;                                                                 \
        for (long l = 0; l < k; l++)                                           \
          s += a[i * k + l] * b[l * n + j];                                    \
        __VA_ARGS__;                                                           \
        c[i * n + j] = s;                                                      \
      }                                                                        \
  }

// A parameter is stored for the sums to start from.
// CHECK-LABEL: define {{.*}} @scalar(
// CHECK:         [[S:%.*]] = alloca float
// CHECK:         store float %alpha, ptr [[S]]
// CHECK-NEXT:    call void @dl.matmul.nn.f32.0({{.*}}, ptr [[S]], i64 0, i64 0, i64 %m, i64 %n, i64 %k)
PRODUCT(scalar, float s = alpha)

// CHECK-LABEL: define {{.*}} @chosen(
// CHECK:         [[S:%.*]] = alloca float
// CHECK:         [[V:%.*]] = select i1 {{.*}}, float
// CHECK:         store float [[V]], ptr [[S]]
// CHECK-NEXT:    call void @dl.matmul.nn.f32.0({{.*}}, ptr [[S]], i64 0, i64 0,
PRODUCT(chosen, float s = flag ? alpha : beta)

// Without a bias, the sums start from one 0, and no bias is read.
// CHECK-LABEL: define {{.*}} @bias_or_zero(
// CHECK-NOT:     alloca
// CHECK-DAG:     [[COLUMNS:%.*]] = select i1 [[GIVEN:%.*]], i64 1, i64 0
// CHECK-DAG:     [[S:%.*]] = select i1 [[GIVEN]], ptr %v, ptr @dl.start.0.f32
// CHECK:         call void @dl.matmul.nn.f32.0({{.*}}, ptr [[S]], i64 0, i64 [[COLUMNS]], i64 %m,
PRODUCT(bias_or_zero, float s = v ? v[j] : 0.0f)
// CHECK-LABEL: define {{.*}} @bias_if(
// CHECK-DAG:     [[COLUMNS:%.*]] = select i1 [[GIVEN:%.*]], i64 1, i64 0
// CHECK-DAG:     [[S:%.*]] = select i1 [[GIVEN]], ptr %v, ptr @dl.start.0.f32
// CHECK:         call void @dl.matmul.nn.f32.0({{.*}}, ptr [[S]], i64 0, i64 [[COLUMNS]], i64 %m,
PRODUCT(bias_if, float s = 0; if (flag) s = v[j])
// CHECK-LABEL: define {{.*}} @row_or_scalar(
// CHECK:         [[MEMORY:%.*]] = alloca float
// CHECK:         [[ROWS:%.*]] = select i1 [[GIVEN:%.*]], i64 1, i64 0
// CHECK:         store float %alpha, ptr [[MEMORY]]
// CHECK:         [[S:%.*]] = select i1 [[GIVEN]], ptr %v, ptr [[MEMORY]]
// CHECK:         call void @dl.matmul.nn.f32.0({{.*}}, ptr [[S]], i64 [[ROWS]], i64 0, i64 %m,
PRODUCT(row_or_scalar, float s = flag ? v[i] : alpha)

// Behind the sum, the generated function tests it.
// CHECK-LABEL: define {{.*}} @bias_behind(
// CHECK:         call void @dl.matmul.nn.f32.1({{.*}}, ptr %v, i64 0, i1 {{%.*}})
PRODUCT(bias_behind, float s = 0, if (v) s += v[j])

// What decides is another value for each element: C is set first.
// CHECK-LABEL: define {{.*}} @element_decides(
// CHECK:         fcmp ogt float
// CHECK:         store float {{.*}}, ptr
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, {{.*}}, ptr %c, i64 %n, i64 1, i64 %m, i64 %n, i64 %k)
PRODUCT(element_decides, float s = 0; if (a[i] > 0) s = v[j])
// CHECK-LABEL: define {{.*}} @row_decides(
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, {{.*}}, ptr %c, i64 %n, i64 1, i64 %m, i64 %n, i64 %k)
PRODUCT(row_decides, float s = 0; if (i > 3) s = v[j])
// CHECK: define internal

// CHECK-LABEL: define internal void @dl.matmul.nn.f32.1.tiles(
// CHECK:       br i1 %given
// CHECK:  {{.*}} = load <8 x float>
