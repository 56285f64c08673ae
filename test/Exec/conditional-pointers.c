// Pointers that loops read under conditions: as clang's loops do, also where there is
// nothing to be read.
// REQUIRES: native-x86
// DEFINE: %{flags} =
// DEFINE: %{check} = \
// DEFINE:   %clang    -O3 %{flags} -DBUILD=plain -c %s -o %t.plain.o && \
// DEFINE:   %clang_dl -mllvm -dl-%dispatch -O3 %{flags} -DBUILD=dl -Rpass=dl-vectorize -c %s -o %t.dl.o 2>%t.remarks && \
// DEFINE:   %clang -O1 %s %t.plain.o %t.dl.o -o %t && %t | FileCheck %s
// RUN: %{check}
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=TAKEN
// REDEFINE: %{flags} = -march=native -ffp-contract=off
// RUN: %{check}
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=TAKEN
// REDEFINE: %{flags} = -march=native -fno-strict-aliasing
// RUN: %{check}
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=AHEAD
// TAKEN-DAG: matvec f32
// TAKEN-DAG: vecmat f32
// AHEAD: whose bounds are read in front
// CHECK: 9 functions, 0 different
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)
struct tensor {
  int n;
  float *data;
};
struct layer {
  struct tensor *weight, *bias;
  int in, out, from, has;
  struct tensor **slots;
};
#define FUNCTIONS(X)                                                           \
  X(linear) X(flagged) X(nested) X(triangle) X(later) X(both) X(either) X(moved)    \
  X(asked)
#define ARGS struct layer *l, const float *x, float *y

#ifdef BUILD
#define FUNCTION(X) void NAME1(X, BUILD)(ARGS)
FUNCTION(linear) {
  for (int i = 0; i < l->out; i++) {
    float sum = 0;
    for (int k = 0; k < l->in; k++)
      sum += l->weight->data[i * l->in + k] * x[k];
    if (l->bias)
      sum += l->bias->data[i];
    y[i] = sum;
  }
}
FUNCTION(flagged) {
  for (int i = 0; i < l->out; i++) {
    y[i] = 0;
    for (int k = 0; k < l->in; k++)
      y[i] += l->weight->data[k * l->out + i] * x[k];
    if (l->has)
      y[i] += l->bias->data[i];
  }
}
FUNCTION(nested) {
  for (int i = 0; i < l->out; i++)
    for (int k = 0; k < l->in; k++) {
      y[i * l->in + k] = 2 * x[k];
      if (l->has)
        y[i * l->in + k] += l->bias->data[i];
    }
}
// The first round reads nothing, others do.
FUNCTION(triangle) {
  for (int i = 0; i < l->out; i++) {
    float sum = x[i];
    for (int k = 0; k < i; k++) {
      sum += l->weight->data[i * l->in + k];
      if (l->has)
        sum += l->bias->data[k];
    }
    y[i] = sum;
  }
}
FUNCTION(later) {
  for (int i = 0; i < l->out; i++) {
    float sum = 0;
    for (int k = 0; k < l->in; k++)
      sum += l->weight->data[i * l->in + k] * x[k];
    if (i >= l->from)
      sum += l->bias->data[i];
    y[i] = sum;
  }
}
FUNCTION(both) {
  for (int i = 0; i < l->out; i++) {
    float sum = 0;
    for (int k = 0; k < l->in; k++)
      sum += l->weight->data[i * l->in + k] * x[k];
    if (l->has)
      if (l->bias)
        sum += l->bias->data[i];
    y[i] = sum;
  }
}
FUNCTION(either) {
  for (int i = 0; i < l->out; i++) {
    float sum = 0;
    for (int k = 0; k < l->in; k++)
      sum += l->weight->data[i * l->in + k] * x[k];
    if (!l->has)
      sum = sum < 0 ? 0 : sum;
    else
      sum *= l->bias->data[i];
    y[i] = sum;
  }
}
// The first store sets the pointer. The sums are for the function to be taken.
FUNCTION(moved) {
  for (int i = 0; i < l->out; i++) {
    float sum = 0;
    for (int k = 0; k < l->in; k++)
      sum += l->weight->data[i * l->in + k] * x[k];
    y[i] = sum;
  }
  for (int i = 0; i < l->out; i++) {
    l->slots[i] = l->weight;
    if (l->has)
      y[i] += l->bias->data[i];
  }
}
// Either of two conditions leads to the pointer, the second one only to a read.
FUNCTION(asked) {
  for (int i = 0; i < l->out; i++) {
    float sum = 0;
    for (int k = 0; k < l->in; k++)
      sum += l->weight->data[i * l->in + k] * x[k];
    y[i] = sum;
  }
  for (int i = 0; i < l->out; i++)
    if (l->has || l->weight->n)
      y[i] += l->bias->data[i];
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
enum { MOST = 70 };

int main(void) {
  static float Weight[MOST * MOST], Bias[MOST], X[MOST], Y[2][MOST * MOST];
  int Count = sizeof(Functions) / sizeof(Functions[0]), Different = 0;
  for (int I = 0; I < MOST * MOST; I++)
    Weight[I] = (float)(rand() % 2001 - 1000) / 700;
  for (int I = 0; I < MOST; I++)
    Bias[I] = Weight[I * 7] / 3, X[I] = Weight[I * 5] + 1;
  for (int Round = 0; Round < 4000; Round++) {
    struct tensor W = {MOST, Weight}, B = {MOST, Bias};
    // What is not there cannot be read.
    struct tensor *Nothing = (struct tensor *)16;
    struct layer L = {&W, &B, rand() % MOST, rand() % MOST, 0, 1};
    int Which = Round % Count, Kind = rand() % 6;
    if (Which == 7 && Round % 3)
      L.out = 1;
    if (Kind == 0)
      L.out = 0, L.bias = Nothing;
    else if (Kind == 1)
      L.in = 0;
    else if (Kind == 2)
      L.has = W.n = 0, L.bias = Which == 0 ? 0 : Nothing, L.from = MOST;
    else if (Kind == 3)
      L.from = rand() % MOST;
    else if (Kind == 4 && Which == 5)
      L.bias = 0;
    // One of those that the loop sets is the pointer that it reads.
    static struct tensor *Others[MOST];
    L.slots = Which == 7 && L.out == 1 ? &L.bias : Others;
    struct tensor *Kept = L.bias;
    // A row is as long as the layer is wide.
    if (Which == 3)
      L.in = MOST;
    if (Which == 3 && L.has == 0)
      L.bias = Nothing;
    memset(Y, 0, sizeof(Y));
    Functions[Which].Plain(&L, X, Y[0]);
    L.bias = Kept;
    Functions[Which].DL(&L, X, Y[1]);
    if (memcmp(Y[0], Y[1], sizeof(Y[0]))) {
      printf("%s differs: in=%d out=%d kind=%d\n", Functions[Which].Name, L.in, L.out, Kind);
      Different++;
    }
  }
  printf("%d functions, %d different\n", Count, Different);
  return Different != 0;
}
#endif
