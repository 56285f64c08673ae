// Element-wise loops, in every order of operands: what is gained over LLVM's own
// vectorizer is wider vectors in a plain build, and how large outputs are written.
// DEFINE: %{flags} = -O3
// DEFINE: %{options} = dispatch=1
// DEFINE: %{run} = env DLOPT_OPTIONS=%{options} %clang_dl --target=x86_64-linux-gnu %{flags} -w -Rpass=dl-vectorize -Rpass-missed=dl-vectorize -gline-tables-only -c %s -o %t.o 2>&1
// RUN: %{run} | FileCheck %s --check-prefix=PLAIN
// REDEFINE: %{options} =
// RUN: %{run} | FileCheck %s --check-prefix=PLAIN
// REDEFINE: %{flags} = -O3 -march=haswell
// RUN: %{run} | FileCheck %s --check-prefix=HASWELL
// Not below -O3, and not where a CPU is named.
// REDEFINE: %{options} = disable=streams
// RUN: %{run} | FileCheck %s --check-prefix=NONE
// REDEFINE: %{flags} = -O2
// RUN: %{run} | FileCheck %s --check-prefix=NONE
// REDEFINE: %{flags} = -O3 -mno-avx
// RUN: %{run} | FileCheck %s --check-prefix=NONE
// REDEFINE: %{flags} = -O3
// REDEFINE: %{options} = "disable=streams,widening"
// RUN: %{run} | FileCheck %s --check-prefix=NONE
// REDEFINE: %{flags} = -O3 --target=aarch64-linux-gnu
// REDEFINE: %{options} =
// RUN: %if aarch64-registered-target %{ %{run} | FileCheck %s --check-prefix=NONE %}
// NONE-NOT: : exact, iterations of i
// NONE-COUNT-17: left alone: recognized; LLVM's own loop vectorizer does the same
float fmaxf(float, float), fminf(float, float), fabsf(float);
#define MAX(x, y) ((x) > (y) ? (x) : (y))
static inline float relu(float x) { return x > 0 ? x : 0; }
static inline const float *getMax(const float *x, const float *y) {
  return *x < *y ? y : x;
}
#define MAP(NAME, F)                                                           \
  void NAME(float *to, const float *a, const float *b, float s, long n) {      \
    float Zero = 0;                                                            \
    for (long i = 0; i < n; i++) {                                             \
      float x = a[i], g = b[i];                                                \
      to[i] = F;                                                               \
    }                                                                          \
  }
// PLAIN-COUNT-17: f32, {{.*}}: exact, iterations of i in {{[24]}} vectors of 4, past the caches from 8388608 bytes on, avx512 at run time, avx2 at run time
// HASWELL-COUNT-18: f32, {{.*}}: exact, iterations of i in {{[24]}} vectors of 8, fetched ahead from 1048576 bytes on
MAP(relu_greater, x > 0 ? x : 0)
MAP(relu_less, 0 > x ? 0 : x)
MAP(relu_not, !(x > 0) ? 0 : x)
MAP(relu_equal, x >= 0 ? x : 0)
MAP(relu_fmax, fmaxf(0, x))
MAP(relu_helper, relu(x))
MAP(relu_macro, MAX(0, x))
MAP(relu_std, *getMax(&x, &Zero))
MAP(relu6, fminf(fmaxf(x, 0), 6))
MAP(leaky, x < 0 ? 0.01f * x : x)
MAP(hard_swish, x *fminf(fmaxf(x + 3, 0), 6) / 6)
MAP(clip, x < -s ? -s : x > s ? s : x)
MAP(relu_back, x > 0 ? g : 0)
MAP(relu_back_less, x <= 0 ? 0 : g)
MAP(relu6_back, x > 0 && x < 6 ? g : 0)
MAP(sigmoid_back, g *x * (1 - x))
// Stores to one element.
void relu_if(float *to, const float *a, long n) {
  for (long i = 0; i < n; i++)
    if (a[i] > 0)
      to[i] = a[i];
    else
      to[i] = 0;
}
// b may be read where it is greater only: masks of AVX2.
void threshold(float *to, const float *a, const float *b, long n) {
  for (long i = 0; i < n; i++)
    if (fabsf(a[i]) > 0.5f)
      to[i] = a[i];
    else
      to[i] = b[i] * 2;
}
