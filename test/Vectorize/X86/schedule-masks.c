// Masks that are known when code is made are asked for nothing, and what is copied into
// squares is turned around in registers wherever a block ends.
// RUN: %emit --target=x86_64-linux-gnu -march=x86-64-v4 %s | %opt -passes=dl-vectorize,verify -S | FileCheck %s

// Rows of 14 are one vector of 16 under a mask, columns beyond them another one: some lane
// runs in each, so that what all lanes share is read.
// CHECK-LABEL: define internal void @dl.schedule.0(
// CHECK-NOT: vector.reduce.or
// CHECK-NOT: masked.scatter
// CHECK: ret void
void apart(const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int f = 0; f < 64; f++)
    for (int y = 0; y < 14; y++)
      for (int x = 0; x < 14; x++) {
        float sum = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++)
            if (y + r >= 1 && y + r <= 14 && x + s >= 1 && x + s <= 14)
              sum += in[(f * 14 + y + r - 1) * 14 + x + s - 1] * wt[(f * 3 + r) * 3 + s];
        out[(f * 14 + y) * 14 + x] = sum;
      }
}

// 65 channels are no blocks of one size, the last one is shorter than a square.
// CHECK-LABEL: define internal void @dl.schedule.1(
// CHECK-NOT: masked.scatter
// CHECK: shufflevector <16 x float>
// CHECK-NOT: masked.scatter
// CHECK: ret void
void rest(const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int f = 0; f < 64; f++)
    for (int y = 0; y < 54; y++)
      for (int x = 0; x < 56; x++) {
        float sum = 0;
        for (int c = 0; c < 65; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              sum += in[(c * 56 + y + r) * 58 + x + s] * wt[((f * 65 + c) * 3 + r) * 3 + s];
        out[(f * 54 + y) * 56 + x] = sum;
      }
}
