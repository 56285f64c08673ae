// Rows that have arrays for themselves are run in blocks, of which products of matrices
// are made.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=row-blocks %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=stack=1k %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -S -passes=dl-vectorize | FileCheck %s --check-prefix=PTX
// RUN: %emit -DSOFTMAX -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize' -dl-limit=1 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT-COUNT-1: kernel number
// LIMIT-NOT: kernel number
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target
// PTX-NOT: dl.matmul
// OFF-NOT: blocks of rows
// Where the stack has no room there are none, but of scalars and of arrays that are there.
// SMALL-COUNT-3: blocks of rows
// SMALL-NOT: blocks of rows
float expf(float);
void free(void *);
void *malloc(unsigned long);
#define FOR(I, E) for (long I = 0; I < E; I++)
#ifndef SOFTMAX
#define ATTENTION(NAME, OUTSIDE, INSIDE, END, BEHIND)                          \
  void NAME(long h, long t, long d, const float *restrict q,                   \
            const float *restrict k, const float *restrict v,                  \
            float *restrict of, float *restrict out) {                         \
    OUTSIDE;                                                                   \
    FOR(a, h) FOR(i, t) {                                                      \
      INSIDE;                                                                  \
      float max = -1e30f, sum = 0;                                             \
      FOR(j, END) {                                                            \
        float dot = 0;                                                         \
        FOR(x, d) dot += q[(a * t + i) * d + x] * k[(a * t + j) * d + x];      \
        s[j] = dot;                                                            \
        max = dot > max ? dot : max;                                           \
      }                                                                        \
      FOR(j, END) {                                                            \
        s[j] = expf(s[j] - max);                                               \
        sum += s[j];                                                           \
      }                                                                        \
      FOR(x, d) {                                                              \
        float o = 0;                                                           \
        FOR(j, END) o += s[j] * v[(a * t + j) * d + x];                        \
        out[(a * t + i) * d + x] = o / sum;                                    \
      }                                                                        \
    }                                                                          \
    BEHIND;                                                                    \
  }
// A row of scores: 48 of these are a block.
// CHECK: row-blocks.c:[[#@LINE+11]]:{{.*}} exact, loops by blocks of rows, kernel number{{s?}} 1
// CHECK: matmul.nn f32, %p x %d x %t: exact
// CHECK: matmul.nt f32, %p x %t x %d: exact
// IR-LABEL: define {{.*}} @local(
// IR: icmp sle i64 %{{.*}}, 511
// IR: %[[STACK:.*]] = call ptr @llvm.stacksave
// IR-DAG: %[[BLOCK:.*]] = alloca [24576 x float], align 64
// IR-DAG: alloca [48 x float], align 64
// IR: call void @dl.matmul.nt.f32.{{.*}}(ptr %[[BLOCK]], i64 512,
// IR: call void @dl.matmul.nn.f32.{{.*}}ptr %[[BLOCK]], i64 512,
// IR: call void @llvm.stackrestore.p0(ptr %[[STACK]])
ATTENTION(local, , float s[512], t, )
// CHECK: row-blocks.c:[[#@LINE+8]]:{{.*}} exact, loops by blocks of rows
// Of an array of any size rows are this long or run as they were; what the last one has
// left is stored behind all.
// IR-LABEL: define {{.*}} @scratch(
// IR: icmp sle i64 %{{.*}}, 1023
// IR: alloca [24576 x float]
// IR: %[[TO:.*]] = getelementptr float, ptr %of, i64 %k
// IR-NEXT: store float %{{.*}}, ptr %[[TO]]
ATTENTION(scratch, float *s = of, , t, )
// Nothing is stored where nobody looks.
// CHECK: row-blocks.c:[[#@LINE+1]]:{{.*}} exact, loops by blocks of rows
ATTENTION(heap, float *s = malloc(t * sizeof(float)), , t, free(s))
// Scores of all rows stay; what is made of each row is in blocks.
// CHECK: row-blocks.c:[[#@LINE+1]]:{{.*}} exact, loops by blocks of rows
ATTENTION(scores, , float *s = of + (a * t + i) * t, t, )
// A row that ends with itself is two: what all rows of a block have, and a triangle.
// CHECK: row-blocks.c:[[#@LINE+4]]:{{.*}} exact, loops by blocks of rows
// CHECK-DAG: matmul.nt f32, %p x %p x %d, lower triangle: exact
// CHECK-DAG: matmul.nt f32, %p x 48*%{{.*}} x %d: exact
// CHECK-DAG: matmul.nn f32, %p x %d x i + 1: exact
ATTENTION(causal, , float s[512], i + 1, )
#define LAYERS(NAME, START)                                                    \
  void NAME(long m, long n, const float *restrict x, const float *restrict w,  \
            const float *restrict v, float *restrict out) {                    \
    float hidden[32] = {0};                                                    \
    FOR(i, m) {                                                                \
      FOR(j, 32) {                                                             \
        float o = START;                                                       \
        FOR(k, n) o += x[i * n + k] * w[k * 32 + j];                           \
        hidden[j] = o > 0 ? o : 0;                                             \
      }                                                                        \
      FOR(j, n) {                                                              \
        float o = 0;                                                           \
        FOR(k, 32) o += hidden[k] * v[k * n + j];                              \
        out[i * n + j] = o;                                                    \
      }                                                                        \
    }                                                                          \
  }
// CHECK: row-blocks.c:[[#@LINE+1]]:{{.*}} exact, loops by blocks of rows
LAYERS(layers, 0)
// A row that begins with what another one has left is not for itself.
// CHECK-NOT: blocks of rows
LAYERS(running, hidden[j])
#endif
// Functions along rows and sums of rows are apart, in place, too.
// CHECK: row-blocks.c:[[#@LINE+5]]:{{.*}} exact, loops by blocks of rows
// CHECK: row-blocks.c:[[#@LINE+4]]:{{.*}} exact, where %x is %y, loops by blocks of rows
// CHECK: map f32, %p x %n: exact, iterations of j in
// CHECK: sum f32, %p x %n: exact, iterations of i in
void softmax(float *y, const float *x, long m, long n) {
  FOR(i, m) {
    float max = x[i * n], sum = 0;
    for (long j = 1; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    FOR(j, n) {
      y[i * n + j] = expf(x[i * n + j] - max);
      sum += y[i * n + j];
    }
    FOR(j, n) y[i * n + j] /= sum;
  }
}
// Not of short rows, and not of sums alone.
// CHECK-NOT: blocks of rows
void few(float *y, const float *x, long m) {
  FOR(i, m) {
    float sum = 0;
    FOR(j, 4) {
      y[i * 4 + j] = expf(x[i * 4 + j]);
      sum += y[i * 4 + j];
    }
    FOR(j, 4) y[i * 4 + j] /= sum;
  }
}
void norm(float *restrict y, const float *restrict x, long m, long n) {
  FOR(i, m) {
    float sum = 0;
    FOR(j, n) sum += x[i * n + j];
    FOR(j, n) y[i * n + j] = x[i * n + j] / sum;
  }
}
