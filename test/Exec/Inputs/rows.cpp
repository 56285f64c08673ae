// Matrices that are vectors of vectors.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

using Matrix = std::vector<std::vector<float>>;

__attribute__((noinline)) void by_size(const Matrix &A, const Matrix &B,
                                       Matrix &C) {
  for (size_t i = 0; i < A.size(); i++)
    for (size_t j = 0; j < B[0].size(); j++) {
      float s = 0;
      for (size_t k = 0; k < B.size(); k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
}
__attribute__((noinline)) void by_number(int M, int N, int K, const Matrix &A,
                                         const Matrix &B, Matrix &C) {
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        C[i][j] += A[i][k] * B[k][j];
}
__attribute__((noinline)) Matrix returned(const Matrix &A, const Matrix &B) {
  Matrix C(A.size(), std::vector<float>(B[0].size()));
  for (size_t i = 0; i < C.size(); i++)
    for (size_t j = 0; j < C[i].size(); j++)
      for (size_t k = 0; k < B.size(); k++)
        C[i][j] += A[i][k] * B[k][j];
  return C;
}

static Matrix make(int M, int N, bool Odd) {
  static uint32_t Seed = 1;
  Matrix A;
  std::vector<std::vector<char>> Between;
  for (int i = 0; i < M; i++) {
    if (Odd && i % 3 == 1)
      Between.emplace_back(40 * i);
    std::vector<float> Row(N);
    for (float &X : Row) {
      Seed = Seed * 1664525u + 1013904223u;
      X = static_cast<float>(static_cast<int>(Seed >> 8)) / 5e6f - 1.7f;
    }
    A.push_back(Row);
  }
  return A;
}

static void show(const Matrix &A) {
  uint64_t Sum = 0;
  for (const auto &Row : A)
    for (float X : Row) {
      uint32_t Bits;
      memcpy(&Bits, &X, 4);
      Sum = Sum * 31 + Bits;
    }
  printf("%llx\n", static_cast<unsigned long long>(Sum));
}

int main() {
  const int Sizes[][3] = {{0, 5, 5}, {5, 0, 5},   {1, 1, 1},   {1, 17, 9},
                          {9, 1, 7}, {13, 19, 11}, {16, 16, 16}, {70, 90, 80}};
  for (auto [M, N, K] : Sizes)
    for (bool Odd : {false, true}) {
      Matrix A = make(M, K, Odd), B = make(K, N, false), C = make(M, N, Odd);
      by_size(A, B, C);
      show(C);
      by_number(M, N, K, A, B, C);
      show(C);
      show(returned(A, B));
      if (M == N && N == K) { // in place
        by_number(M, N, K, A, A, A);
        show(A);
      }
    }
}
