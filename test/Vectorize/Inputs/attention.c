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
