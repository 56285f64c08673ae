// Runs each kernel in both variants on the same arenas and compares all bytes
// (NaNs are equal). Prints how many kernels there are; exits 1 on a difference.
// Arguments: "restrict" leaves out what overlaps; the name of a kernel.
#include "relower.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxKernels = 128 };
static struct {
  const char *Name;
  Kernel Run[2];
} Kernels[MaxKernels];
static int NumKernels;

void registerKernel(int Variant, const char *Name, Kernel Run) {
  int I = 0;
  while (I < NumKernels && strcmp(Kernels[I].Name, Name))
    I++;
  if (I == NumKernels && NumKernels < MaxKernels)
    Kernels[NumKernels++].Name = Name;
  Kernels[I].Run[Variant] = Run;
}

static uint64_t State;
static uint32_t next(void) {
  State = State * 6364136223846793005u + 1442695040888963407u;
  return State >> 33;
}

static double number(int Nasty) {
  static const double Special[] = {0.0,   -0.0, 1.0 / 0.0, -1.0 / 0.0,
                                   1e-40, 3e38, -3e38,     1e-45};
  if (Nasty && next() % 4 == 0)
    return Special[next() % 8];
  if (Nasty && next() % 64 == 0)
    return 0.0 / Special[0]; // NaN
  return (double)(int)(next() % 20001 - 10000) / 1024;
}

static void fill(Arena *A, int Nasty) {
  for (int B = 0; B < NumFloats; B++)
    for (int I = 0; I < Len; I++)
      A->F[B][I] = number(Nasty);
  for (int B = 0; B < NumDoubles; B++)
    for (int I = 0; I < Len; I++)
      A->D[B][I] = number(Nasty);
  for (int I = 0; I < Len; I++) {
    A->I[0][I] = next();
    A->I[1][I] = (int)next() % 200 - 100;
    A->I[2][I] = next() % 64; // rows of tables
    A->I[3][I] = next();
  }
  for (int B = 0; B < NumBytes; B++)
    for (int I = 0; I < Len; I++)
      A->B[B][I] = next();
}

// Overlap 0: none; 1: all start together; 2, 3: shifted by a few elements.
static Args view(Arena *A, int Overlap, int M, int N, int K) {
  static const int Shift[4] = {0, 0, 5, 1};
  Args X;
  for (int B = 0; B < NumFloats; B++)
    X.F[B] = Overlap ? A->F[0] + B * Shift[Overlap] : A->F[B];
  for (int B = 0; B < NumDoubles; B++)
    X.D[B] = Overlap ? A->D[0] + B * Shift[Overlap] : A->D[B];
  for (int B = 0; B < NumInts; B++)
    X.I[B] = A->I[B];
  for (int B = 0; B < NumBytes; B++)
    X.B[B] = Overlap ? A->B[0] + B * Shift[Overlap] : A->B[B];
  X.M = M, X.N = N, X.K = K, X.S = 0.375f;
  return X;
}

static int sameFloats(const float *X, const float *Y, size_t N) {
  for (size_t I = 0; I < N; I++)
    if (memcmp(X + I, Y + I, sizeof *X) && (X[I] == X[I] || Y[I] == Y[I]))
      return 0;
  return 1;
}

static int sameDoubles(const double *X, const double *Y, size_t N) {
  for (size_t I = 0; I < N; I++)
    if (memcmp(X + I, Y + I, sizeof *X) && (X[I] == X[I] || Y[I] == Y[I]))
      return 0;
  return 1;
}

static int same(const Arena *X, const Arena *Y) {
  return sameFloats(X->F[0], Y->F[0], (size_t)NumFloats * Len) &&
         sameDoubles(X->D[0], Y->D[0], (size_t)NumDoubles * Len) &&
         !memcmp(X->I, Y->I, sizeof X->I) && !memcmp(X->B, Y->B, sizeof X->B);
}

int main(int Argc, char **Argv) {
  static Arena Start, Results[2];
  static const int Sizes[][3] = {
      {0, 0, 0},    {1, 1, 1},  {5, 3, 0},  {0, 4, 7},  {7, 0, 5},  {3, 5, 7},
      {8, 8, 8},    {13, 9, 4}, {2, 16, 3}, {-3, 4, 5}, {4, -2, 6}, {16, 1, 16},
      {11, 13, 12}, {1, 9, 2},  {6, 0, 3},  {0, 0, 9},  {9, 7, 1}};
  int Restrict = Argc > 1 && !strcmp(Argv[1], "restrict");
  const char *Only = Argc > 1 && !Restrict ? Argv[1] : 0;
  int Failures = 0;
  for (int I = 0; I < NumKernels; I++) {
    int Bad = 0;
    if (Only && strcmp(Only, Kernels[I].Name))
      continue;
    for (int S = 0; S < (int)(sizeof Sizes / sizeof *Sizes) && !Bad; S++)
      for (int Mode = 0; Mode < (Restrict ? 2 : 8) && !Bad; Mode++) {
        State = S * 8 + Mode + 1;
        fill(&Start, Mode & 1);
        for (int V = 0; V < 2; V++) {
          Results[V] = Start;
          Args X = view(&Results[V], Mode / 2, Sizes[S][0], Sizes[S][1],
                        Sizes[S][2]);
          Kernels[I].Run[V](&X);
        }
        if (!same(&Results[0], &Results[1])) {
          Bad = 1;
          printf("%s differs: size %d %d %d, mode %d\n", Kernels[I].Name,
                 Sizes[S][0], Sizes[S][1], Sizes[S][2], Mode);
        }
      }
    Failures += Bad;
  }
  printf("%d kernels, %d differ\n", NumKernels, Failures);
  return Failures != 0;
}
