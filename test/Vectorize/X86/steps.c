// Operands that are read backwards, and whose columns are apart: what is called.
// A constant of a few elements is part of the generated code, any other step is
// its last arguments.
// RUN: %emit --target=x86_64-linux-gnu -DTYPE=float %s | env DLOPT_OPTIONS=disable=lanes %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll -DTY=f32
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=CODE
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REFUSED
// RUN: %emit --target=x86_64-linux-gnu -DTYPE=double %s | env DLOPT_OPTIONS=disable=lanes %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll -DTY=f64
// RUN: %emit --target=aarch64-linux-gnu -DTYPE=float %s | env DLOPT_OPTIONS=disable=lanes %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll -DTY=f32
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=NEON
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REFUSED
// RUN: %emit --target=nvptx64-nvidia-cuda -DTYPE=float %s | %opt -S -o %t.ll -pass-remarks-missed=dl- -passes=dl-vectorize 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=NVPTX
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=GPU
// GPU-COUNT-6: left alone: recognized; no schedule for this target: a GPU target
// NVPTX-NOT: call {{.*}}@dl.
typedef TYPE T;

#define PRODUCT(NAME, A, B)                                                    \
  void NAME(long m, long n, long k, long s, long t, const T *a, const T *b,    \
            T *c) {                                                            \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++) {                                           \
        T sum = 0;                                                             \
        for (long l = 0; l < k; l++)                                           \
          sum += a[A] * b[B];                                                  \
        c[i * n + j] = sum;                                                    \
      }                                                                        \
  }

