// Rows that keep what they compute in arrays: X(name, elements of A, of B, of C, numbers
// in C). Queries are in A, keys and values in B.
#define KERNELS(X)                                                             \
  X(attention, M *K, 2 * N * K, M *K, 1)                                       \
  X(heads, L *M *K, 2 * L * N * K, L *M *K, 1)                                 \
  X(first, M *K, 2 * N * K, M *K, 1)                                           \
  X(causal, M *K, 2 * M * K, M *K, 1)                                          \
  X(masked, M *K, 2 * M * K, M *K, 1)                                          \
  X(heap, M *K, 2 * N * K, M *K, 1)                                            \
  X(scratch, M *K, 2 * N * K, M *K + N, 1)                                     \
  X(scratch_heads, L *M *K, 2 * L * N * K, L *M *K + N, 1)                     \
  X(scratch_causal, M *K, 2 * M * K, M *K + M, 1)                              \
  X(scratch_twice, M *K, 2 * N * K, M *K + N + 4, 1)                           \
  X(scores, M *K, 2 * N * K, M *K + M * N, 1)                                  \
  X(perceptron, M *K, K * 24 + 24 * N, M *N, 1)                                \
  X(deep, M *K, K * 24 + 24 * 16 + 16 * N, M *N, 1)                            \
  X(running, M *K, K * 24 + 24 * N, M *N, 1)                                   \
  X(left, M *K, 2 * N * K, M *K + N, 1)

#ifdef BUILD
#include <stdlib.h>
#define EXPONENTIAL(X) (sizeof(T) == 4 ? (T)expf(X) : (T)exp(X))
#define SCORE(S)                                                               \
  T dot = 0;                                                                   \
  FOR(k, K) dot += A[i * K + k] * B[j * K + k];                                \
  S = dot * (T)0.5;                                                            \
  max = S > max ? S : max;
#define ROW(END)                                                               \
  {                                                                            \
    T max = -INFINITY, sum = 0;                                                \
    FOR(j, END) {                                                              \
      SCORE(s[j])                                                              \
    }                                                                          \
    FOR(j, END) {                                                              \
      s[j] = EXPONENTIAL(s[j] - max);                                          \
      sum += s[j];                                                             \
    }                                                                          \
    FOR(k, K) {                                                                \
      T of = 0;                                                                \
      FOR(j, END) of += s[j] * V[j * K + k];                                   \
      C[i * K + k] = of / sum;                                                 \
    }                                                                          \
  }
KERNEL(
    attention, const T *V = B + (N > 0 ? N : 0) * (K > 0 ? K : 0); FOR(i, M) {
      T s[512];
      ROW(N)
    })
KERNEL(
    heads, const long m = M > 0 ? M : 0, n = N > 0 ? N : 0, d = K > 0 ? K : 0;
    const T *V = B + (L > 0 ? L : 0) * n * d; FOR(h, L) FOR(i, M) {
      T s[512], max = -INFINITY, sum = 0;
      FOR(j, N) {
        T dot = 0;
        FOR(k, K) dot += A[(h * m + i) * d + k] * B[(h * n + j) * d + k];
        s[j] = dot;
        if (dot > max)
          max = dot;
      }
      FOR(j, N) {
        s[j] = EXPONENTIAL(s[j] - max);
        sum += s[j];
      }
      FOR(j, N) s[j] /= sum;
      FOR(k, K) C[(h * m + i) * d + k] = 0;
      FOR(j, N) FOR(k, K) C[(h * m + i) * d + k] += s[j] * V[(h * n + j) * d + k];
    })
KERNEL(
    first, const T *V = B + (N > 0 ? N : 0) * (K > 0 ? K : 0); FOR(i, M) {
      T s[512];
      FOR(j, N) {
        T dot = 0;
        FOR(k, K) dot += A[i * K + k] * B[j * K + k];
        s[j] = dot;
      }
      T max = N > 0 ? s[0] : 0;
      T sum = 0;
      for (int j = 1; j < N; j++)
        if (s[j] > max)
          max = s[j];
      FOR(j, N) {
        s[j] = EXPONENTIAL(s[j] - max);
        sum += s[j];
      }
      FOR(k, K) {
        T of = 0;
        FOR(j, N) of += s[j] * V[j * K + k];
        C[i * K + k] = of / sum;
      }
    })
KERNEL(
    causal, const T *V = B + (M > 0 ? M : 0) * (K > 0 ? K : 0); FOR(i, M) {
      T s[512];
      ROW(i + 1)
    })
// All scores of a row, of which those behind it are none.
KERNEL(
    masked, const T *V = B + (M > 0 ? M : 0) * (K > 0 ? K : 0); FOR(i, M) {
      T s[512], max = -INFINITY, sum = 0;
      FOR(j, M) {
        T dot = 0;
        FOR(k, K) dot += A[i * K + k] * B[j * K + k];
        s[j] = j > i ? (T)-1e9 : dot;
        max = s[j] > max ? s[j] : max;
      }
      FOR(j, M) {
        s[j] = EXPONENTIAL(s[j] - max);
        sum += s[j];
      }
      FOR(k, K) {
        T of = 0;
        FOR(j, M) of += s[j] * V[j * K + k];
        C[i * K + k] = of / sum;
      }
    })
