float expf(float);

/* Each row of a matrix, by its own maximum and sum. */
void softmax(long M, long N, const float *x, float *y) {
  for (long r = 0; r < M; r++) {
    float max = -__builtin_inff();
    for (long k = 0; k < N; k++)
      max = x[r * N + k] > max ? x[r * N + k] : max;
    float sum = 0;
    for (long k = 0; k < N; k++)
      y[r * N + k] = expf(x[r * N + k] - max);
    for (long k = 0; k < N; k++)
      sum += y[r * N + k];
    for (long k = 0; k < N; k++)
      y[r * N + k] /= sum;
  }
}
