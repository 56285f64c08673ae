// What print<dl-buffers> says, and that it changes nothing.
// REQUIRES: x86-registered-target
// RUN: %clang --target=x86_64-linux-gnu -march=x86-64-v3 -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | \
// RUN:   %opt -passes='dl-prepare<all>,print<dl-buffers>' -S -o %t.ll | FileCheck %s
// RUN: %opt -passes='print<dl-buffers>' -S %t.ll -o %t.b.ll
// RUN: sed 's/^; Mod.*//; s/ *; preds.*//' %t.ll > %t.a && sed 's/^; Mod.*//; s/ *; preds.*//' %t.b.ll > %t.b && cmp %t.a %t.b

// One tensor behind the other: each is written whole before it is read.
// CHECK:      buffer both: 256 x f32
// CHECK-NEXT:   256 elements, 16 x 16
// CHECK-NEXT:     writes, kernel 0 @net
// CHECK-NEXT:     reads, kernel 1 @net
// CHECK-NEXT:   128 elements, 32 x 4, 16 x 8
// CHECK-NEXT:     writes, kernel 2 @net
// CHECK-NEXT:     reads, kernel 3 @net
static union {
  float a[16][16];
  float b[32][4];
} both;

// Half of it: the dimensions are those of its uses.
// CHECK-NEXT: buffer halves: 64 x f32
// CHECK-NEXT:   64 elements, 16 x 4
// CHECK-NEXT:     writes, kernel 1 @net
static float halves[2][32];

// CHECK-NEXT: buffer shown: 64 x f32
// CHECK-NEXT:   64 elements: BufferExported: other modules may see the array
// CHECK-NEXT:     writes, kernel 3 @net
float shown[16][4];

// Indices of other accesses keep their places.
// CHECK-NEXT: buffer order: 64 x i32
// CHECK-NEXT:   64 elements: BufferIndices: its elements are indices or conditions of other accesses
// CHECK-NEXT:     writes, kernel 0 @set
// CHECK-NEXT:     kernel 4 @net
static int order[16][4];

// CHECK-NEXT: buffer outside: 64 x f32
// CHECK-NEXT:   64 elements: BufferOutside: elements are used outside of what is known to be a kernel
// CHECK-NEXT:     writes, kernel 0 @find
static float outside[8][8];

// CHECK-NEXT: buffer scale: 16 x f32
// CHECK-NEXT:   16 elements: BufferShape: its uses have no two dimensions that could change places
// CHECK-NEXT:     reads, kernel 0 @net
static const float scale[16] = {1, 2, 3};

void net(const float *restrict in, float *restrict out, int n) {
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      both.a[i][j] = in[i * 16 + j] * scale[i];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 4; j++)
      halves[1][i * 4 + j] = both.a[i][j] + both.a[i + 8][j];
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 4; j++)
      both.b[i][j] = in[i * 4 + j];
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 4; j++)
      shown[i][j] = both.b[2 * i][j] + 1;
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 4; j++)
      out[i * 4 + j] = in[order[i][j]];
}

// It has other values.
void set(const int *restrict in) {
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 4; j++)
      order[i][j] = in[i * 4 + j];
}

int find(const float *restrict in) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      outside[i][j] = in[i * 8 + j] * 2;
  int i = 0;
  while (outside[i][i] < in[0])
    i = (i * 5 + 1) % 8;
  return i;
}
