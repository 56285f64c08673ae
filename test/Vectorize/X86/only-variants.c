// Where there are no vectors for what code is compiled for, but for what the machine may
// have, the guard asks for that.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=dispatch=1 %opt -S -o %t.ll -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
//
// Vectors as LLVM's are no gain with masks; without a CPU to ask there are none.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=dispatch=1 %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=dispatch=0 %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS='dispatch=1;disable=widening' %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: %emit -gline-tables-only --target=x86_64-unknown-none %s | env DLOPT_OPTIONS=dispatch=1 %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=LEFT
//
// Other targets have none.
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | env DLOPT_OPTIONS=dispatch=1 %opt -disable-output -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=OTHER --allow-empty
// RUN: %emit -gline-tables-only --target=nvptx64-nvidia-cuda %s | env DLOPT_OPTIONS=dispatch=1 %opt -disable-output -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=OTHER --allow-empty
//
// CHECK: leaky-relu f32, %n: exact, iterations of i in 4 vectors of 16, avx512 at run time, kernel number 1
// LEFT-NOT: exact
// LEFT: left alone
// LEFT-NOT: exact
// OTHER-NOT: at run time
//
// IR-LABEL: define {{.*}}@leak(
// IR: %[[HAS:.*]] = load i64, ptr @dl.cpu.features
// IR: %[[ALL:.*]] = and i64 %[[HAS]], [[MASK:[0-9]+]]
// IR: icmp eq i64 %[[ALL]], [[MASK]]
// IR: call {{.*}}@[[ENTRY:dl.lanes[^( ]*]](
//
// IR: define internal {{.*}}@[[ENTRY]](
// IR-NOT: br
// IR: call {{.*}}@[[ENTRY]].avx512(
// IR-NEXT: ret void
// IR-NOT: @[[ENTRY]].plain
void leak(float *x, float slope, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] < 0)
      x[i] *= slope;
}
