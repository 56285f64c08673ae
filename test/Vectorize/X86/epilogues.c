// Work on the sum: operands of the generated function behind the others, and
// what is done to the tile.
// Instructions as LLVM 22 simplifies and prints them.
// REQUIRES: llvm-22
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=lanes %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=TILES
#define PRODUCT(NAME, ...)                                                     \
  void NAME(long m, long n, long k, const float *a, const float *b, float *c,  \
            const float *v, const float *r, float alpha, float beta,           \
            int flag) {                                                        \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++) {                                           \
        float s = 0;                                                           \
        for (long l = 0; l < k; l++)                                           \
          s += a[i * k + l] * b[l * n + j];                                    \
        __VA_ARGS__;                                                           \
      }                                                                        \
  }

// Scalars are values; the old element of C needs no argument.
// CHECK-LABEL: define {{.*}} @axpby(
// CHECK: call void @dl.matmul.nn.f32.0(ptr %c, {{.*}} i64 %m, i64 %n, i64 %k, float %alpha, float %beta)
PRODUCT(axpby, c[i * n + j] = alpha * s + beta * c[i * n + j])
// TILES-LABEL: define {{.*}} @dl.matmul.nn.f32.0.tiles(
// TILES:       br i1 %last
// TILES:       [[OLD:%.*]] = load <8 x float>
// TILES:       fmul <8 x float> {{.*}}, [[OLD]]
// TILES:       call <8 x float> @llvm.fmuladd.v8f32(
// TILES-LABEL: define {{.*}} @dl.matmul.nn.f32.0.packed(
// TILES:       %sums = getelementptr

// A vector of columns: its rows are 0 apart.
// CHECK-LABEL: define {{.*}} @bias(
// CHECK: ptrtoint ptr %v
// CHECK: call void @dl.matmul.nn.f32.1({{.*}} i64 %m, i64 %n, i64 %k, ptr %v, i64 0)
PRODUCT(bias, c[i * n + j] = s + v[j])
// Nothing needs the old C: it holds the partial sums.
// TILES-LABEL: define {{.*}} @dl.matmul.nn.f32.1.packed(
// TILES-NOT:   %sums = getelementptr

// One element per row.
// CHECK-LABEL: define {{.*}} @row_scale(
// CHECK: call void @dl.matmul.nn.f32.2({{.*}} i64 %m, i64 %n, i64 %k, ptr %v, i64 1)
PRODUCT(row_scale, c[i * n + j] = s * v[i])

// CHECK-LABEL: define {{.*}} @residual(
// CHECK: call void @dl.matmul.nn.f32.1({{.*}} i64 %m, i64 %n, i64 %k, ptr %r, i64 %n)
PRODUCT(residual, c[i * n + j] = s + r[i * n + j])

// What is added may be one of the factors.
// CHECK-LABEL: define {{.*}} @residual_a(
// CHECK: call void @dl.matmul.nn.f32.1({{.*}} i64 %m, i64 %n, i64 %k, ptr %a, i64 %n)
PRODUCT(residual_a, c[i * n + j] = s + a[i * n + j])

// These differ for NaN and -0, and stay different.
// CHECK-LABEL: define {{.*}} @relu_greater(
// CHECK: call void @dl.matmul.nn.f32.3(
PRODUCT(relu_greater, c[i * n + j] = s > 0 ? s : 0)
// TILES-LABEL: define {{.*}} @dl.matmul.nn.f32.3.tiles(
// TILES: [[TEST:%.*]] = fcmp ogt <8 x float> [[S:%.*]], zeroinitializer
// TILES: select <8 x i1> [[TEST]], <8 x float> [[S]], <8 x float> zeroinitializer
// CHECK-LABEL: define {{.*}} @relu_less(
// CHECK: call void @dl.matmul.nn.f32.4(
PRODUCT(relu_less, if (s < 0) s = 0; c[i * n + j] = s)
// TILES-LABEL: define {{.*}} @dl.matmul.nn.f32.4.tiles(
// TILES: [[TEST:%.*]] = fcmp olt <8 x float> [[S:%.*]], zeroinitializer
// TILES: select <8 x i1> [[TEST]], <8 x float> zeroinitializer, <8 x float> [[S]]
// CHECK-LABEL: define {{.*}} @relu_max(
// CHECK: call void @dl.matmul.nn.f32.5(
PRODUCT(relu_max, c[i * n + j] = __builtin_fmaxf(s, 0))
// TILES-LABEL: define {{.*}} @dl.matmul.nn.f32.5.tiles(
// TILES: call <8 x float> @llvm.maxnum.v8f32(<8 x float> {{.*}}, <8 x float> zeroinitializer)

// Two stores under opposite conditions are one of either.
// CHECK-LABEL: define {{.*}} @two_stores(
// CHECK: call void @dl.matmul.nn.f32.3(
PRODUCT(two_stores, if (s > 0) c[i * n + j] = s; else c[i * n + j] = 0)

// A test that is the same for all elements stays one.
// CHECK-LABEL: define {{.*}} @flagged(
// CHECK: call void @dl.matmul.nn.f32.6({{.*}}, i32 %flag)
PRODUCT(flagged, c[i * n + j] = flag ? (s > 0 ? s : 0) : s)
// TILES-LABEL: define {{.*}} @dl.matmul.nn.f32.6.tiles(
// TILES: [[IS:%.*]] = icmp eq i32 %x, 0
// TILES: select i1 [[IS]], <8 x float>

// The transpose of a matrix: the last argument is the distance of its columns.
// CHECK-LABEL: define {{.*}} @transposed(
// CHECK: call void @dl.matmul.nn.f32.7({{.*}}, ptr %r, i64 1, i64 %m)
PRODUCT(transposed, c[i * n + j] = s + r[j * m + i])
// An addition that looks like an update.
// CHECK-LABEL: define {{.*}} @doubled(
// CHECK: call void @dl.matmul.nn.f32.8(
PRODUCT(doubled, c[i * n + j] += 2 * s)

// A load under a condition: in loops behind the product.
// CHECK-LABEL: define {{.*}} @sometimes_read(
// CHECK: call void @dl.matmul.nn.f32.9(
// CHECK: fcmp ogt float
// CHECK: load float
PRODUCT(sometimes_read, if (s > 0) s += v[j]; c[i * n + j] = s)

// Numbers of another type: in loops behind the product, too.
// CHECK-LABEL: define {{.*}} @other_type(
// CHECK: call void @dl.matmul.nn.f32.9(
// CHECK: sitofp i16
PRODUCT(other_type, c[i * n + j] = s + ((const short *)v)[j])

// An integer that is the same for all.
// CHECK-LABEL: define {{.*}} @converted(
// CHECK: call void @dl.matmul.nn.f32.10({{.*}}, i32 %flag)
PRODUCT(converted, c[i * n + j] = s / (float)flag)
// TILES-LABEL: define {{.*}} @dl.matmul.nn.f32.10.tiles(
// TILES: sitofp i32 %x to float

// Left alone: a store under a condition, another element of C.
// CHECK-NOT: call void @dl.matmul
PRODUCT(sometimes, if (s > 0) c[i * n + j] = s)
PRODUCT(other_element, c[i * n + j] = s + c[j])
PRODUCT(other_sum, c[i * n + j] = v[j])
// CHECK: define internal
