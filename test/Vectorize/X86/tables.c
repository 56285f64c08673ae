// Tables of bytes in registers: of the bits of a byte, with what lies between the entries
// that are read copied in front.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx512vbmi,+avx512bw,+avx512vl,+avx512dq -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2 -S -passes=dl-vectorize | FileCheck %s --check-prefix=AVX2
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+sse2 -S -passes=dl-vectorize | FileCheck %s --check-prefix=SSE2
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | %opt -S -passes=dl-vectorize | FileCheck %s --check-prefix=NEON
typedef unsigned char u8;
// SSE2-NOT: pshuf
// AVX2: @llvm.x86.avx2.pshuf.b
// NEON: @llvm.aarch64.neon.tbl4.v16i8

// REMARK-DAG: tables.c:[[#@LINE+2]]:{{.*}}: exact, iterations of i in 4 vectors of 16
void bytes(u8 *y, const u8 *x, const u8 *t, int n) {
  for (int i = 0; i < n; i++)
    y[i] = t[x[i]];
}
// The table is too large for registers.
// REMARK-DAG: tables.c:[[#@LINE+2]]:{{.*}}left alone
void words(unsigned *y, const u8 *x, const unsigned *t, int n) {
  for (int i = 0; i < n; i++)
    y[i] = t[x[i]];
}
// Each index is what an earlier round may have written, as far as types say.
// REMARK-DAG: tables.c:[[#@LINE+3]]:{{.*}}left alone
void in_place(u8 *y, const u8 *t, int n) {
  for (int i = 0; i < n; i++)
    y[i] = t[y[i]];
}
// The table changes.
// CHECK-LABEL: define {{.*}} @changed(
// CHECK-NOT: dl.lanes
void changed(u8 *t, const u8 *x, int n) {
  for (int i = 0; i < n; i++)
    t[i] = t[x[i]];
}
// Nobody reads entries that a condition may keep from being read.
// CHECK-LABEL: define {{.*}} @asked(
// CHECK-NOT: dl.lanes
void asked(u8 *y, const u8 *x, const u8 *t, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] < 200)
      y[i] = t[x[i]];
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.i8.0(
// CHECK: i.range.body:
// CHECK: call <64 x i8> @llvm.umin.v64i8
// CHECK: call <64 x i8> @llvm.umax.v64i8
// CHECK: call void @llvm.memcpy
// CHECK: i.x64.body:
// CHECK: [[AT:%.*]] = load <64 x i8>
// CHECK: [[LOW:%.*]] = call <64 x i8> @llvm.x86.avx512.vpermi2var.qi.512(<64 x i8> {{.*}}, <64 x i8> [[INDEX:%.*]], <64 x i8>
// CHECK: [[HIGH:%.*]] = call <64 x i8> @llvm.x86.avx512.vpermi2var.qi.512(<64 x i8> {{.*}}, <64 x i8> [[INDEX]], <64 x i8>
// CHECK: [[UPPER:%.*]] = icmp ne <64 x i8>
// CHECK: select <64 x i1> [[UPPER]], <64 x i8> [[HIGH]], <64 x i8> [[LOW]]
