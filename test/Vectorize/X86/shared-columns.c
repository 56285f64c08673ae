// Windows that move by two elements share what is in registers: of a row two vectors and
// an element are read for three columns. Loops that LLVM would unroll and vectorize have
// a script, too, where their windows share columns; else they are left to it as a whole,
// rows inside as well.
// RUN: %clang_dl -O3 -march=x86-64-v4 -S -emit-llvm -o %t.ll %s -Rpass=dl-vectorize -Rpass-missed=dl-vectorize 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
// RUN: env DLOPT_OPTIONS=disable=schedules %clang_dl -O3 -march=x86-64-v4 -S -emit-llvm -o %t.ll %s -Rpass=dl-vectorize 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: by the script
// REQUIRES: x86-registered-target
#define POOL(NAME, N, R, STEP)                                                 \
  void NAME(float *restrict y, const float *restrict x) {                      \
    for (int c = 0; c < 64; c++)                                               \
      for (int i = 0; i < N; i++)                                              \
        for (int j = 0; j < N; j++) {                                          \
          float s = 0;                                                         \
          for (int r = 0; r < R; r++)                                          \
            for (int t = 0; t < R; t++)                                        \
              s += x[(c * 128 + i * STEP + r) * 128 + j * STEP + t];           \
          y[(c * N + i) * N + j] = s;                                          \
        }                                                                      \
  }

// CHECK-DAG: shared-columns.c:[[#@LINE+6]]:{{.*}} 64 x 32 x 32 x 3 x 3: exact, by the script strips
// IR-LABEL: define internal {{.*}}@dl.schedule.0(
// IR-COUNT-4: load <16 x float>
// IR-NOT:     load <16 x float>
// IR-COUNT-2: load float
// IR:         br i1
POOL(shared, 32, 3, 2)
// Its columns are apart from each other.
// CHECK-DAG: shared-columns.c:[[#@LINE+1]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
POOL(apart, 32, 2, 2)
// Three pixels are few for a vector.
// CHECK-DAG: shared-columns.c:[[#@LINE+1]]:{{.*}} 64 x 3 x 3 x 3 x 3: exact, iterations of i
POOL(narrow, 3, 3, 2)
