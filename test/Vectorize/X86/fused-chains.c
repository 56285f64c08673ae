// Fused multiply-adds of the source need the instruction, in vectors of any width: a
// CPU that prefers narrow ones has it for wide ones, too.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -march=cascadelake %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.ll
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -march=haswell %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=NONE
float fmaf(float, float, float);

// CHECK: fused-chains.c:[[#@LINE+6]]:3: matmul.nn f32, %m x %n x %k: exact
// NONE: fused-chains.c:[[#@LINE+5]]:3: {{.*}}left alone: recognized; no schedule for this target
// IR-LABEL: define internal {{.*}} @dl.matmul.nn.f32.0.tiles(
// IR: call <16 x float> @llvm.fma.v16f32(
void product(long m, long n, long k, float *restrict c, const float *restrict a,
             const float *restrict b) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s = fmaf(a[i * k + l], b[l * n + j], s);
      c[i * n + j] = s;
    }
}
