// What keeps an outer loop from being a kernel may be the bound of one inside:
// the remark at the outer one says which. Blocks are copied by functions that
// the source names.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -Rpass-missed=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
void *memcpy(void *, const void *, unsigned long);

// CHECK: inner-bounds.c:[[#@LINE+4]]:{{.*}} left alone: the number of iterations is not known before the loop: that of the loop in line [[#@LINE+7]];
void windows(const float *x, int w, int k, int s, int p, int d, int oh, int ow, float *restrict o) {
  int n = 0;
  for (int y = 0; y < oh; y++)
    for (int q = 0; q < ow; q++) {
      int at = s * q - p, first = at < 0 ? -at / d : 0, last = (w - at) / d < k ? (w - at) / d : k;
      float sum = 0;
      for (int j = first; j < last; j++)
        sum += x[y * w + at + j * d];
      o[n++] = sum;
    }
}

// CHECK: inner-bounds.c:[[#@LINE+3]]:{{.*}} left alone: an operation the kernel model does not have: 'memcpy' of a block whose elements, place or size are not known
void rows(const void *x, const int *sizes, int rows, char *restrict o) {
  for (int i = 0; i < rows; i++)
    memcpy(o + i * 1000, x, sizes[i]);
}
