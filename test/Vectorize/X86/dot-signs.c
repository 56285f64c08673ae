// Bytes of the other sign than the instruction wants become such as they are read, on
// cores that do so beside the products; on others they are copied first.
// DEFINE: %{cpu} =
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu -march=%{cpu} %s | %opt -mcpu=%{cpu} -S -o %t.ll -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>%t.remarks
// REDEFINE: %{cpu} = znver5
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,BESIDE
// REDEFINE: %{cpu} = znver4
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,BESIDE
// REDEFINE: %{cpu} = sapphirerapids
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,COPIED

// CHECK: script dots:
// CHECK: offset t1 %a u8
// COPIED: stage %a F factors {{.*}} as u8
// BESIDE-NOT: stage %a
// CHECK: stage %b D packed
// CHECK: mode r1 row vpdpbusd
void product(int *restrict c, const signed char *restrict a, const signed char *restrict b, int m,
             int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// Unsigned bytes whose columns have zero points: these are of any sign then.
// CHECK: script dots:
// CHECK: offset t1 %b i8
// CHECK: distribute t1 f rows
// CHECK-NOT: stage %a
// CHECK: stage %b D packed {{.*}} as i8
// CHECK: mode r1 row vpdpbusd
void columns(int *restrict c, const unsigned char *restrict a, const unsigned char *restrict b,
             const int *restrict zero, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      unsigned s = 0;
      for (int l = 0; l < k; l++)
        s += (unsigned)a[i * k + l] * (unsigned)(b[l * n + j] - zero[j]);
      c[i * n + j] = s;
    }
}
