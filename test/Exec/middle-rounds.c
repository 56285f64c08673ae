// Pointers that loops read under conditions on their indices: as clang's loops do, also
// where no round reads them, and where images lie next to each other or overlap.
// REQUIRES: native-x86
// DEFINE: %{flags} =
// DEFINE: %{check} = \
// DEFINE:   %clang    -O3 %{flags} -DBUILD=plain -c %s -o %t.plain.o && \
// DEFINE:   %clang_dl -mllvm -dl-%dispatch -O3 %{flags} -DBUILD=dl -c %s -o %t.dl.o && \
// DEFINE:   %clang -O1 %s %t.plain.o %t.dl.o -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -march=native -ffp-contract=off
// RUN: %{check}
// RUN: %clang_dl -O3 -march=skylake-avx512 -DBUILD=dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -emit-llvm -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN-COUNT-4: iterations of {{.*}} kernel number
// CHECK: 4 functions, 0 different
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)
struct image {
  int c, h, w;
  float *data;
};
#define FUNCTIONS(X) X(convolve) X(pool) X(depthwise) X(causal)
#define ARGS                                                                   \
  const struct image *y, const struct image *x, const struct image *k,         \
      int step, int pad

#ifdef BUILD
#define FUNCTION(X) void NAME1(X, BUILD)(ARGS)
FUNCTION(convolve) {
  for (int o = 0; o < y->c; o++)
    for (int i = 0; i < y->h; i++)
      for (int j = 0; j < y->w; j++) {
        float sum = 0;
        for (int c = 0; c < x->c; c++)
          for (int n = 0; n < k->h; n++)
            for (int m = 0; m < k->w; m++) {
              int h = i * step + n - pad, w = j * step + m - pad;
              if (h >= 0 && h < x->h && w >= 0 && w < x->w)
                sum += x->data[(c * x->h + h) * x->w + w] *
                       k->data[((o * x->c + c) * k->h + n) * k->w + m];
            }
        y->data[(o * y->h + i) * y->w + j] = sum;
      }
}
FUNCTION(pool) {
  for (int o = 0; o < y->c; o++)
    for (int i = 0; i < y->h; i++)
      for (int j = 0; j < y->w; j++) {
        float most = -1e30f;
        for (int n = 0; n < k->h; n++)
          for (int m = 0; m < k->w; m++) {
            int h = i * step + n - pad, w = j * step + m - pad;
            if (h >= 0 && h < x->h && w >= 0 && w < x->w) {
              float v = x->data[(o * x->h + h) * x->w + w];
              if (v > most)
                most = v;
            }
          }
        y->data[(o * y->h + i) * y->w + j] = most;
      }
}
FUNCTION(depthwise) {
  for (int o = 0; o < y->c; o++)
    for (int i = 0; i < y->h; i++)
      for (int j = 0; j < y->w; j++) {
        float sum = 0;
        for (int n = 0; n < k->h; n++) {
          int h = i * step + n - pad;
          if (h < 0 || h >= x->h)
            continue;
          for (int m = 0; m < k->w; m++) {
            int w = j * step + m - pad;
            if (w < 0 || w >= x->w)
              continue;
            sum += x->data[(o * x->h + h) * x->w + w] *
                   k->data[(o * k->h + n) * k->w + m];
          }
        }
        y->data[(o * y->h + i) * y->w + j] = sum;
      }
}
FUNCTION(causal) {
  for (int i = 0; i < y->h; i++)
    for (int j = 0; j < y->w; j++) {
      float sum = -1e9f;
      if (j <= i - pad) {
        sum = 0;
        for (int c = 0; c < x->w; c++)
          sum += x->data[i * x->w + c] * k->data[j * x->w + c];
      }
      y->data[i * y->w + j] = sum;
    }
}
#else
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DECLARE(X)                                                             \
  void X##_plain(ARGS);                                                        \
  void X##_dl(ARGS);
FUNCTIONS(DECLARE)
#define ROW(X) {#X, X##_plain, X##_dl},
static const struct {
  const char *Name;
  void (*Plain)(ARGS), (*DL)(ARGS);
} Functions[] = {FUNCTIONS(ROW)};
enum { MOST = 20000 };
static float Arena[2][MOST], K[MOST];

static int draw(int Lo, int Hi) { return Lo + rand() % (Hi - Lo + 1); }

/// Whether the source reads anything of x and its elements.
static int reads(int Which, ARGS) {
  if (y->c <= 0 || y->h <= 0 || y->w <= 0 || Which == 0)
    return Which == 0;
  if (Which == 3)
    return y->h > pad;
  for (int i = 0; i < y->h; i++)
    for (int n = 0; n < k->h; n++)
      if (i * step + n - pad >= 0)
        return 1;
  return 0;
}

int main(void) {
  int Count = sizeof(Functions) / sizeof(Functions[0]), Different = 0;
  for (int I = 0; I < MOST; I++)
    K[I] = (float)(rand() % 2001 - 1000) / 700;
  for (int Round = 0; Round < 16000; Round++) {
    int Which = Round % Count, C = draw(0, 3), Step = draw(1, 2), Pad = draw(-2, Round % 8 ? 4 : 40);
    struct image X = {C, draw(0, 9), draw(0, 20), 0};
    struct image Y = {Which ? C : draw(0, 3), draw(0, 8), draw(0, 36), 0};
    struct image W = {C, draw(0, 4), draw(0, 4), K};
    if (Which == 3)
      X.h = Y.h, X.c = Y.c = 1, Pad = draw(-1, 2);
    // One row: what is written at one end of it is read at the other end.
    else if (rand() % 3 == 0) {
      X.c = Y.c = W.c = Y.h = 1, X.h = draw(1, 2), X.w = draw(8, 20);
      Y.w = draw(16, 36), W.h = draw(1, 3), W.w = draw(1, 4), Pad = draw(0, 1);
    }
    int NX = X.c * X.h * X.w, NY = Y.c * Y.h * Y.w, At = 4000, To;
    int Kind = rand() % 4;
    To = Kind == 0   ? At + NX - draw(0, X.w + 2)
         : Kind == 1 ? At - NY + draw(0, X.w + 2)
                     : At + draw(-NY, NX);
    int Reads = reads(Which, &Y, &X, &W, Step, Pad);
    for (int I = 0; I < MOST; I++)
      Arena[0][I] = (float)(rand() % 2001 - 1000) / 700;
    memcpy(Arena[1], Arena[0], sizeof(Arena[0]));
    for (int B = 0; B < 2; B++) {
      X.data = Arena[B] + At;
      Y.data = Arena[B] + To;
      // What is not there cannot be read.
      (B ? Functions[Which].DL : Functions[Which].Plain)(
          &Y, Reads ? &X : (struct image *)16, &W, Step, Pad);
    }
    if (memcmp(Arena[0], Arena[1], sizeof(Arena[0]))) {
      printf("%s differs: %d x %d to %d x %d\n", Functions[Which].Name, X.h,
             X.w, Y.h, Y.w);
      Different++;
    }
  }
  printf("%d functions, %d different\n", Count, Different);
  return Different != 0;
}
#endif
