// Kernels for lanes.c that people call with one array for input and output, and some
// that then compute something else than with two: X(name, elements of A, of B, of C,
// numbers in C).
#define KERNELS(X)                                                             \
  X(relu, M *N, 0, M *N, 1)                                                    \
  X(leaky, M *N, 0, M *N, 1)                                                   \
  X(add, M *N, M *N, M *N, 1)                                                  \
  X(add_other, M *N, M *N, M *N, 1)                                            \
  X(twice, M *N, 0, 2 * M * N, 1)                                              \
  X(kept, M *N, 0, 2 * M * N, 1)                                               \
  X(both_ends, M *N, 0, M *N, 1)                                               \
  X(next, M *N + 1, 0, M *N, 1)                                                \
  X(previous, M *N + 1, 0, M *N + 1, 1)                                        \
  X(some, M *N, M *N, M *N, 1)                                                 \
  X(every_second, 2 * M * N, 0, M *N, 1)                                       \
  X(running, M *N, 0, M *N, 1)                                                 \
  X(rows, M *N, N, M *N, 1)                                                    \
  X(rows_by_first, M *N, 0, M *N, 1)                                           \
  X(rows_by_last, M *N, 0, M *N, 1)                                            \
  X(rows_apart, M *(N + 3), 0, M *N, 1)                                        \
  X(rows_down, M *N, 0, M *N, 1)                                               \
  X(rms, M *N, N, M *N, 1)                                                     \
  X(rms_once, N, N, N, 1)                                                      \
  X(norm, M *N, 2 * N, M *N, 1)                                                \
  X(norm_stored, M *N, 2 * N, M *N + 2 * M, 1)                                 \
  X(soft, M *N, 0, M *N, 1)                                                    \
  X(soft_again, M *N, 0, M *N, 1)                                              \
  X(soft_back, M *N, M *N, M *N, 1)                                            \
  X(backward, M *N, M *N, M *N, 1)                                             \
  X(parts, M *N + 2 * N, M *N, M *N, 1)                                        \
  X(parts_of_b, M *N, M *N + M + N, M *N, 1)                                   \
  X(transposed, M *N, 0, M *N, 1)                                              \
  X(sums, M *N, 0, M, 1)                                                       \
  X(swish, M *N, 0, M *N, 1)

