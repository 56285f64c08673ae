// A kernel is transformed once: without link-time optimization, with full LTO and
// with ThinLTO; at compile time where the plugin runs there, else at link time.
//
// REQUIRES: native-x86, lld
//
// RUN: split-file %s %t
// RUN: %clang_dl -O2 -mavx2 -mfma -c %t/a.c -o %t/none.o -Rpass=dl-vectorize 2>&1 | FileCheck %s --check-prefix=COMPILE
// COMPILE: a.c:2:3: remark: {{.*}} kernel number 1
// COMPILE-NOT: remark:
//
// Loaded twice: nothing happens twice.
// RUN: %clang_dl -O2 -mavx2 -mfma -fpass-plugin=%plugin -c %t/a.c -o %t/twice.o -Rpass=dl-vectorize 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: cmp %t/none.o %t/twice.o
//
// Full LTO: what was processed is not looked at again, the rest is.
// RUN: %clang -O2 -mavx2 -mfma -gline-tables-only -flto -c %t/b.c -o %t/b.o
// RUN: %clang_dl -O2 -mavx2 -mfma -gline-tables-only -flto -c %t/a.c -o %t/a.o -Rpass=dl-vectorize 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: %preload %clang -O2 -flto -fuse-ld=lld -shared -nostdlib %t/a.o %t/b.o -o %t/full.so \
// RUN:   -Wl,--load-pass-plugin=%plugin -Wl,-mllvm,-pass-remarks=dl- -Wl,-mllvm,-pass-remarks-missed=dl- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FULL --implicit-check-not=a.c:
// RUN: llvm-nm %t/full.so | FileCheck %s --check-prefix=KEPT
// FULL: b.c:{{[0-9]+}}:{{[0-9]+}}:
// KEPT: t dl.matmul.nn.f32.0
//
// ThinLTO: the other module is transformed in its back end.
// RUN: %clang -O2 -mavx2 -mfma -gline-tables-only -flto=thin -c %t/b.c -o %t/b.thin.o
// RUN: %clang_dl -O2 -mavx2 -mfma -gline-tables-only -flto=thin -c %t/a.c -o %t/a.thin.o -Rpass=dl-vectorize 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: %preload %clang -O2 -flto=thin -fuse-ld=lld -shared -nostdlib %t/a.thin.o %t/b.thin.o -o %t/thin.so \
// RUN:   -Wl,--load-pass-plugin=%plugin -Wl,-mllvm,-pass-remarks=dl- -Wl,-mllvm,-pass-remarks-missed=dl- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=THIN --implicit-check-not=a.c:
// THIN: b.c:2:3: {{.*}} kernel number 1
//
//--- a.c
void processed(int n, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

//--- b.c
void unprocessed(int n, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
