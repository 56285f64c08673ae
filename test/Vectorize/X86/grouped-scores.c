// Scores of a head of a group (llama2.c): a call beside the product takes it apart, and the
// product is one again, though where its rows begin is a quotient.
// RUN: %emit --target=x86_64-linux-gnu -fno-discard-value-names %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes=dl-vectorize -pass-remarks=dl-vectorize -pass-remarks-missed=dl- 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// REQUIRES: x86-registered-target
float sqrtf(float);

// CHECK: reduce f32, {{.*}}: exact, loops apart from products
// CHECK: matvec f32, {{.*}} x %size: exact
// CHECK-NOT: left alone
void scores(float *att, const float *q, const float *keys, int layer, int pitch, int head,
            int group, int size, int last) {
  for (int t = 0; t <= last; t++) {
    const float *k = keys + layer + t * pitch + (head / group) * size;
    float score = 0.0f;
    for (int i = 0; i < size; i++)
      score += q[i] * k[i];
    score /= sqrtf(size);
    att[t] = score;
  }
}
