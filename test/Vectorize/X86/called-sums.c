// Functions of sums get loops of their own behind the product, which puts the
// sums where their results go.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' -pass-remarks=dl-vectorize 2> %t.txt
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=REMARK
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' -pass-remarks=dl-vectorize 2> %t.txt
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=REMARK
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -S -passes=dl-vectorize | FileCheck %s --check-prefix=PTX
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target

// No products are made there.
// PTX-NOT: dl.matmul
float atanf(float);
float expf(float);
double atan(double);
#define FOR(I, E) for (long I = 0; I < E; I++)
#define PRODUCT(NAME, ...)                                                     \
  void NAME(long m, long n, long k, const float *a, const float *b, float *c,  \
            const float *v) {                                                  \
    FOR(i, m) FOR(j, n) {                                                      \
      float s = 0;                                                             \
      FOR(l, k) s += a[i * k + l] * b[l * n + j];                              \
      __VA_ARGS__;                                                             \
    }                                                                          \
  }

// REMARK: generic f32, {{.*}}: exact, loops apart from products
// REMARK: matmul.nn f32, %m x %n x %k: exact
// CHECK-LABEL: define {{.*}} @activation(
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n,
// CHECK:         [[SUM:%.*]] = load float, ptr %{{.*}}, align 4, !alias.scope
// CHECK-NEXT:    call float @atanf(float [[SUM]])
// CHECK:       }
PRODUCT(activation, c[i * n + j] = atanf(s))

// REMARK: matmul.nn f32, %m x %n x %k: exact
// CHECK-LABEL: define {{.*}} @bias(
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n,
// CHECK:         call float @expf(
// CHECK:       }
PRODUCT(bias, s += v[j]; c[i * n + j] = 1 / (1 + expf(-s)))

// The second product goes on where the first one ended.
// REMARK: matmul.nn f32, %m x %n x %k: exact
// REMARK: matmul.nt f32, %m x %n x %k: exact
// CHECK-LABEL: define {{.*}} @gate(
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, {{.*}}, ptr @dl.start
// CHECK:         call void @dl.matmul.nt.f32.0(ptr %c, i64 %n, ptr %a, {{.*}}, ptr %c,
// CHECK:         call float @atanf(
// CHECK:       }
PRODUCT(gate, FOR(l, k) s += a[i * k + l] * b[j * k + l];
        c[i * n + j] = atanf(s))

// What C held before is part of the result: it cannot hold the sum.
// REMARK-NOT: matmul
// CHECK-LABEL: define {{.*}} @used(
// CHECK-NOT:     dl.matmul
// CHECK:       }
PRODUCT(used, c[i * n + j] = atanf(s + c[i * n + j]))

// Another row of C is read before it gets its result.
// CHECK-LABEL: define {{.*}} @other(
// CHECK-NOT:     dl.matmul
// CHECK:       }
PRODUCT(other, s += atanf(c[i * n + n + j]); c[i * n + j] = s)

// The sum is not a number of the result's type.
// CHECK-LABEL: define {{.*}} @wide(
// CHECK-NOT:     dl.matmul
// CHECK:       }
void wide(long m, long n, long k, const float *a, const float *b, float *c) {
  FOR(i, m) FOR(j, n) {
    double s = 0;
    FOR(l, k) s += (double)a[i * k + l] * b[l * n + j];
    c[i * n + j] = (float)atan(s);
  }
}

// Where nothing is stored, no sum can wait.
// CHECK-LABEL: define {{.*}} @some(
// CHECK-NOT:     dl.matmul
// CHECK:       }
PRODUCT(some, if (s > 0) c[i * n + j] = atanf(s))

// Two sums at once.
// CHECK-LABEL: define {{.*}} @two(
// CHECK-NOT:     dl.matmul
// CHECK:       }
PRODUCT(two, float t = 0; FOR(l, k) t += b[l * n + j] * b[l * n + j];
        c[i * n + j] = s / atanf(t))

// Each round needs the place of its four sums again: they stay together with the
// calls, in vectors that are no longer than that.
// REMARK: generic f32, %m x 4 x %k: exact, iterations of {{.*}} vectors of 4
// CHECK-LABEL: define {{.*}} @gates(
// CHECK-NOT:     dl.matmul
// CHECK:       }
void gates(long m, long k, const float *a, const float *x, float *c) {
  FOR(i, m) {
    float g[4];
    FOR(j, 4) {
      float s = 0;
      FOR(l, k) s += a[(j * m + i) * k + l] * x[l];
      g[j] = s;
    }
    c[i] = atanf(g[0]) * g[1] + atanf(g[2]) * g[3];
  }
}
