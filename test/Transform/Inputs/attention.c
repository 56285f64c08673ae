float expf(float);

/* T queries, keys and values of D numbers, H times, a row of scores at a time.
 */
void attention(long H, long T, long D, const float *q, const float *k,
               const float *v, float *out) {
  for (long h = 0; h < H; h++)
    for (long i = 0; i < T; i++) {
      float s[512];
      float max = -__builtin_inff();
      for (long j = 0; j < T; j++) {
        float score = 0;
        for (long d = 0; d < D; d++)
          score += q[(h * T + i) * D + d] * k[(h * T + j) * D + d];
        s[j] = score * 0.125f;
        max = s[j] > max ? s[j] : max;
      }
      float sum = 0;
      for (long j = 0; j < T; j++) {
        s[j] = expf(s[j] - max);
        sum += s[j];
      }
      for (long d = 0; d < D; d++) {
        float value = 0;
        for (long j = 0; j < T; j++)
          value += s[j] * v[(h * T + j) * D + d];
        out[(h * T + i) * D + d] = value / sum;
      }
    }
}

/* The same by three nests, with all scores in memory. */
void attention_by_nests(long H, long T, long D, const float *q, const float *k,
                        const float *v, float *s, float *out) {
  for (long h = 0; h < H; h++)
    for (long i = 0; i < T; i++)
      for (long j = 0; j < T; j++) {
        float score = 0;
        for (long d = 0; d < D; d++)
          score += q[(h * T + i) * D + d] * k[(h * T + j) * D + d];
        s[(h * T + i) * T + j] = score * 0.125f;
      }
  for (long r = 0; r < H * T; r++) {
    float max = -__builtin_inff();
    for (long j = 0; j < T; j++)
      max = s[r * T + j] > max ? s[r * T + j] : max;
    float sum = 0;
    for (long j = 0; j < T; j++)
      s[r * T + j] = expf(s[r * T + j] - max);
    for (long j = 0; j < T; j++)
      sum += s[r * T + j];
    for (long j = 0; j < T; j++)
      s[r * T + j] /= sum;
  }
  for (long h = 0; h < H; h++)
    for (long i = 0; i < T; i++)
      for (long d = 0; d < D; d++) {
        float value = 0;
        for (long j = 0; j < T; j++)
          value += s[(h * T + i) * T + j] * v[(h * T + j) * D + d];
        out[(h * T + i) * D + d] = value;
      }
}