KERNEL(
    heap, T *s = malloc(sizeof(T) * (N > 0 ? N : 1));
    const T *V = B + (N > 0 ? N : 0) * (K > 0 ? K : 0); FOR(i, M) ROW(N);
    free(s);)
// What the last row leaves is seen.
KERNEL(
    scratch, T *s = C + (M > 0 ? M : 0) * (K > 0 ? K : 0);
    const T *V = B + (N > 0 ? N : 0) * (K > 0 ? K : 0); FOR(i, M) ROW(N))
KERNEL(
    scratch_heads, const long m = M > 0 ? M : 0, n = N > 0 ? N : 0,
                              d = K > 0 ? K : 0;
    const T *V = B + (L > 0 ? L : 0) * n * d;
    T *s = C + (L > 0 ? L : 0) * m * d; FOR(h, L) FOR(i, M) {
      T max = -INFINITY, sum = 0;
      FOR(j, N) {
        T dot = 0;
        FOR(k, K) dot += A[(h * m + i) * d + k] * B[(h * n + j) * d + k];
        s[j] = dot;
        if (dot > max)
          max = dot;
      }
      FOR(j, N) {
        s[j] = EXPONENTIAL(s[j] - max);
        sum += s[j];
      }
      FOR(k, K) {
        T of = 0;
        FOR(j, N) of += s[j] * V[(h * n + j) * d + k];
        C[(h * m + i) * d + k] = of / sum;
      }
    })
// Rows leave more and more.
KERNEL(
    scratch_causal, T *s = C + (M > 0 ? M : 0) * (K > 0 ? K : 0);
    const T *V = B + (M > 0 ? M : 0) * (K > 0 ? K : 0); FOR(i, M) ROW(i + 1))
// Some elements are written twice, and others by neither loop.
KERNEL(
    scratch_twice, T *s = C + (M > 0 ? M : 0) * (K > 0 ? K : 0);
    const T *V = B + (N > 0 ? N : 0) * (K > 0 ? K : 0); FOR(i, M) {
      s[0] = 1;
      s[2] = (T)i;
      T *t = s + 4;
      T max = s[2], sum = s[0];
      FOR(j, N) {
        T dot = 0;
        FOR(k, K) dot += A[i * K + k] * B[j * K + k];
        t[j] = dot;
        max = dot > max ? dot : max;
      }
      FOR(j, N) {
        t[j] -= max;
        sum += t[j];
      }
      FOR(k, K) {
        T of = 0;
        FOR(j, N) of += t[j] * V[j * K + k];
        C[i * K + k] = of / sum;
      }
    })
KERNEL(
    scores, const T *V = B + (N > 0 ? N : 0) * (K > 0 ? K : 0);
    T *all = C + (M > 0 ? M : 0) * (K > 0 ? K : 0); FOR(i, M) {
      T *s = all + i * N;
      ROW(N)
    })
#define LAYER(IN, COUNT, WEIGHTS, OUT, ELEMENTS, START)                        \
  FOR(j, ELEMENTS) {                                                           \
    T of = START;                                                              \
    FOR(k, COUNT) of += IN[k] * (WEIGHTS)[k * (ELEMENTS) + j];                 \
    OUT[j] = of > 0 ? of : 0;                                                  \
  }
KERNEL(
    perceptron, const T *V = B + (K > 0 ? K : 0) * 24; FOR(i, M) {
      T hidden[24];
      LAYER((A + i * K), K, B, hidden, 24, 0)
      LAYER(hidden, 24, V, (C + i * N), N, 0)
    })
KERNEL(
    deep, const T *V = B + (K > 0 ? K : 0) * 24; FOR(i, M) {
      T hidden[24], more[16];
      LAYER((A + i * K), K, B, hidden, 24, 1)
      LAYER(hidden, 24, V, more, 16, hidden[j])
      LAYER(more, 16, V + 24 * 16, (C + i * N), N, 0)
    })
// Each row begins with what the one before it has left.
KERNEL(
    running, const T *V = B + (K > 0 ? K : 0) * 24; T hidden[24];
    FOR(j, 24) hidden[j] = j; FOR(i, M) {
      LAYER((A + i * K), K, B, hidden, 24, hidden[j])
      LAYER(hidden, 24, V, (C + i * N), N, 0)
    })
// The array is read behind all rows.
KERNEL(
    left, T s[512]; FOR(j, N) s[j] = 7;
    const T *V = B + (N > 0 ? N : 0) * (K > 0 ? K : 0); FOR(i, M) ROW(N);
    FOR(j, N) C[(M > 0 ? M : 0) * (K > 0 ? K : 0) + j] = s[j];)
#endif
