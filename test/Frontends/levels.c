// clang's levels: products are transformed at O1, O2 and O3; at O0, Os and Oz
// objects are the same with and without the plugin. Once is enough: loaded twice,
// the plugin does what it does when loaded once.
//
// RUN: %clang_dl -O1 -march=haswell -Rpass=dl-vectorize -c -o %t.1.o %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: llvm-nm %t.1.o | FileCheck %s
// RUN: %clang_dl -O2 -march=haswell -Rpass=dl-vectorize -c -o %t.2.o %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: llvm-nm %t.2.o | FileCheck %s
// RUN: %clang_dl -O3 -march=haswell -Rpass=dl-vectorize -c -o %t.3.o %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: llvm-nm %t.3.o | FileCheck %s
// RUN: %clang_dl -O3 -march=haswell -fpass-plugin=%plugin -Rpass=dl-vectorize -c -o %t.twice.o %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cmp %t.3.o %t.twice.o
//
// RUN: %clang -O0 -march=haswell -c -o %t.plain.o %s
// RUN: %clang_dl -O0 -march=haswell -c -o %t.dl.o %s
// RUN: cmp %t.plain.o %t.dl.o
// RUN: %clang -Os -march=haswell -c -o %t.plain.o %s
// RUN: %clang_dl -Os -march=haswell -c -o %t.dl.o %s
// RUN: cmp %t.plain.o %t.dl.o
// RUN: %clang -Oz -march=haswell -c -o %t.plain.o %s
// RUN: %clang_dl -Oz -march=haswell -c -o %t.dl.o %s
// RUN: cmp %t.plain.o %t.dl.o
// REQUIRES: native-x86

// CHECK:     {{ t dl\.matmul\.nn\.f32\.0}}
// CHECK-NOT: dl.matmul.nn.f32.1

// REMARK-COUNT-1: kernel number 1
// REMARK-NOT:     remark:
void product(int n, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// The attributes of one function count for it alone.
//
// RUN: %clang_dl -O3 -march=haswell -S -emit-llvm -DATTRIBUTES -o - %s | FileCheck %s --check-prefix=ATTRIBUTES
// ATTRIBUTES-LABEL: define {{.*}}@product(
// ATTRIBUTES:         call {{.*}}@dl.matmul
// ATTRIBUTES-LABEL: define {{.*}}@not_optimized(
// ATTRIBUTES-NOT:     call {{.*}}@dl.matmul
// ATTRIBUTES-LABEL: define {{.*}}@small(
// ATTRIBUTES-NOT:     call {{.*}}@dl.matmul
// ATTRIBUTES-LABEL: define {{.*}}@last(
#ifdef ATTRIBUTES
__attribute__((optnone)) void not_optimized(int n, const float *a,
                                            const float *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
__attribute__((minsize)) void small(int n, const float *a, const float *b,
                                    float *c) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void last(void) {}
#endif
