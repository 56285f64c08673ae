/* Each group of D channels of P elements by its mean and its variance. */
void groupnorm(long N, long G, long D, long P, const float *x, const float *g,
               const float *b, float *y) {
  for (long n = 0; n < N; n++)
    for (long q = 0; q < G; q++) {
      const float *X = x + (n * G + q) * D * P;
      float *Y = y + (n * G + q) * D * P;
      float sum = 0;
      for (long k = 0; k < D * P; k++)
        sum += X[k];
      float mean = sum / (D * P), var = 0;
      for (long k = 0; k < D * P; k++)
        var += (X[k] - mean) * (X[k] - mean);
      float rstd = 1 / __builtin_sqrtf(var / (D * P) + 1e-5f);
      for (long d = 0; d < D; d++)
        for (long p = 0; p < P; p++)
          Y[d * P + p] =
              (X[d * P + p] - mean) * rstd * g[q * D + d] + b[q * D + d];
    }
}
