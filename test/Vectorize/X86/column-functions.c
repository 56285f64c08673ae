// Of fewer rows than a register has lanes, columns side by side fill one for
// functions with the library's bits; sums go on column by column.
// RUN: %emit --target=x86_64-linux-gnu -march=skylake-avx512 -mprefer-vector-width=512 %s | %opt -passes='dl-vectorize,verify,function(sroa,instsimplify,early-cse)' -S -o - | FileCheck %s
float expf(float);

// Four lanes: four columns of a tile, each lane's factor four times.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK: i.x4.body{{[0-9]*}}:
// CHECK: shufflevector <4 x float> {{.*}}, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0,
// CHECK: columns.body{{[0-9]*}}:
// CHECK: load <16 x float>, ptr {{.*}}, align 64
// CHECK: store <16 x float> {{.*}}, align 64
// CHECK: j.body{{.*}}:
// CHECK: load <4 x float>, ptr
// CHECK: fadd <4 x float>
// CHECK: ret void
void sums(long m, long n, float *restrict y, const float *restrict x,
          const float *restrict f) {
  for (long i = 0; i < m; i++) {
    float sum = 0, factor = f[i];
    for (long j = 0; j < n; j++)
      sum += expf(x[i * n + j] * factor);
    y[i] = sum;
  }
}

// What a function is computed of changes from round to round: lane by lane of a
// column.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK: i.x4.body{{[0-9]*}}:
// CHECK-NOT: columns.body
// CHECK: ret void
void chains(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum = expf(x[i * n + j] - sum);
    y[i] = sum;
  }
}
