// Bounds and pointers that the loops might overwrite: in members of structures that lie
// somewhere around the results, or amid them.
// REQUIRES: native-x86
// RUN: %clang -O2 -fno-strict-aliasing -DBUILD=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O2 -fno-strict-aliasing -DBUILD=dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 -fno-strict-aliasing %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %clang -O3 -march=native -fno-strict-aliasing -DBUILD=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -fno-strict-aliasing -DBUILD=dl -c %s -o %t.dl.o
// RUN: %clang -O1 -fno-strict-aliasing %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// REMARK-COUNT-5: kernel number
// CHECK: 0 different
#include <stddef.h>
struct Shape {
  int Rows, Columns;
};
struct Layer {
  int Rows, Columns, Step;
  float Scale;
  const float *Weights;
  struct Shape *Shape;
};
#define ARGS void *Results, const struct Layer *L, const float *a, int m
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)
#define KERNEL(X, T, ...)                                                      \
  void NAME1(X, BUILD)(ARGS) {                                                 \
    T *out = (T *)Results;                                                     \
    __VA_ARGS__                                                                \
  }
#define FOR(I, N) for (int I = 0; I < N; I++)
#define KERNELS(X)                                                             \
  X(sums, float, FOR(i, L->Rows) {                                             \
    float s = 0;                                                               \
    FOR(j, L->Columns) s += a[i * L->Step + j];                                \
    out[i] = s;                                                                \
  })                                                                           \
  X(narrow, signed char, FOR(i, L->Rows) {                                     \
    float s = 0;                                                               \
    FOR(j, L->Columns) s += a[i * L->Step + j];                                \
    out[i] = (signed char)s;                                                   \
  })                                                                           \
  X(map, float, FOR(i, L->Rows)                                                \
    FOR(j, L->Columns) out[i * L->Columns + j] = a[i * L->Step + j] * L->Scale;) \
  X(bytes, signed char, FOR(i, L->Rows * L->Columns) {                         \
    const signed char *b = (const signed char *)a;                             \
    out[i] = b[i] > 0 ? b[i] : 0;                                              \
  })                                                                           \
  X(product, float, FOR(i, L->Rows) FOR(j, L->Columns) {                       \
    float s = 0;                                                               \
    FOR(k, m) s += a[i * m + k] * L->Weights[k * L->Columns + j];              \
    out[i * L->Columns + j] = s;                                               \
  })                                                                           \
  X(shape, float, FOR(i, L->Shape->Rows) {                                     \
    float s = 0;                                                               \
    FOR(j, L->Shape->Columns) s += a[i * L->Step + j] * L->Weights[j];         \
    out[i] = s;                                                                \
  })                                                                           \
  X(late, float, FOR(i, L->Rows) {                                             \
    out[2 * i] = a[2 * i];                                                     \
    float s = 0;                                                               \
    FOR(j, L->Shape->Columns) s += a[i * 8 + j];                               \
    out[2 * i + 1] = s;                                                        \
  })                                                                           \
  X(ints, int, FOR(i, L->Rows) {                                               \
    int s = 0;                                                                 \
    FOR(j, L->Columns) s += (int)a[i * L->Step + j];                           \
    out[i] = s;                                                                \
  })
#ifdef BUILD
KERNELS(KERNEL)
#else
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DECLARE(X, T, ...)                                                     \
  void X##_plain(ARGS);                                                        \
  void X##_dl(ARGS);
KERNELS(DECLARE)
#define ROW(X, T, ...) {#X, X##_plain, X##_dl},
static const struct {
  const char *Name;
  void (*Plain)(ARGS), (*DL)(ARGS);
} Kernels[] = {KERNELS(ROW)};

enum { Room = 1 << 15, Rows = 21, Columns = 19 };
static float A[Rows * 64], W[64 * 64];
static struct Shape Outside = {Rows, Columns};

// The structures \p At bytes behind the results, which have room in front of them. The
// bound that is overwritten may become anything: what is computed stays in the memory
// that there is for small numbers only.
static void run(char *Memory, int At, void (*Kernel)(ARGS), int AllInside) {
  char *Results = Memory + 4096;
  for (int I = 0; I < Room; I++)
    Memory[I] = (char)(I % 3);
  struct Layer *L = (struct Layer *)(Results + At);
  struct Shape *Inside = (struct Shape *)(L + 1);
  *Inside = Outside;
  *L = (struct Layer){Rows, Columns, 31, 0.5f, W, AllInside ? Inside : &Outside};
  Kernel(Results, L, A, 23);
}

int main(void) {
  static _Alignas(64) char X[Room], Y[Room];
  int Different = 0, Runs = 0;
  for (int I = 0; I < Rows * 64; I++)
    A[I] = (float)(I % 5) - 2;
  // As numbers, results are zeros: a bound that is overwritten ends the loops.
  for (int Zero = 0; Zero < 2; Zero++) {
    if (Zero)
      memset(A, 0, sizeof(A));
    for (int I = 0; I < 64 * 64; I++)
      W[I] = (float)(I % 7) / 4;
    for (unsigned K = 0; K < sizeof(Kernels) / sizeof(Kernels[0]); K++)
      for (int At = -2048; At < 4096; At += 8) {
        // What is not zero is a wild bound or pointer.
        int Apart = At + 64 <= 0 || At >= 4 * Rows * Columns;
        if (!Zero && !Apart)
          continue;
        // A pointer that becomes null is not followed.
        int HasPointers = !strcmp(Kernels[K].Name, "shape") ||
                          !strcmp(Kernels[K].Name, "late") ||
                          !strcmp(Kernels[K].Name, "product");
        if (!Apart && HasPointers)
          continue;
        run(X, At, Kernels[K].Plain, At & 8);
        memcpy(Y, X, Room);
        run(X, At, Kernels[K].DL, At & 8);
        Runs++;
        struct Layer *L = (struct Layer *)(X + 4096 + At),
                     *M = (struct Layer *)(Y + 4096 + At);
        if (memcmp(X, Y, Room)) {
          printf("%s at %d, %d rows, %d\n", Kernels[K].Name, At, L->Rows,
                 M->Rows);
          Different++;
        }
      }
  }
  printf("%d runs, %d different\n", Runs, Different);
  return Different != 0;
}
#endif
