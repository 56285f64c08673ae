// Rows whose products wrap, as sizes may: modulo 2^64 they are a whole number of
// rows away, and in memory one element further on.
// REQUIRES: native-x86
// RUN: %clang -O3 -DNAME=plain -c -o %t.plain.o %s
// RUN: %clang_dl -O3 -DNAME=ours -c -o %t.ours.o %s -Rpass=dl-vectorize 2>&1 | FileCheck %s
// RUN: %clang -O2 -DMAIN -o %t %s %t.plain.o %t.ours.o && %t
// CHECK-COUNT-2: exact, iterations of {{.*}} in {{[0-9]+}} vectors
#include <stddef.h>
#define ARGS                                                                   \
  float *restrict x, const float *restrict a, size_t m, size_t n,              \
      size_t pitch, size_t times
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)
#define FOR(I, E) for (size_t I = 0; I < E; I++)
#ifdef MAIN
#include <stdio.h>
#include <string.h>
void first_plain(ARGS), first_ours(ARGS), steps_plain(ARGS), steps_ours(ARGS);
enum { M = 5, Pitch = 33, Size = 2 * M * Pitch };
static float x[2][Size], a[M];

static int check(const char *Name, void (*Plain)(ARGS), void (*Ours)(ARGS),
                 size_t Times) {
  for (int I = 0; I < Size; I++)
    x[0][I] = x[1][I] = (float)(I * 7919 % 1013) / 64;
  for (int I = 0; I < M; I++)
    a[I] = (float)(I - 2);
  Plain(x[0], a, M, Pitch, Pitch, Times);
  Ours(x[1], a, M, Pitch, Pitch, Times);
  if (memcmp(x[0], x[1], sizeof x[0]) == 0)
    return 0;
  printf("%s, %zu times: other bits\n", Name, Times);
  return 1;
}

int main(void) {
  size_t Inverse = 1; // times Pitch is 1
  for (int I = 0; I < 6; I++)
    Inverse *= 2 - Pitch * Inverse;
  return check("first", first_plain, first_ours, Inverse) +
         check("first", first_plain, first_ours, 3) +
         check("steps", steps_plain, steps_ours, Inverse) +
         check("steps", steps_plain, steps_ours, 1);
}
#else
void NAME1(first, NAME)(ARGS) {
  FOR(i, m) FOR(j, n) FOR(k, m)
    x[i * pitch + j] -= a[k] * x[(times + k) * pitch + j];
}
void NAME1(steps, NAME)(ARGS) {
  FOR(i, m) FOR(j, n) FOR(k, m)
    x[times * (i * pitch) + j] -= a[k] * x[k * pitch + j];
}
#endif
