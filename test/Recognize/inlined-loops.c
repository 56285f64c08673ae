// A line that calls a function has the verdicts of all loops of it, each with its place;
// a loop around kernels says so, and not what is inside of them.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -S -o /dev/null -Rpass=dl-vectorize -Rpass-analysis=dl-recognize -Rpass-missed=dl-recognize %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
void log_row(int);

static inline __attribute__((always_inline)) void both(int n, float *restrict a, const float *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * b[i] + 1;
  for (int i = 0; i < n; i++)
    log_row(n + i);
}

// CHECK-DAG: :[[#@LINE+2]]:{{[0-9]+}}: remark: kernel: {{.*}}, tier exact (in 'both', {{.*}}inlined-loops.c:9) [-Rpass-analysis=dl-recognize]
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}left alone: a call that may have side effects: 'log_row' (in 'both', {{.*}}inlined-loops.c:12); what helps: {{.*}} [-Rpass-missed=dl-recognize]
void caller(int n, float *restrict a, const float *restrict b) { for (int i = 0; i < n; i++) both(n, a + i * n, b); }

// CHECK-DAG: :[[#@LINE+3]]:3: remark: {{.*}}left alone: {{.*}}; loops inside are kernels [-Rpass-missed=dl-recognize]
// CHECK-DAG: :[[#@LINE+3]]:5: remark: kernel: {{.*}}, tier exact [-Rpass-analysis=dl-recognize]
void around(int m, const int *ends, float **rows) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < ends[i]; j++)
      rows[i][j] = 1 / (1 + rows[i][j]);
}
