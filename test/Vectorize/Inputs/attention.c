// Attention, causal and not, written as people do: everything of a row in one loop.
#include <math.h>
#ifndef R
#define R restrict
#endif
#define FOR(I, END) for (int I = 0; I < (END); I++)
#define ATTENTION(NAME, END)                                                   \
  void NAME(int h, int t, int d, float *R out, float *R att,     \
            const float *R q, const float *R k,                  \
            const float *R v, float scale) {                            \
    FOR(head, h) FOR(i, t) {                                                   \
      const float *qi = q + (head * t + i) * d;                                \
      float *a = att + (head * t + i) * t, *o = out + (head * t + i) * d;      \
      float most = -10000.0f, sum = 0;                                         \
      FOR(j, END) {                                                            \
        const float *kj = k + (head * t + j) * d;                              \
        float s = 0;                                                           \
        FOR(x, d) s += qi[x] * kj[x];                                          \
        s *= scale;                                                            \
        if (s > most)                                                          \
          most = s;                                                            \
        a[j] = s;                                                              \
      }                                                                        \
      FOR(j, END) {                                                            \
        float e = expf(a[j] - most);                                           \
        sum += e;                                                              \
        a[j] = e;                                                              \
      }                                                                        \
      float inverse = sum == 0 ? 0 : 1 / sum;                                  \
      FOR(j, END) a[j] *= inverse;                                             \
      FOR(x, d) o[x] = 0;                                                      \
      FOR(j, END) {                                                            \
        const float *vj = v + (head * t + j) * d;                              \
        FOR(x, d) o[x] += a[j] * vj[x];                                        \
      }                                                                        \
    }                                                                          \
  }
ATTENTION(all, t)
ATTENTION(causal, i + 1)
/// Three nests for each head, which share one matrix of scores.
void shared(int h, int t, int d, float *R out, float *R att, const float *R q,
            const float *R k, const float *R v, float scale) {
  FOR(head, h) {
    FOR(i, t) FOR(j, t) {
      float s = 0;
      FOR(x, d) s += q[(head * t + i) * d + x] * k[(head * t + j) * d + x];
      att[i * t + j] = s * scale;
    }
    FOR(i, t) {
      float most = -INFINITY, sum = 0;
      FOR(j, t) most = att[i * t + j] > most ? att[i * t + j] : most;
      FOR(j, t) {
        att[i * t + j] = expf(att[i * t + j] - most);
        sum += att[i * t + j];
      }
      FOR(j, t) att[i * t + j] /= sum;
    }
    FOR(i, t) FOR(x, d) {
      float s = 0;
      FOR(j, t) s += att[i * t + j] * v[(head * t + j) * d + x];
      out[(head * t + i) * d + x] = s;
    }
  }
}