#ifdef BUILD
#define a A[i * N + j]
#define c C[i * N + j]
KERNEL(relu, FOR(i, M *N) C[i] = A[i] > 0 ? A[i] : 0;)
KERNEL(leaky, FOR(i, M) FOR(j, N) c = a > 0 ? a : a * (T)0.01;)
KERNEL(add, FOR(i, M *N) C[i] = A[i] + B[i];)
KERNEL(add_other, FOR(i, M *N) C[i] = B[i] - A[i];)
// The second read of A comes behind the first store.
KERNEL(twice, FOR(i, M *N) {
  C[i] = A[i] * 2;
  C[M * N + i] = A[i] + 1;
})
KERNEL(kept, FOR(i, M *N) {
  T x = A[i];
  C[i] = x * 3;
  C[M * N + i] = x - 1;
})
KERNEL(both_ends, FOR(i, M *N) C[i] = A[i] + A[M * N - 1 - i];)
KERNEL(next, FOR(i, M *N) C[i] = A[i] - A[i + 1];)
KERNEL(previous, FOR(i, M *N) C[i + 1] = A[i + 1] - A[i] / 2;)
KERNEL(some, FOR(i, M *N) if (B[i] > 0) C[i] = A[i] * B[i];)
KERNEL(every_second, FOR(i, M *N) C[i] = A[2 * i] * 3;)
KERNEL(running, {
  T s = 0;
  FOR(i, M *N) {
    s += A[i];
    C[i] = s;
  }
})
KERNEL(rows, FOR(i, M) {
  T s = 0;
  FOR(j, N) s += a;
  FOR(j, N) c = a * s + B[j];
})
KERNEL(rows_by_first, FOR(i, M) FOR(j, N) c = a - A[i * N];)
KERNEL(rows_by_last, FOR(i, M) {
  T s = 0;
  FOR(j, N) s += a;
  FOR(j, N) c = (a - A[i * N + N - 1]) * s;
})
KERNEL(rows_apart, FOR(i, M) {
  T s = 0;
  FOR(j, N) s += A[i * (N + 3) + j];
  FOR(j, N) c = A[i * (N + 3) + j] * s;
})
KERNEL(rows_down, FOR(i, M) {
  T s = 0;
  FOR(j, N) s += a;
  FOR(j, N) C[(M - 1 - i) * N + j] = a * s;
})
KERNEL(rms, FOR(i, M) {
  T s = 0;
  FOR(j, N) s += a * a;
  s = 1 / (T)sqrt(s / N + (T)1e-5);
  FOR(j, N) c = B[j] * (s * a);
})
KERNEL(rms_once, {
  T s = 0;
  FOR(j, N) s += A[j] * A[j];
  s = 1 / (T)sqrt(s / N + (T)1e-5);
  FOR(j, N) C[j] = B[j] * (s * A[j]);
})
KERNEL(norm, FOR(i, M) {
  T m = 0, v = 0;
  FOR(j, N) m += a;
  m /= N;
  FOR(j, N) v += (a - m) * (a - m);
  v = 1 / (T)sqrt(v / N + (T)1e-5);
  FOR(j, N) c = (a - m) * v * B[j] + B[N + j];
})
KERNEL(norm_stored, FOR(i, M) {
  T m = 0, v = 0;
  FOR(j, N) m += a;
  m /= N;
  FOR(j, N) v += (a - m) * (a - m);
  v = 1 / (T)sqrt(v / N + (T)1e-5);
  FOR(j, N) c = (a - m) * v * B[j] + B[N + j];
  C[M * N + i] = m;
  C[M * N + M + i] = v;
})
KERNEL(soft, FOR(i, M) {
  T m = A[i * N], s = 0;
  for (int j = 1; j < N; j++)
    if (a > m)
      m = a;
  FOR(j, N) {
    c = (T)exp(a - m);
    s += c;
  }
  FOR(j, N) c /= s;
})
// Reads its input again when the output is there.
KERNEL(soft_again, FOR(i, M) {
  T s = 0;
  FOR(j, N) {
    c = a * a;
    s += a;
  }
  FOR(j, N) c /= s;
})
KERNEL(soft_back, FOR(i, M) {
  T s = 0;
  FOR(j, N) s += B[i * N + j];
  FOR(j, N) c = B[i * N + j] - (T)exp(a) * s;
})
// Arrays with other parts behind what may be the output.
KERNEL(parts, {
  const T *Scale = A + M * N, *Shift = Scale + N;
  FOR(i, M) {
    T s = 0;
    FOR(j, N) s += a * B[i * N + j];
    FOR(j, N) c = (a - s) * Scale[j] + Shift[j];
  }
})
KERNEL(parts_of_b, {
  const T *Mean = B + M * N, *Scale = Mean + M;
  FOR(i, M) {
    T s = 0;
    FOR(j, N) s += B[i * N + j] * Scale[j] * (a - Mean[i]);
    FOR(j, N) c = (B[i * N + j] * Scale[j] - s) * (a - Mean[i]);
  }
})
KERNEL(backward, FOR(i, M) {
  T s = 0;
  FOR(j, N) s += a * B[i * N + j];
  FOR(j, N) c = B[i * N + j] * (a - s);
})
KERNEL(transposed, FOR(i, M) FOR(j, N) c = A[j * M + i] * 2;)
KERNEL(sums, FOR(i, M) {
  T s = 0;
  FOR(j, N) s += a;
  C[i] = s;
})
KERNEL(swish, FOR(i, M *N) C[i] = A[i] / (1 + (T)exp(-A[i]));)
#undef a
#undef c
#endif
