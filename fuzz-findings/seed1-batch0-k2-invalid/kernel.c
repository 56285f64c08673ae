#include <stddef.h>
/* dl-fuzz links another function in its place. */
__attribute__((weak)) float dlfuzz_times(float a, float b) { return a * b; }
#define FMA(a, b, c) __builtin_fmaf(a, b, c)
#define MAX(a, b) __builtin_fmaxf(a, b)
#define IMAX(a, b) ((int)(a) > (int)(b) ? (a) : (b))
void k2(size_t M, size_t N, size_t K, size_t lda, size_t ldb, size_t ldc, const float *A, const float *B, float *C, const float *bias) {

if (M <= 0 || K <= 0) return;
for (size_t i = 0; i < M; i++) {
for (size_t j = 0; j < N; j++) {
C[i*ldc + j] = bias[j];
}
}
for (size_t k = 0; k < K; k++) {
for (size_t j = 0; j < N; j++) {
for (size_t i = 0; i < M; i++) {
if (k == 3) K--;
C[i*ldc + j] += A[i*lda + k] * B[k*ldb + j];
}
}
}

}
