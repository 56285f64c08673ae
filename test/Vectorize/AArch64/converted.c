// Bytes with a zero point stay bytes where that is known to leave some; floats are
// copied as floats.
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | %opt -mattr=+dotprod -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// CHECK: %m x %n x %k: exact, by the script dots, kernel number{{s?}} 1
// CHECK: stage %a F factors {{.*}} as f32
// CHECK: stage %b D packed {{.*}} as f32
// CHECK: mode x_ row interleave4
void halves(float *restrict c, const _Float16 *restrict a,
            const signed char *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += (float)a[i * k + l] * (float)b[j * k + l];
      c[i * n + j] = s;
    }
}
