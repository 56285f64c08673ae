// Row loops next to loops that call the library: their vectors are as wide as LLVM's own
// where wider ones lower the clock, and maxima that LLVM vectorizes are left to it.
// DEFINE: %{cpu} = -march=cascadelake
// DEFINE: %{defines} =
// DEFINE: %{run} = %emit -gline-tables-only %{defines} --target=x86_64-linux-gnu %s %{cpu} | %opt -S -o /dev/null -passes='dl-vectorize,verify' -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize 2>&1
// RUN: %{run} | FileCheck %s --check-prefixes=NARROW,LEFT
// REDEFINE: %{cpu} = -march=znver5
// RUN: %{run} | FileCheck %s --check-prefixes=WIDE,LEFT
// Where nothing calls the library, lanes of the row are faster.
// REDEFINE: %{cpu} = -march=cascadelake
// REDEFINE: %{defines} = -DNO_CALLS
// RUN: %{run} | FileCheck %s --check-prefixes=WIDE,TAKEN
#ifdef NO_CALLS
#define expf(X) ((X) * (X))
#else
float expf(float);
#endif

// The maximum is a function of its own, as it is of iterators.
// NARROW-DAG: calls-beside.c:[[#@LINE+4]]:{{.*}} max f32, {{.*}} in 4 vectors of 8, kernel number
// WIDE-DAG: calls-beside.c:[[#@LINE+3]]:{{.*}} max f32, {{.*}} in 4 vectors of 16, kernel number
static float __attribute__((noinline)) greatest(const float *x, int n) {
  float max = x[0];
  for (int i = 1; i < n; i++)
    max = x[i] > max ? x[i] : max;
  return max;
}

float softmax(float *x, int n) {
  float max = greatest(x, n), sum = 0;
  for (int i = 0; i < n; i++) {
    x[i] = expf(x[i] - max);
    sum += x[i];
  }
  return sum;
}

// Functions in lanes take the time themselves: their vectors are wide.
// LEFT-DAG: calls-beside.c:[[#@LINE+2]]:{{.*}} exp f32, {{.*}} in 2 vectors of 16,
void functions(float *restrict y, const float *restrict x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

// LEFT-DAG: calls-beside.c:[[#@LINE+4]]:{{.*}} left alone: recognized; exact results need reductions in the order of the source (-ffast-math or fp=fast permits another)
// TAKEN-DAG: calls-beside.c:[[#@LINE+3]]:{{.*}} max f32, {{.*}} in 4 vectors of 16, kernel number
float numbers(const float *x, int n) {
  float max = -__builtin_inff();
  for (int i = 0; i < n; i++)
    max = __builtin_fmaxf(max, x[i]);
  return max;
}
