// Remarks call sizes and arrays what the source calls them, as far as it is known.
//
// REQUIRES: x86-registered-target
//
// RUN: %clang_dl --target=x86_64-linux-gnu -mavx2 -O2 -c %s -o %t.o -Rpass=dl-vectorize '-Rpass-analysis=dl-(recognize|vectorize)' -Rpass-missed=dl- 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %clang_dl --target=x86_64-linux-gnu -mavx2 -O2 -g -c %s -o %t.g.o -Rpass=dl-vectorize '-Rpass-analysis=dl-(recognize|vectorize)' 2>&1 | FileCheck %s --check-prefixes=NAMES,MEMBERS
// RUN: %clang_dl --target=x86_64-linux-gnu -mavx2 -O2 -fno-discard-value-names -c %s -o %t.o -Rpass=dl-vectorize '-Rpass-analysis=dl-(recognize|vectorize)' 2>&1 | FileCheck %s --check-prefix=NAMES
//
// The kernel itself has names that do not depend on debug information.
// RUN: %clang --target=x86_64-linux-gnu -O2 -g -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: params %arg0:i32{{.*}} %arg1:i32{{.*}} %arg2:i32

// NONE-DAG: kernel: matmul.nn f32, argument 1 x argument 2 x argument 3, tier exact
// NONE-DAG: remark: matmul.nn f32, argument 1 x argument 2 x argument 3: exact
// NAMES-DAG: kernel: matmul.nn f32, %rows x %columns x %depth, tier exact
// NAMES-DAG: remark: matmul.nn f32, %rows x %columns x %depth: exact
void product(int rows, int columns, int depth, const float *restrict a, const float *restrict b, float *restrict c) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      float s = 0;
      for (int p = 0; p < depth; ++p)
        s += a[i * depth + p] * b[p * columns + j];
      c[i * columns + j] = s;
    }
}

// Of a helper that is inlined, the names of who calls it.
static inline __attribute__((always_inline)) void sigmoid(int helper, const float *from, float *to) {
  for (int i = 0; i + 1 < helper; ++i)
    to[i] = 1 / (1 + __builtin_expf(-from[i]));
}
// NONE-DAG: remark: sigmoid f32, argument 2 x argument 1 - 1: exact, where argument 3 is argument 4,
// NAMES-DAG: remark: sigmoid f32, %rounds x %count - 1: exact, where %x is %y,
void apply(int count, int rounds, const float *x, float *y) {
  for (int r = 0; r < rounds; ++r)
    sigmoid(count, x + r * count, y + r * count);
}

// What may be done about it is said behind the reason.
// NONE-DAG: left alone: a call that may have side effects: 'send'; what helps: its definition in the same file, -flto, or a loop of its own for the call [-Rpass-missed=dl-recognize]
int send(float);
void find(const float *x) {
  for (int i = 0; send(x[i]); ++i)
    ;
}

// Members, of structs in structs, too.
struct size { int height, width; };
typedef struct { const float *weights; struct size of; int channels; } layer;
typedef struct { long step; const layer *first; } network;
// MEMBERS-DAG: kernel: matmul.nt f32, %images x %net->first->of.width x %net->first->channels, tier exact
void dense(const network *restrict net, int images, const float *restrict x, float *restrict y) {
  for (int i = 0; i < images; ++i)
    for (int j = 0; j < net->first->of.width; ++j) {
      float s = 0;
      for (int k = 0; k < net->first->channels; ++k)
        s += x[i * net->first->channels + k] * net->first->weights[j * net->first->channels + k];
      y[i * net->first->of.width + j] = s;
    }
}
