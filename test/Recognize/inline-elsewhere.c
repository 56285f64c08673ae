// Inline functions whose definition is another file's are inlined here, and dropped: their loops have
// their verdict at their own lines. What is heard changes no code.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -Rpass-analysis=dl-recognize -Rpass-missed=dl-recognize -S -o %t.heard %s 2>&1 | FileCheck %s
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -S -o %t.unheard %s
// RUN: diff %t.heard %t.unheard
// REQUIRES: x86-registered-target
inline void rescale(float *x, int n, float by) {
  // CHECK-DAG: inline-elsewhere.c:[[#@LINE+1]]:{{.*}} kernel: scale f32
  for (int i = 0; i < n; i++)
    x[i] *= by;
}
inline float unused(const float *x, int n) {
  float s = 0;
  // CHECK-NOT: inline-elsewhere.c:[[#@LINE+1]]:
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
int next(void);
inline void unknown(float *x, int n) {
  // CHECK-DAG: inline-elsewhere.c:[[#@LINE+2]]:{{.*}} left alone: a call
  for (int i = 0; i < n; i++)
    x[i] = next();
}
void caller(float *x, float *y, int n) {
  rescale(x, n, 3);
  unknown(y, n);
}
