// Sums of another type than their factors or results: factors are extended when
// they are copied, and results are rounded at the end of the chains.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=CODE
#define PRODUCT(NAME, FROM, SUM, TO, ...)                                      \
  void NAME(long m, long n, long k, const FROM *a, const FROM *b, TO *c,       \
            const float *v, const double *w) {                                 \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++) {                                           \
        SUM s = 0;                                                             \
        for (long l = 0; l < k; l++)                                           \
          s += (SUM)a[i * k + l] * b[l * n + j];                               \
        __VA_ARGS__;                                                           \
      }                                                                        \
  }

// CHECK-LABEL: define {{.*}} @in_double(
// CHECK: call void @dl.matmul.nn.f64.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr @dl.start.0.f64, i64 0, i64 0, i64 %m, i64 %n, i64 %k)
PRODUCT(in_double, float, double, float, c[i * n + j] = (float)s)
// CODE-LABEL: define {{.*}} @dl.matmul.nn.f64.0.tiles(
// CODE:       load <4 x double>
// CODE:       fptrunc <4 x double> {{.*}} to <4 x float>
// CODE:       store <4 x double>
// CODE:       store <4 x float>
// CODE-LABEL: define {{.*}} @dl.matmul.nn.f64.0.packed(
// CODE-DAG:   %panels = alloca i8, i64 {{%.*}}, align 64
// CODE-DAG:   %sums = getelementptr double, ptr %panels,
// CODE:       load <4 x float>
// CODE:       fpext <4 x float> {{.*}} to <4 x double>

// A C that can hold the sums does.
// CHECK-LABEL: define {{.*}} @to_double(
// CHECK: call void @dl.matmul.nn.f64.1(
PRODUCT(to_double, float, double, double, c[i * n + j] = s)
// CODE-LABEL: define {{.*}} @dl.matmul.nn.f64.1.packed(
// CODE-NOT:   %sums = getelementptr
// CODE-LABEL: define {{.*}} @dl.matmul.nn.f64.2.tiles(

// Operands of what is stored have their own types.
// CHECK-LABEL: define {{.*}} @bias(
// CHECK: call void @dl.matmul.nn.f64.2({{.*}}, ptr %v, i64 0)
PRODUCT(bias, float, double, float, c[i * n + j] = (float)s + v[j])
// CHECK-LABEL: define {{.*}} @only_stored(
// CHECK: call void @dl.matmul.nn.f32.0({{.*}}, ptr %w, i64 0)
PRODUCT(only_stored, float, float, double, c[i * n + j] = s + w[j])

// Left alone: the product is rounded first, one factor alone is extended, a
// start value is extended, sums of a type without schedules.
// CHECK-NOT: call void @dl.matmul
void rounded(long m, long n, long k, const float *a, const float *b, double *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      double s = 0;
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
void one_factor(long m, long n, long k, const float *a, const double *b, double *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      double s = 0;
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
void started(long m, long n, long k, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      double s = c[i * n + j];
      for (long l = 0; l < k; l++)
        s += (double)a[i * k + l] * b[l * n + j];
      c[i * n + j] = (float)s;
    }
}
PRODUCT(half, _Float16, float, float, c[i * n + j] = s)
// CHECK: define internal
