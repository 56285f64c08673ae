// What may be added in any order is run by the scripts that are taken for what may
// not: products are fused with their sums, which stay as they are.
// DEFINE: %{ir} = %emit -gline-tables-only --target=x86_64-linux-gnu -march=x86-64-v4 -mtune=sapphirerapids %s
// DEFINE: %{run} = %opt -pass-remarks-analysis=dl-schedule -passes=dl-vectorize
// RUN: %{ir} | %{run} -disable-output > %t.exact 2>&1
// RUN: %{ir} -ffast-math | %{run} -S -o %t.ll > %t.fast 2>&1
// RUN: %{ir} | %{run},verify -disable-output -dl-fp=fast > %t.option 2>&1
// RUN: diff %t.exact %t.fast && diff %t.exact %t.option
// RUN: FileCheck %s --input-file=%t.exact --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.ll

// By one product for each multiplication and addition the order of the list was another.
// REMARK: script packed:
// REMARK: about {{[1-9][0-9]*}} cycles
// CHECK-LABEL: define internal void @dl.schedule.0(
// CHECK-NOT: = fmul
// CHECK: call nnan ninf nsz arcp contract afn <16 x float> @llvm.fmuladd.v16f32(
// CHECK-NOT: = fmul
void steps(const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int f = 0; f < 33; f++)
    for (int y = 0; y < 17; y++)
      for (int x = 0; x < 13; x++) {
        float sum = 0;
        for (int c = 0; c < 17; c++)
          for (int r = 0; r < 5; r++)
            for (int s = 0; s < 5; s++)
              sum += in[(c * 37 + 2 * y + r) * 29 + 2 * x + s] * wt[((f * 17 + c) * 5 + r) * 5 + s];
        out[(f * 17 + y) * 13 + x] = sum;
      }
}
