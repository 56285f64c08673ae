// What levels bring, in clang, and that -ftime-report and opt's
// -time-passes have the plugin's own time.
// REQUIRES: x86-registered-target
//
// DEFINE: %{compile} = %clang_dl --target=x86_64-linux-gnu -Rpass=dl- -c %s -o /dev/null
// RUN: %{compile} -O1 2>&1 | FileCheck %s --check-prefixes=ANY,SAME
// RUN: %{compile} -O2 2>&1 | FileCheck %s --check-prefixes=ANY,SAME
// RUN: %{compile} -O3 2>&1 | FileCheck %s --check-prefixes=ANY,CHOSEN
// ANY: levels.c:[[@LINE+17]]:3: remark: matmul.nn f32
// SAME-NOT: at run time
// CHOSEN-SAME: avx512 at run time, avx2 at run time
//
// Where nothing is done nothing is said.
// RUN: %{compile} -O0 2>&1 | count 0
// RUN: %{compile} -Os 2>&1 | count 0
// RUN: %{compile} -Oz 2>&1 | count 0
//
// RUN: %{compile} -O2 -ftime-report 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: %clang --target=x86_64-linux-gnu -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='dl<O2>' -time-passes -disable-output - 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: Pass execution timing report
// TIME-DAG: dlopt::PreparePass
// TIME-DAG: dlopt::RecognizePass
// TIME-DAG: dlopt::VectorizePass
void multiply(int m, int n, int k, const float *restrict a, const float *restrict b,
              float *restrict c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int l = 0; l < k; ++l)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
