// Math functions that vectors compute with the bits of the library that the program
// meets: glibc's, a correctly rounded one, and two that no model fits, which are called.
// errno is what it is without the plugin.
//
// REQUIRES: native-x86, avx2
// DEFINE: %{flags} = -march=haswell
// DEFINE: %{library} =
// DEFINE: %{run} = \
// DEFINE:   %clang -O1 -fno-builtin %{library} %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} -DKERNELS=plain %s -c -o %t.plain.o && \
// DEFINE:   %clang_dl -O3 %{flags} -Rpass=dl-vectorize -DKERNELS=dl %s -c -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && %{run}
//
// RUN: %{check}
// REDEFINE: %{library} = -DLIBRARY='(float)exp(x)'
// RUN: %{run}
// REDEFINE: %{library} = -DLIBRARY='nextafterf((float)exp(x),INFINITY)'
// RUN: %{run}
// REDEFINE: %{library} = -DLIBRARY='(float)(exp(x)*(1+0x1p-29))'
// RUN: %{run}
// REDEFINE: %{library} =
// REDEFINE: %{flags} = -march=haswell -fno-math-errno
// RUN: %{check}
//
// The code for AVX-512, which the back end splits.
// RUN: %clang_dl -O3 -march=znver4 -DKERNELS=dl -S -emit-llvm %s -o %t.512.ll
// RUN: FileCheck %s --input-file=%t.512.ll --check-prefix=WIDE
// RUN: sed -E 's/"(target-cpu|target-features|tune-cpu)"="[^"]*"//g; s/@llvm\.x86\.avx512\.(vpermi2var|permvar)/@pick.\1/; /^declare .*@pick/d' %t.512.ll > %t.dl.ll
// RUN: cat %S/Inputs/wide-permutations.ll >> %t.dl.ll
// RUN: %clang -O1 -march=haswell -Xclang -disable-llvm-passes -c %t.dl.ll -o %t.dl.o
// RUN: %clang -O3 -march=haswell -DKERNELS=plain %s -c -o %t.plain.o
// RUN: %clang -O1 -fno-builtin %s %t.plain.o %t.dl.o -lm -o %t
// RUN: %t | FileCheck %s
// WIDE: fpext <16 x float>
// REMARK-COUNT-9: : exact,
// CHECK-NOT: differs
// CHECK: 2000 arrays
#define ARGUMENTS float *restrict y, const float *restrict x, long n

#ifdef KERNELS
#include <math.h>
#define NAME2(A, B) A##_##B
#define NAME1(A, B) NAME2(A, B)
#define KERNEL(NAME) void NAME1(KERNELS, NAME)(ARGUMENTS)
KERNEL(exps) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}
KERNEL(sigmoid) {
  for (long i = 0; i < n; i++)
    y[i] = 1.0f / (1.0f + expf(-x[i]));
}
KERNEL(elu) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : expf(x[i]) - 1.0f;
}
KERNEL(two) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]) - expf(y[i] * 0.5f);
}
KERNEL(softmax) {
  for (long r = 0; r + 9 <= n; r += 9) {
    float max = x[r], sum = 0;
    for (long i = 1; i < 9; i++)
      max = x[r + i] > max ? x[r + i] : max;
    for (long i = 0; i < 9; i++) {
      y[r + i] = expf(x[r + i] - max);
      sum += y[r + i];
    }
    for (long i = 0; i < 9; i++)
      y[r + i] /= sum;
  }
}
// What is stored needs what the row has set in front.
KERNEL(shifted) {
  for (long r = 0; r < n / 16; r++) {
    float shift = (float)r * 0.25f, sum = 0;
    for (long i = 0; i < 16; i++) {
      y[r * 16 + i] = expf(x[r * 16 + i] - shift);
      sum += y[r * 16 + i];
    }
    for (long i = 0; i < 16; i++)
      y[r * 16 + i] *= 1 / sum;
  }
}
// By turns: the sum of a row, its functions along it, their sum, the quotients. What rows
// have found out by themselves is used in lanes.
KERNEL(turns) {
  for (long r = 0; r < n / 11; r++) {
    float first = 0, sum = 0, most = y[r * 11];
    for (long i = 0; i < 11; i++)
      first += x[r * 11 + i];
    for (long i = 0; i < 11; i++)
      most = y[r * 11 + i] > most ? y[r * 11 + i] : most;
    for (long i = 0; i < 11; i++)
      y[r * 11 + i] = expf(x[r * 11 + i] - first * 0.0625f);
    for (long i = 0; i < 11; i++)
      sum += y[r * 11 + i] * most;
    for (long i = 0; i < 11; i++)
      y[r * 11 + i] /= sum;
  }
}
// No logarithm of a sum of exponential functions is one of less than zero, so all errors
// are of one kind.
KERNEL(log_sums) {
  for (long r = 0; r < n / 12; r++) {
    float max = x[r * 12], sum = 0;
    for (long i = 1; i < 12; i++)
      max = x[r * 12 + i] > max ? x[r * 12 + i] : max;
    for (long i = 0; i < 12; i++)
      sum += expf(x[r * 12 + i] - max);
    float log = max + logf(sum);
    for (long i = 0; i < 12; i++)
      y[r * 12 + i] = x[r * 12 + i] - log;
  }
}
KERNEL(cross_entropy) {
  float loss = 0;
  for (long r = 0; r < n / 9; r++) {
    float sum = 0;
    for (long i = 0; i < 9; i++)
      sum += expf(x[r * 9 + i]);
    loss += logf(sum) - x[r * 9 + r % 9];
  }
  y[0] = loss;
}
#else
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef LIBRARY
float expf(float x) {
  float y = LIBRARY;
  if (isfinite(x) && (isinf(y) || y == 0))
    errno = ERANGE;
  return y;
}
#endif

