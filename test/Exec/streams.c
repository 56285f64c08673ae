// Outputs that no cache holds are stored past the caches or fetched ahead: the
// same bits wherever they begin, and nothing behind their end.
// REQUIRES: native-x86
// RUN: %clang -O3 -DBUILD=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -Rpass=dl-vectorize -DBUILD=dl -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %if long %{ %clang -O3 -march=native -mtune=haswell -DTYPE=double -DBUILD=plain -c %s -o %t.plain.o %}
// RUN: %if long %{ %clang_dl -O3 -march=native -mtune=haswell -DTYPE=double -DBUILD=dl -c %s -o %t.dl.o %}
// RUN: %if long %{ %clang -O1 -DTYPE=double %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s %}
// RUN: %clang -O3 -mavx2 -mtune=skylake -DBUILD=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -mavx2 -mtune=skylake -Rpass=dl-vectorize -DBUILD=dl -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %if avx2 %{ %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s %}
// RUN: %clang -O3 -mavx2 -mtune=haswell -DTYPE=double -DBUILD=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -mavx2 -mtune=haswell -Rpass=dl-vectorize -DTYPE=double -DBUILD=dl -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=AHEAD
// RUN: %if avx2 %{ %clang -O1 -DTYPE=double %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s %}
// RUN: %clang_dl -O3 -DBUILD=dl -S %s -o - | FileCheck %s --check-prefix=ASM
// REMARK-COUNT-6: past the caches from {{[0-9]+}} bytes on
// AHEAD-COUNT-6: fetched ahead from 1048576 bytes on
// ASM: {{v?}}movntps
// ASM: sfence
// CHECK: 0 different
#ifndef TYPE
#define TYPE float
#endif
typedef TYPE T;
#define ARGS T *x, T *y, const T *a, const T *b, long n
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)
#define KERNEL(X, ...)                                                         \
  void NAME1(X, BUILD)(ARGS) {                                                 \
    for (long i = 0; i < n; i++) {                                             \
      __VA_ARGS__                                                              \
    }                                                                          \
  }
#define KERNELS(X)                                                             \
  X(scale, x[i] = 2 * a[i];)                                                   \
  X(relu, x[i] = a[i] > b[i] ? a[i] : 0;)                                      \
  X(two, x[i] = a[i] + b[i]; y[i] = a[i] - b[i];)                              \
  X(relu6, x[i] = a[i] < 0 ? 0 : 6 < a[i] ? 6 : a[i];)                         \
  X(leaky, x[i] = 0 < a[i] ? a[i] : (T)0.01 * a[i];)                           \
  X(prelu, x[i] = a[i] < 0 ? b[i] * a[i] : a[i];)                              \
  X(hard_swish, T g = a[i] / 6 + (T)0.5; g = g > 1 ? 1 : g < 0 ? 0 : g;        \
    x[i] = a[i] * g;)                                                          \
  X(update, x[i] += a[i];)                                                     \
  X(half, if (a[i] > 0) x[i] = b[i] + 1;)
#ifdef BUILD
KERNELS(KERNEL)
#else
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#define DECLARE(X, ...)                                                        \
  void X##_plain(ARGS);                                                        \
  void X##_dl(ARGS);
KERNELS(DECLARE)
#define ROW(X, ...) {#X, X##_plain, X##_dl},
static const struct {
  const char *Name;
  void (*Plain)(ARGS), (*DL)(ARGS);
} Kernels[] = {KERNELS(ROW)};

enum { Least = (8 << 20) / sizeof(T), Room = Least + 4096 };

// So many elements up to an inaccessible page.
static T *reserve(void) {
  size_t Bytes = (Room * sizeof(T) + 4095) / 4096 * 4096;
  char *P = mmap(0, Bytes + 4096, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(P + Bytes, 4096, PROT_NONE);
  return (T *)(P + Bytes);
}

int main(void) {
  static const long Shifts[][2] = {{0, 0}, {1, 1}, {3, 7}, {15, 31}, {8, 0}};
  static const long Counts[] = {0, 7, Least - 1, Least, Least + 1, Least + 77};
  T *A = reserve(), *B = reserve(), *X[2], *Y[2];
  for (int I = 0; I < 2; I++) {
    X[I] = reserve();
    Y[I] = reserve();
  }
  for (long I = 1; I <= Room; I++) {
    A[-I] = (I * 7919 % 1001 - 500) / (T)7;
    B[-I] = (I * 104729 % 1009 - 500) / (T)11;
  }
  int Different = 0;
  for (unsigned K = 0; K < sizeof(Kernels) / sizeof(Kernels[0]); K++)
    for (int S = 0; S < 5; S++)
      for (int C = 0; C < 6; C++) {
        long N = Counts[C];
        for (int I = 0; I < 2; I++) {
          memset(X[I] - Room, 0x3c, Room * sizeof(T));
          memset(Y[I] - Room, 0x3d, Room * sizeof(T));
          (I ? Kernels[K].DL : Kernels[K].Plain)(
              X[I] - N - Shifts[S][0], Y[I] - N - Shifts[S][1], A - N, B - N, N);
        }
        if (memcmp(X[0] - Room, X[1] - Room, Room * sizeof(T)) ||
            memcmp(Y[0] - Room, Y[1] - Room, Room * sizeof(T))) {
          printf("%s differs: n=%ld shift=%ld\n", Kernels[K].Name, N,
                 Shifts[S][0]);
          Different++;
        }
      }
  printf("%d different\n", Different);
  return Different != 0;
}
#endif
