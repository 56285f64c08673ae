// Several functions in one round set errno to different values: it is that of the last
// call of the source's order, wherever in a vector these are.
//
// DEFINE: %{flags} =
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} %s -lm -o %t.plain && %t.plain > %t.out && \
// DEFINE:   %clang_dl -O3 %{flags} %s -lm -o %t -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s && %t | diff %t.out -
// RUN: %{check}
// REDEFINE: %{flags} = -march=x86-64-v3
// RUN: %if avx2 %{ %{check} %}
// REQUIRES: native-x86
// CHECK-COUNT-11: kernel number
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 67, ERRORS = 400 };
typedef float *restrict Out;
typedef const float *restrict In;

__attribute__((noinline)) static void
binaryCrossEntropy(Out y, In p, In t, int n) {
  for (int i = 0; i < n; i++)
    y[i] = -(t[i] * logf(p[i]) + (1 - t[i]) * logf(1 - p[i]));
}
// The base is never negative: the power has one error, and the angle another one.
__attribute__((noinline)) static void rotate(Out y, In p, In t, int n) {
  for (int i = 0; i + 1 < n; i += 2) {
    float angle = p[i] / powf(10000, t[i]);
    float c = cosf(angle), s = sinf(angle);
    y[i] = t[i] * c - t[i + 1] * s;
    y[i + 1] = t[i] * s + t[i + 1] * c;
  }
}
__attribute__((noinline)) static void normal(Out y, In p, In t, int n) {
  for (int i = 0; i < n; i++)
    y[i] = sqrtf(-2 * logf(p[i])) * cosf(6.2831853f * t[i]);
}
__attribute__((noinline)) static void focal(Out y, In p, In t, int n) {
  for (int i = 0; i < n; i++)
    y[i] = powf(1 - p[i], t[i]) * -logf(p[i]);
}
// Of both sides of a condition a lane calls one.
__attribute__((noinline)) static void either(Out y, In p, In t, int n) {
  for (int i = 0; i < n; i++)
    if (t[i] < 0)
      y[i] = expf(-t[i] * p[i]);
    else
      y[i] = logf(p[i]) + 1;
}
// The second call may depend on the first one.
__attribute__((noinline)) static void nested(Out y, In p, In t, int n) {
  for (int i = 0; i < n; i++)
    y[i] = t[i] * tanhf(log1pf(expf(p[i]) - t[i]));
}
// One power, which other calls are behind: a second one behind these would be the last
// error.
__attribute__((noinline)) static void twice(Out y, In p, In t, int n) {
  for (int i = 0; i + 1 < n; i += 2) {
    float power = 1e5f - powf(p[i], -30 * t[i]);
    y[i] = sqrtf(power);
    y[i + 1] = expf(power);
  }
}
// The root is behind the logarithm, the power that it is of in front of that.
__attribute__((noinline)) static void between(Out y, In p, In t, int n) {
  for (int i = 0; i < n; i++) {
    float power = powf(p[i], -30 * t[i]), logarithm = logf(p[i] - 0.001f);
    y[i] = sqrtf(power) * logarithm;
  }
}
// What all rounds share has its place among the calls, too.
__attribute__((noinline)) static void shared(Out y, In p, In t, int n, float b) {
  for (int i = 0; i < n; i++)
    y[i] = logf(p[i]) * powf(b, 2.5f) + sqrtf(t[i]);
}
__attribute__((noinline)) static void sharing(Out y, In p, In t, int n) {
  shared(y, p, t, n, t[0]);
}

// A root that they share is the last call, and without an error in the others' lanes the
// only one.
__attribute__((noinline)) static void rootOf(Out y, In p, In t, int n, float b) {
  for (int i = 0; i + 1 < n; i += 2) {
    float root = sqrtf(p[i]), power = powf(t[i], 30 * b);
    y[i] = root - sqrtf(power);
    y[i + 1] = sqrtf(b);
  }
}
__attribute__((noinline)) static void rooted(Out y, In p, In t, int n) {
  rootOf(y, p, t, n, t[0] - 0.5f);
}
// The result may be what all rounds share.
__attribute__((noinline)) static void aliased(float *y, const float *p, const float *t,
                                              int n) {
  for (int i = 0; i < n; i++)
    y[i] = sinf(p[i]) + exp2f(t[0]);
}

static unsigned State = 1;
static unsigned draw(unsigned count) {
  State = State * 1664525u + 1013904223u;
  return (State >> 12) % count;
}

static void run(const char *name, void (*kernel)(Out, In, In, int)) {
  static const float Wrong[] = {0,  -1,   2,        3e38f, -3e38f, 1e-45f,
                                -0.0f, INFINITY, -INFINITY, NAN,   120,    -120};
  static float y[N + 1], p[N + 1], t[N + 1];
  unsigned errors[3] = {0};
  unsigned long long hash = 0;
  for (int test = 0; test < ERRORS; test++) {
    int n = test % 3 ? N : draw(N + 1), count = draw(5);
    for (int i = 0; i <= N; i++) {
      p[i] = 0.001f * (1 + draw(998));
      t[i] = 0.002f * draw(500);
      y[i] = 7;
    }
    for (int i = 0; i < count; i++)
      (draw(2) ? p : t)[draw(N)] = Wrong[draw(sizeof(Wrong) / 4)];
    errno = 0;
    kernel(y, p, t, n);
    int error = errno;
    errors[error == EDOM ? 1 : error == ERANGE ? 2 : 0]++;
    hash = hash * 31 + error;
    for (int i = 0; i <= N; i++) {
      unsigned bits;
      memcpy(&bits, &y[i], 4);
      hash = (hash ^ (isnan(y[i]) ? 0x7fc00000 : bits)) * 1099511628211u;
    }
  }
  printf("%s: %u %u %u %llx\n", name, errors[0], errors[1], errors[2], hash);
}

int main(void) {
  run("binaryCrossEntropy", binaryCrossEntropy);
  run("rotate", rotate);
  run("normal", normal);
  run("focal", focal);
  run("either", either);
  run("nested", nested);
  run("twice", twice);
  run("between", between);
  run("rooted", rooted);
  run("aliased", aliased);
  run("sharing", sharing);
  return 0;
}
