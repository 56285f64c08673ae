// Generated functions are called by what they compute for whom, and their
// instructions are at the lines of what they stand for.
//
// DEFINE: %{dl} = %clang_dl --target=x86_64-linux-gnu -march=skylake-avx512 -O3 -S -emit-llvm
// RUN: %{dl} -g -o %t.ll %s && FileCheck %s --input-file=%t.ll
// RUN: opt -passes=verify -disable-output %t.ll
// RUN: %{dl} -gline-tables-only -o %t.lines.ll %s
// RUN: FileCheck %s --check-prefix=LINES --input-file=%t.lines.ll --implicit-check-not='!DILocalVariable'
// RUN: %{dl} -o %t.none.ll %s && FileCheck %s --check-prefix=NONE --input-file=%t.none.ll
// For remarks alone there is nothing to describe.
// RUN: %{dl} -Rpass=none -o %t.remarks.ll %s && FileCheck %s --check-prefix=NONE --input-file=%t.remarks.ll

static float at(const float *P, int I) { return P[I]; }

void linear(const float *restrict In, const float *restrict Weight,
            const float *restrict Bias, float *restrict Out, int B, int I,
            int O) {
  for (int b = 0; b < B; b++)
    for (int o = 0; o < O; o++) {
      float Sum = Bias[o];
      for (int i = 0; i < I; i++)
        Sum += at(In, b * I + i) *
               Weight[o * I + i];
      Out[b * O + o] = Sum;
    }
}

void squares(float *restrict Y, const float *restrict X, int N) {
  for (int i = 0; i < N; i++)
    Y[i] = 1.0f /
           (at(X, i) *
            X[i]);
}

/// The same code serves both.
void more_squares(float *restrict Y, const float *restrict X, int N) {
  for (int i = 0; i < N; i++)
    Y[i] = 1.0f / (X[i] * X[i]);
}

// clang-format off
// CHECK:      define internal {{.*}}@dl.lanes.map.f32.0({{.*}} !dbg ![[MAP:[0-9]+]]
// CHECK:         llvm.masked.load{{.*}}, !dbg ![[LOAD:[0-9]+]]
// CHECK:         fmul <16 x float>{{.*}}, !dbg ![[MUL:[0-9]+]]
// CHECK:         fdiv <16 x float>{{.*}}, !dbg ![[DIV:[0-9]+]]
// CHECK:         llvm.masked.store{{.*}}, !dbg ![[STORE:[0-9]+]]
//
// CHECK: distinct !DISubprogram(name: "matmul.nt of linear, debug-info.c:[[#LINEAR:]] (tiles)"
// CHECK-SAME: line: [[#LINEAR]], {{.*}}flags: DIFlagArtificial, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized
// What is not there is optimized out.
// CHECK: !DILocalVariable(name: "Weight",
//
// CHECK: ![[MAP]] = distinct !DISubprogram(name: "map of squares, debug-info.c:[[#SQUARES:]], and others"
// CHECK-SAME: line: [[#SQUARES]],
// CHECK-DAG: ![[LOAD]] = !DILocation(line: {{[0-9]+}}, column: {{[0-9]+}}, scope: ![[AT:[0-9]+]], inlinedAt: ![[CALL:[0-9]+]])
// CHECK-DAG: ![[CALL]] = distinct !DILocation(line: [[#SQUARES+2]], column: 13, scope: ![[MAP]])
// CHECK-DAG: ![[MUL]] = !DILocation(line: [[#SQUARES+2]], column: 22, scope: ![[MAP]])
// CHECK-DAG: ![[DIV]] = !DILocation(line: [[#SQUARES+1]], column: 17, scope: ![[MAP]])
// CHECK-DAG: ![[STORE]] = !DILocation(line: [[#SQUARES+1]], column: 10, scope: ![[MAP]])
//
// LINES: distinct !DISubprogram(name: "matmul.nt of linear, debug-info.c:{{[0-9]+}} (tiles)"
// NONE:  define internal {{.*}}@dl.lanes.map.f32.0(
// NONE-NOT: DISubprogram(name: "{{[^"]*}} of 