enum { MOST = 97, ARRAYS = 2000, KINDS = 9 };
typedef void Kernel(ARGUMENTS);
Kernel plain_exps, plain_sigmoid, plain_elu, plain_two, plain_softmax,
    plain_shifted, plain_turns, plain_log_sums, plain_cross_entropy, dl_exps,
    dl_sigmoid, dl_elu, dl_two, dl_softmax, dl_shifted, dl_turns, dl_log_sums,
    dl_cross_entropy;
static Kernel *const Plain[] = {plain_exps, plain_sigmoid, plain_elu, plain_two,
                                plain_softmax, plain_shifted, plain_turns,
                                plain_log_sums, plain_cross_entropy},
                     *const DL[] = {dl_exps, dl_sigmoid, dl_elu, dl_two,
                                    dl_softmax, dl_shifted, dl_turns,
                                    dl_log_sums, dl_cross_entropy};

static unsigned Seed = 1;
static unsigned draw(void) {
  return (Seed = Seed * 1664525u + 1013904223u) >> 8;
}

static float number(int how) {
  unsigned bits = draw() << 8 ^ draw();
  float x;
  memcpy(&x, &bits, 4);
  // Any number; results that are normal; those whose result is nearly none.
  if (how % 4 == 1)
    x = ((float)draw() / (1 << 23) - 1) * 87;
  else if (how % 4 == 2)
    x = ((float)draw() / (1 << 23) - 1) * 105;
  else if (how % 4 == 3)
    x = (float)(draw() % 8 ? draw() % 4000 : 0) / -400.0f;
  return x;
}

int main(void) {
  static float x[MOST], y[2][MOST], start[MOST];
  for (int r = 0; r < ARRAYS; r++) {
    for (int i = 0; i < MOST; i++) {
      x[i] = number(r / KINDS);
      start[i] = number(1);
    }
    int errors[2], k = r % KINDS;
    for (int b = 0; b < 2; b++) {
      memcpy(y[b], start, sizeof start);
      errno = 0;
      (b ? DL : Plain)[k](y[b], x, r % (MOST + 1));
      errors[b] = errno;
    }
    for (int i = 0; i < MOST; i++)
      if (memcmp(&y[0][i], &y[1][i], 4) && !(isnan(y[0][i]) && isnan(y[1][i])))
        printf("kernel %d differs at %a: %a %a\n", k, x[i], y[0][i], y[1][i]);
    if (errors[0] != errors[1])
      printf("errno of kernel %d differs: %d %d\n", k, errors[0], errors[1]);
  }
  printf("%d arrays\n", ARRAYS);
}
#endif
