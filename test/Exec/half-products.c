// Sums of products of halves, in vectors where the target computes with these: the bits of
// clang's loops, which round after each operation. Not fused on AArch64, where LLVM does so in
// scalar loops and not in vectors that add in order.
// REQUIRES: aarch64-registered-target, qemu-aarch64
// DEFINE: %{flags} = --target=aarch64-linux-gnu -march=armv8.2-a+fp16 -ffp-contract=off
// DEFINE: %{run} = qemu-aarch64 -cpu max
// DEFINE: %{link} = -static
// DEFINE: %{check} = %clang -O1 %{flags} -DSIDE=plain -c %s -o %t.plain.o && \
// DEFINE:   %clang_dl -O3 %{flags} -DSIDE=dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=TAKEN && \
// DEFINE:   %clang -O2 %{flags} %{link} %s %t.plain.o %t.dl.o -o %t && %{run} %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -march=native -ffp-contract=on
// REDEFINE: %{run} = env
// REDEFINE: %{link} =
// RUN: %if avx512fp16 %{ %{check} %}
// TAKEN-COUNT-2: exact, by the script dots
// TAKEN: exact, by the script
// CHECK: 72 runs, 0 different
typedef _Float16 Half;
#define CAT2(X, Y) X##_##Y
#define CAT(X, Y) CAT2(X, Y)
#ifdef SIDE
#define PRODUCT(NAME, AT)                                                      \
  void CAT(NAME, SIDE)(Half * c, const Half *a, const Half *b, int m, int n,   \
                       int k) {                                                \
    for (int i = 0; i < m; i++)                                                \
      for (int j = 0; j < n; j++) {                                            \
        Half s = 0;                                                            \
        for (int l = 0; l < k; l++)                                            \
          s += a[i * k + l] * b[AT];                                           \
        c[i * n + j] = s;                                                      \
      }                                                                        \
  }
PRODUCT(nn, l *n + j)
PRODUCT(nt, j *k + l)
void CAT(conv, SIDE)(Half *c, const Half *a, const Half *b, int m, int n,
                     int k) {
  for (int f = 0; f < m; f++)
    for (int i = 0; i < 9; i++)
      for (int j = 0; j < n; j++) {
        Half s = 0;
        for (int l = 0; l < k; l++)
          for (int r = 0; r < 3; r++)
            for (int t = 0; t < 3; t++)
              s += a[(l * 11 + i + r) * (n + 2) + j + t] *
                   b[((f * k + l) * 3 + r) * 3 + t];
        c[(f * 9 + i) * n + j] = s;
      }
}
#else
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DECLARE(NAME)                                                          \
  void NAME##_plain(Half *, const Half *, const Half *, int, int, int);        \
  void NAME##_dl(Half *, const Half *, const Half *, int, int, int);
DECLARE(nn)
DECLARE(nt)
DECLARE(conv)
typedef void Kernel(Half *, const Half *, const Half *, int, int, int);
static Kernel *const Kernels[][2] = {
    {nn_plain, nn_dl}, {nt_plain, nt_dl}, {conv_plain, conv_dl}};
enum { Most = 1 << 16 };
static uint16_t A[Most], B[Most], C[Most], D[Most];

// Numbers of all kinds; few that are none, or nothing else comes out.
static void fill(uint16_t *To) {
  for (int i = 0; i < Most; i++) {
    uint16_t Special[] = {0x7e00, 0x7c00, 0xfc00, 0x8000, 0, 1, 0x83ff, 0x7bff};
    To[i] = rand() % 400 == 0 ? Special[rand() % 8]
                              : 0x3000 + rand() % 0xc00 + rand() % 2 * 0x8000;
  }
}

static int isNaN(uint16_t X) { return (X & 0x7fff) > 0x7c00; }

int main(void) {
  int Runs = 0, Different = 0;
  int Sizes[] = {0, 1, 2, 7, 16, 33, 50, 65};
  for (int Round = 0; Round < 3; Round++)
    for (int Which = 0; Which < 3; Which++)
      for (int At = 0; At < 8; At++) {
        int M = Sizes[At] % 40, N = Sizes[(At + Round * 3) % 8],
            K = Sizes[(At * 5 + Round) % 8];
        fill(A);
        fill(B);
        memset(C, 1, sizeof(C));
        memset(D, 1, sizeof(D));
        // Elements that are not aligned.
        Kernels[Which][0]((Half *)C, (Half *)A + 1, (Half *)B + Round, M, N, K);
        Kernels[Which][1]((Half *)D, (Half *)A + 1, (Half *)B + Round, M, N, K);
        for (int i = 0; i < Most; i++)
          Different += C[i] != D[i] && !(isNaN(C[i]) && isNaN(D[i]));
        Runs++;
      }
  printf("%d runs, %d different\n", Runs, Different);
}
#endif
