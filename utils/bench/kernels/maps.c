// Activations and row programs as people write them. NAME is put in front of
// each function, so that several builds go into one program.
#include <math.h>
#define PASTE(A, B) A##B
#define JOIN(A, B) PASTE(A, B)
#define MAP(F, ...)                                                            \
  void JOIN(NAME, F)(float *restrict y, const float *restrict a, long n) {     \
    for (long i = 0; i < n; i++) {                                             \
      float x = a[i];                                                          \
      y[i] = __VA_ARGS__;                                                      \
    }                                                                          \
  }
MAP(exp, expf(x))
MAP(log, logf(x))
MAP(tanh, tanhf(x))
MAP(erf, erff(x))
MAP(sigmoid, 1.0f / (1.0f + expf(-x)))
MAP(silu, x / (1.0f + expf(-x)))
MAP(gelu_tanh,
    0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))))
MAP(gelu_erf, 0.5f * x * (1.0f + erff(0.7071067812f * x)))
MAP(elu, x > 0.0f ? x : expf(x) - 1.0f)
MAP(softplus, logf(1.0f + expf(x)))
MAP(relu, x > 0.0f ? x : 0.0f)

// Rows of 1024.
enum { N = 1024 };
void JOIN(NAME, softmax)(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n / N; i++) {
    float max = x[i * N], sum = 0;
    for (long j = 1; j < N; j++)
      max = x[i * N + j] > max ? x[i * N + j] : max;
    for (long j = 0; j < N; j++) {
      y[i * N + j] = expf(x[i * N + j] - max);
      sum += y[i * N + j];
    }
    for (long j = 0; j < N; j++)
      y[i * N + j] /= sum;
  }
}
void JOIN(NAME, layernorm)(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n / N; i++) {
    float mean = 0, var = 0;
    for (long j = 0; j < N; j++)
      mean += x[i * N + j];
    mean /= N;
    for (long j = 0; j < N; j++)
      var += (x[i * N + j] - mean) * (x[i * N + j] - mean);
    float scale = 1.0f / sqrtf(var / N + 1e-5f);
    for (long j = 0; j < N; j++)
      y[i * N + j] = (x[i * N + j] - mean) * scale;
  }
}
