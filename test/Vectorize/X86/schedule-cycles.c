// Where all sizes are numbers, cycles decide which script is taken.
// DEFINE: %{flags} = -march=x86-64-v4 -mtune=sapphirerapids
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %{flags} %s | \
// DEFINE:   %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize' 2>&1
// RUN: %{run} | FileCheck %s
// Without the tables of a family's ports there are those of any CPU of its level.
// REDEFINE: %{flags} = -march=x86-64-v3
// RUN: %{run} | FileCheck %s --check-prefix=AVX2
// All that could have been taken, on request.
// REDEFINE: %{flags} = -march=x86-64-v4 -mtune=sapphirerapids
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %{flags} %s | \
// RUN:   %opt -disable-output -pass-remarks-analysis=dl-scripts -passes=dl-vectorize 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: not taken: script packed of 2 rows:
// LIST-NEXT: split f F 16
// LIST: not taken: script tiles:
// LIST: about {{[1-9][0-9]*}} cycles
// LIST: not taken: script tiles of 1 vector:
// LIST-NEXT: split x X
// LIST: not taken: script tiles of 2 vectors:
// LIST: not taken: script tiles of 3 vectors:
// LIST: schedule-cycles.c:{{.*}} not taken: script packed:

// Many filters of many channels: their weights are packed.
// CHECK: schedule-cycles.c:[[#@LINE+7]]:{{.*}} by the script packed
// CHECK: mode z_,f_ row interleave16
// CHECK: about {{[1-9][0-9]*}} cycles
// CHECK-NEXT: the next best: script packed of 2 rows, about {{[1-9][0-9]*}} cycles
// AVX2: schedule-cycles.c:[[#@LINE+3]]:{{.*}} by the script packed
// AVX2: the next best: script {{.*}}, about {{[1-9][0-9]*}} cycles
void many(const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int f = 0; f < 64; f++)
    for (int y = 0; y < 54; y++)
      for (int x = 0; x < 54; x++) {
        float sum = 0;
        for (int c = 0; c < 64; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              sum += in[(c * 56 + y + r) * 56 + x + s] * wt[((f * 64 + c) * 3 + r) * 3 + s];
        out[(f * 54 + y) * 54 + x] = sum;
      }
}

// 33 filters would be three vectors, of which one has one: pixels are lanes.
// CHECK: schedule-cycles.c:[[#@LINE+8]]:{{.*}} by the script tiles
// CHECK: split x X 48 rest
// CHECK-NEXT: split f F 6 3
// CHECK: about {{[1-9][0-9]*}} cycles
// CHECK-NEXT: the next best: script tiles of 2 vectors, about {{[1-9][0-9]*}} cycles
// AVX2: schedule-cycles.c:[[#@LINE+3]]:{{.*}} by the script packed
// AVX2: about {{[1-9][0-9]*}} cycles
void odd(const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int f = 0; f < 33; f++)
    for (int y = 0; y < 11; y++)
      for (int x = 0; x < 59; x++) {
        float sum = 0;
        for (int c = 0; c < 17; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              sum += in[(c * 13 + y + r) * 61 + x + s] * wt[((f * 17 + c) * 3 + r) * 3 + s];
        out[(f * 11 + y) * 59 + x] = sum;
      }
}

// Seven sums wait for each other: two rows, which share weights, have fourteen.
// CHECK: schedule-cycles.c:[[#@LINE+9]]:{{.*}} by the script packed
// CHECK-NEXT: script packed of 2 rows:
// CHECK-NEXT: split f F 16
// CHECK: split p1 P 2 1
// CHECK-NEXT: order D P X p1 x f
// CHECK: order r1 r2 p1 x r3 f
// CHECK: mode p1 unroll
// CHECK: about {{[1-9][0-9]*}} cycles
void few(const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int f = 0; f < 64; f++)
    for (int y = 0; y < 7; y++)
      for (int x = 0; x < 7; x++) {
        float sum = 0;
        for (int c = 0; c < 64; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              sum += in[(c * 9 + y + r) * 9 + x + s] * wt[((f * 64 + c) * 3 + r) * 3 + s];
        out[(f * 7 + y) * 7 + x] = sum;
      }
}

// A window of one instruction for each element is straight code, and 48 of 56 pixels
// are three vectors, as whose rest one under a mask is.
// CHECK: schedule-cycles.c:[[#@LINE+7]]:{{.*}} by the script strips
// CHECK-NEXT: script strips:
// CHECK-NEXT: split x X 48 rest
// CHECK: mode r2 unroll
// CHECK-NEXT: mode r1 unroll
// CHECK: the next best: script strips
void apart(const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int f = 0; f < 64; f++)
    for (int y = 0; y < 56; y++)
      for (int x = 0; x < 56; x++) {
        float sum = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++)
            sum += in[(f * 58 + y + r) * 58 + x + s] * wt[(f * 3 + r) * 3 + s];
        out[(f * 56 + y) * 56 + x] = sum;
      }
}

// Of sizes that nobody knows there are no cycles, and the first script is taken.
// CHECK: schedule-cycles.c:[[#@LINE+5]]:{{.*}} by the script packed
// CHECK-NOT: about
// AVX2: schedule-cycles.c:[[#@LINE+3]]:{{.*}} by the script packed
// AVX2-NOT: about
void unknown(int filters, const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < 11; y++)
      for (int x = 0; x < 59; x++) {
        float sum = 0;
        for (int c = 0; c < 17; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              sum += in[(c * 13 + y + r) * 61 + x + s] * wt[((f * 17 + c) * 3 + r) * 3 + s];
        out[(f * 11 + y) * 59 + x] = sum;
      }
}
