// Lanes that store rows under a mask and read the next ones: the load would wait
// until what is stored is in the cache if the vector reaches into these rows.
//
// RUN: %clang_dl --target=x86_64-linux-gnu -O3 -mavx512f -S -emit-llvm -fno-discard-value-names -o - %s | FileCheck %s
// REQUIRES: x86-registered-target

// A vector's lanes, or a quarter of them in rows that are as far apart.
//
// CHECK-LABEL: define {{.*}} @scan(
// CHECK:       icmp {{ugt|sgt}} i64 %n, 3
// CHECK:       icmp {{ugt|sgt}} i64 %pitch, 15
// CHECK:       icmp {{ugt|sgt}} i64 %n, 15
// CHECK:       call {{.*}} @dl.lanes
void scan(long m, long n, long pitch, float *restrict x, const float *restrict a) {
  for (long j = 0; j < n; j++)
    for (long i = 1; i < m; i++)
      x[i * pitch + j] = x[i * pitch + j] * a[i] + x[(i - 1) * pitch + j] * a[j];
}
