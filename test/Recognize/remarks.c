// One verdict for each loop nest of the source, at the user's line; what was
// inlined is said where it was called.
// RUN: %clang --target=x86_64-linux-gnu -gline-tables-only -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.in.ll
// RUN: %opt -passes='dl-prepare<all>,function(dl-recognize<prepared>)' -pass-remarks-missed=dl-recognize -pass-remarks-analysis=dl-recognize -S %t.in.ll -o %t.ll 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt --implicit-check-not=remark:
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR

float unknown(float);

static inline float at(const float *x, long w, long i, long j) {
  return x[i * w + j];
}

// CHECK-DAG: remark: {{.*}}remarks.c:[[@LINE+5]]:3: kernel: matmul.nn f32, %m x %n x %k, tier exact
// IR-LABEL: define {{.*}} @product(
// IR:         !dl.kernel [[PRODUCT:![0-9]+]]
void product(long m, long n, long k, const float *restrict a,
             const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += at(a, k, i, l) * at(b, n, l, j);
      c[i * n + j] = s;
    }
}

// CHECK-DAG: remark: {{.*}}remarks.c:[[@LINE+3]]:3: kernel: scale f32, %n, tier exact
// IR:         !dl.kernel [[SCALE:![0-9]+]]
void scale(long n, float *x) {
  for (long i = 0; i < n; i++)
    x[i] *= 2.0f;
}

// CHECK-DAG: remark: {{.*}}remarks.c:[[@LINE+5]]:22: {{.*}}left alone: a call that {{.*}}: 'unknown'
// IR-NOT:     !dl.kernel
void calls(long n, float *x) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      x[i * n + j] = unknown(x[i * n + j]);
}

// The same call keeps both loops around a kernel: that is said once.
// CHECK-DAG: remark: {{.*}}remarks.c:[[@LINE+9]]:22: {{.*}}left alone: a call that {{.*}}: 'unknown'
// CHECK-DAG: remark: {{.*}}remarks.c:[[@LINE+6]]:7: kernel: dot f32, %n, tier exact
// IR:         !dl.kernel
void around(long n, const float *restrict a, float *restrict y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < n; l++)
        s += a[i * n + l] * a[j * n + l];
      y[i * n + j] = unknown(s);
    }
}

// IR-DAG: [[PRODUCT]] = !{!"matmul.nn f32"}
// IR-DAG: [[SCALE]] = !{!"map f32"}
