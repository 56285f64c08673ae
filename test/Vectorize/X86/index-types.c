// Indices of every width; products of unsigned ones may wrap, which is tested.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll

// CHECK-LABEL: define {{.*}} @index_int(
// CHECK:         [[M:%.*]] = sext i32 %m to i64
// CHECK:         [[N:%.*]] = sext i32 %n to i64
// CHECK:         [[K:%.*]] = sext i32 %k to i64
// CHECK-NOT:     4294967295
// CHECK:         br i1 {{.*}}, label %dl.fast, label %dl.original, !dl.guard
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 [[N]], ptr %a, i64 [[K]], ptr %b, i64 [[N]], ptr @dl.start.0.f32, i64 0, i64 0, i64 [[M]], i64 [[N]], i64 [[K]])
void index_int(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK-LABEL: define {{.*}} @index_size(
// CHECK-NOT:     4294967295
// CHECK:         br i1 {{.*}}, label %dl.fast, label %dl.original, !dl.guard
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr @dl.start.0.f32, i64 0, i64 0, i64 %m, i64 %n, i64 %k)
void index_size(__SIZE_TYPE__ m, __SIZE_TYPE__ n, __SIZE_TYPE__ k,
                const float *a, const float *b, float *c) {
  for (__SIZE_TYPE__ i = 0; i < m; i++)
    for (__SIZE_TYPE__ j = 0; j < n; j++) {
      float s = 0;
      for (__SIZE_TYPE__ l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// One test for each of the three addresses, on the index of its last element.
// CHECK-LABEL: define {{.*}} @index_unsigned(
// CHECK:         [[M:%.*]] = zext i32 %m to i64
// CHECK:         [[N:%.*]] = zext i32 %n to i64
// CHECK:         [[K:%.*]] = zext i32 %k to i64
// CHECK:         [[WRAP_C:%.*]] = icmp sle i64 {{.*}}, 4294967295
// CHECK:         [[WRAP_A:%.*]] = icmp sle i64 {{.*}}, 4294967295
// CHECK:         [[WRAP_B:%.*]] = icmp sle i64 {{.*}}, 4294967295
// CHECK:         br i1 {{.*}}, label %dl.fast, label %dl.original, !dl.guard
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 [[N]], ptr %a, i64 [[K]], ptr %b, i64 [[N]], ptr @dl.start.0.f32, i64 0, i64 0, i64 [[M]], i64 [[N]], i64 [[K]])
void index_unsigned(unsigned m, unsigned n, unsigned k, const float *a,
                    const float *b, float *c) {
  for (unsigned i = 0; i < m; i++)
    for (unsigned j = 0; j < n; j++) {
      float s = 0;
      for (unsigned l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK-LABEL: define {{.*}} @index_short(
// CHECK:         br i1 {{.*}}, label %dl.fast, label %dl.original, !dl.guard
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 [[N:%.*]], ptr %a, i64 [[K:%.*]], ptr %b, i64 [[N]], ptr @dl.start.0.f32, i64 0, i64 0, i64 {{%.*}}, i64 [[N]], i64 [[K]])
void index_short(short m, short n, short k, const float *a, const float *b,
                 float *c) {
  for (short i = 0; i < m; i++)
    for (short j = 0; j < n; j++) {
      float s = 0;
      for (short l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