// The sum from its last term to its first: A is read in place, the rows of B
// begin with the last. The guard tests how far they are apart.
// REMARK: remark: {{.*}}: matmul.nn f32, {{.*}}: exact, tile
// CHECK-LABEL: define {{.*}} @down(
// CHECK-DAG: [[LDB:%.*]] = mul i64 %n, -1
// CHECK-DAG: [[DISTANCE:%.*]] = sub i64 0, [[LDB]]
// CHECK: or i64 {{.*}}[[DISTANCE]]
// CHECK: call void @dl.matmul.nn.[[TY]].0(ptr %c, i64 %n, ptr [[LASTA:%.*]], i64 %k, ptr [[LASTB:%.*]], i64 [[LDB]], ptr @dl.start.0.[[TY]], i64 0, i64 0, i64 %m, i64 %n, i64 %k)
void down(long m, long n, long k, const T *a, const T *b, T *c) {
  for (long i = m - 1; i >= 0; i--)
    for (long j = n; j-- > 0;) {
      T sum = 0;
      for (long l = k - 1; l >= 0; l--)
        sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}
// REMARK: remark: {{.*}}: matmul.nn f32, {{.*}}: exact, tile
// CHECK-LABEL: define {{.*}} @mirrored(
// CHECK: call void @dl.matmul.nn.[[TY]].1(ptr %c, i64 %n, ptr {{%.*}}, i64 {{%.*}}, ptr {{%.*}}, i64 %n, ptr {{.*}}, i64 0, i64 0, i64 %m, i64 %n, i64 %k)
PRODUCT(mirrored, (m - 1 - i) * k + l, l * n + n - 1 - j)
// REMARK: remark: {{.*}}: matmul.nn f32, {{.*}}: exact, tile
// CHECK-LABEL: define {{.*}} @second_columns(
// CHECK-DAG: [[LDA:%.*]] = mul i64 %k, 2
// CHECK-DAG: [[LDB:%.*]] = mul i64 %n, 2
// CHECK: call void @dl.matmul.nn.[[TY]].2(ptr %c, i64 %n, ptr %a, i64 [[LDA]], ptr %b, i64 [[LDB]], ptr {{.*}}, i64 0, i64 0, i64 %m, i64 %n, i64 %k)
PRODUCT(second_columns, 2 * (i * k + l), 2 * (l * n + j))
// REMARK: remark: {{.*}}: matmul.tt f32, {{.*}}: exact, tile
// CHECK-LABEL: define {{.*}} @second_transposed(
// CHECK-DAG: [[LDA:%.*]] = mul i64 %m, 2
// CHECK-DAG: [[LDB:%.*]] = mul i64 %k, 2
// CHECK: call void @dl.matmul.tt.[[TY]].0(ptr %c, i64 %n, ptr %a, i64 [[LDA]], ptr %b, i64 [[LDB]], ptr {{.*}}, i64 0, i64 0, i64 %m, i64 %n, i64 %k)
PRODUCT(second_transposed, 2 * (l * m + i), 2 * (j * k + l))
// REMARK: remark: {{.*}}: matmul.nn f32, {{.*}}: exact, tile
// CHECK-LABEL: define {{.*}} @any(
// CHECK: call void @dl.matmul.nn.[[TY]].3(ptr %c, i64 %n, ptr %a, i64 %s, ptr %b, i64 %s, ptr {{.*}}, i64 0, i64 0, i64 %m, i64 %n, i64 %k, i64 %t, i64 %t)
PRODUCT(any, i * s + l * t, l * s + j * t)
// The guard tests a step backwards without its sign.
// REMARK: remark: {{.*}}: matmul.nn f32, {{.*}}: exact, tile
// CHECK-LABEL: define {{.*}} @any_down(
// CHECK: [[STEP:%.*]] = mul i64 %t, -1
// CHECK: sub i64 0, [[STEP]]
// CHECK: call void @dl.matmul.nn.[[TY]].4(ptr %c, i64 %n, ptr {{%.*}}, i64 %s, ptr {{%.*}}, i64 {{%.*}}, ptr {{.*}}, i64 0, i64 0, i64 %m, i64 %n, i64 %k, i64 [[STEP]])
PRODUCT(any_down, i * s + (k - 1 - l) * t, (k - 1 - l) * n + j)

// Columns of C are apart: the last argument says how far.
// REMARK: remark: {{.*}}: exact, tile
// CHECK-LABEL: define {{.*}} @second_of_c(
// CHECK: call void @dl.matmul.nn.[[TY]].5(ptr %c, i64 {{%.*}}, ptr %a, {{.*}}, i64 %m, i64 %n, i64 %k, i64 2)
void second_of_c(long m, long n, long k, const T *a, const T *b, T *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      T sum = 0;
      for (long l = 0; l < k; l++)
        sum += a[2 * (i * k + l)] * b[2 * (l * n + j)];
      c[2 * (i * n + j)] = sum;
    }
}
// The start is read backwards.
// REMARK: remark: {{.*}}: exact, tile
// CHECK-LABEL: define {{.*}} @bias_down(
// CHECK: call void @dl.matmul.nn.[[TY]].6(ptr %c, {{.*}}, i64 0, i64 -1, i64 %m, i64 %n, i64 %k)
void bias_down(long m, long n, long k, const T *a, const T *b, const T *bias,
               T *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      T sum = bias[n - 1 - j];
      for (long l = 0; l < k; l++)
        sum += a[i * k + l] * b[l * n + n - 1 - j];
      c[i * n + j] = sum;
    }
}
// The step is not the same for all rows.
// REFUSED: left alone: recognized; no schedule for this kind yet
// CHECK-LABEL: define {{.*}} @bent(
// CHECK-NOT: call void @dl
// CHECK: ret void
PRODUCT(bent, i * s + l * l, l * n + j)

// Tiles read A where it lies, backwards; vectors of B are put together from as
// many as its elements are apart, of which the last ends with the last element.
// CODE-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
// CODE: mul i64 %k, -1
// CODE-LABEL: define internal void @dl.matmul.nn.f32.1.packed(
// CODE: [[FIRST:%.*]] = getelementptr float, ptr {{%.*}}, i64 -7
// CODE: [[V:%.*]] = load <8 x float>, ptr [[FIRST]], align 4
// CODE: shufflevector <8 x float> {{.*}}[[V]]{{.*}}, <8 x i32> <i32 {{15|7}}, i32 {{14|6}}, i32 {{13|5}}
// CODE-LABEL: define internal void @dl.matmul.nn.f32.2.packed(
// CODE: [[LOW:%.*]] = load <8 x float>, ptr [[P:%.*]], align 4
// CODE: getelementptr float, ptr [[P]], i64 7
// CODE: load <8 x float>
// CODE: shufflevector <8 x float> {{.*}}, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 9, i32 11, i32 13, i32 15>
// CODE-LABEL: define internal void @dl.matmul.nn.f32.3.packed(
// CODE-SAME: i64 noundef %step.a, i64 noundef %step.b)
// CODE: insertelement <8 x float>

// NEON multiplies by lanes of vectors of A, of which the last is the first step.
// NEON-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
// NEON: load <4 x float>
// NEON: extractelement <4 x float> {{%.*}}, i64 3
