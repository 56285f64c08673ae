// Kernels for lanes.c whose channels are divided to find their group: some have whole
// groups, some not. In an output there are N channels, D in each group.
#define GROUPED(N, L) (((N) + 2) * ((L) + 1))
#define KERNELS(X)                                                             \
  X(linear, M *GROUPED(N, L), N *L, M *N, 1)                                   \
  X(linear_unsigned, M *GROUPED(N, L), N *L, M *N, 1)                          \
  X(linear_bias, M *GROUPED(N, L), N *L, M *N, 1)                              \
  X(linear_remainder, M *GROUPED(N, L), N *L, M *N, 1)                         \
  X(linear_scaled, M *GROUPED(N, L), N *L, M *N, 1)                            \
  X(one_group, L, N *L, N, 1)                                                  \
  X(convolution, 4 * M * GROUPED(N, L), 9 * N * L, 4 * M * N, 1)               \
  X(convolution_sums, 4 * M * GROUPED(N, L), 9 * N * L, 4 * M * N, 1)          \
  X(multiplier, 4 * M * GROUPED(N, 1), 9 * N, 4 * M * N, 1)                    \
  X(filters, 4 * M * L, 9 * N * L, 4 * M *(N *L + 1), 1)

#ifdef BUILD
// Loops that do not run divide by nothing.
#define D (K & 8 ? N : K & 3 ? (K & 3) * 8 : (K >> 2) + (N > 0))
#define CHANNELS GROUPED(N, L)
KERNEL(linear, int d = D; FOR(i, M) FOR(o, N) {
  T s = 0;
  FOR(c, L) s += A[i * CHANNELS + o / d * L + c] * B[o * L + c];
  C[i * N + o] = s;
})
KERNEL(linear_unsigned, unsigned d = D, n = N < 0 ? 0 : N; FOR(i, M) for (unsigned o = 0; o < n; o++) {
  T s = 0;
  FOR(c, L) s += A[i * CHANNELS + o / d * L + c] * B[o * L + c];
  C[i * N + o] = s;
})
KERNEL(linear_bias, int d = D; FOR(i, M) FOR(o, N) {
  T s = C[i * N + o];
  FOR(c, L) s += A[i * CHANNELS + o / d * L + c] * B[o * L + c];
  s += 3;
  C[i * N + o] = s < 0 ? 0 : s;
})
KERNEL(linear_remainder, int d = D; FOR(i, M) FOR(o, N) {
  T s = 0;
  FOR(c, L) s += A[i * CHANNELS + o % d * L + c] * B[o / d * L + c];
  C[i * N + o] = s;
})
// No group: what is divided is no channel.
KERNEL(linear_scaled, int d = D; FOR(i, M) FOR(o, N) {
  T s = 0;
  FOR(c, L) s += A[i * CHANNELS + o * 2 / (2 * d + 1) * L + c] * B[o * L + c];
  C[i * N + o] = s;
})
// The divisor is more than there are channels, where these are no whole group.
KERNEL(one_group, int d = N + (K & 1); FOR(o, N) {
  T s = 0;
  FOR(c, L) s += A[o / d * L + c] * B[o * L + c];
  C[o] = s;
})
#define WINDOW(INSIDE)                                                         \
  FOR(u, 3) FOR(v, 3) {                                                        \
    int y = i + u - 1, x = j + v - 1;                                          \
    if (y < 0 || y >= M || x < 0 || x >= 4)                                    \
      continue;                                                                \
    INSIDE                                                                     \
  }
KERNEL(convolution, int d = D; FOR(i, M) FOR(j, 4) FOR(o, N) {
  T s = 0;
  WINDOW(FOR(c, L) s += A[(y * 4 + x) * CHANNELS + c + o / d * L] *
                        B[((o * 3 + u) * 3 + v) * L + c];)
  C[(i * 4 + j) * N + o] = s;
})
KERNEL(convolution_sums, int d = D; FOR(i, M) FOR(j, 4) FOR(o, N)
  WINDOW(FOR(c, L) C[(i * 4 + j) * N + o] +=
         A[(y * 4 + x) * CHANNELS + c + o / d * L] * B[((o * 3 + u) * 3 + v) * L + c];)
)
KERNEL(multiplier, int d = D; FOR(i, M) FOR(j, 4) FOR(o, N) {
  T s = 0;
  WINDOW(s += A[(y * 4 + x) * GROUPED(N, 1) + o / d] * B[(u * 3 + v) * N + o];)
  C[(i * 4 + j) * N + o] = s;
})
// Pixels of the result are at times nearer to each other than they are long.
KERNEL(filters, int d = N * L + K % 3 - 1; FOR(i, M) FOR(j, 4) FOR(c, L) FOR(o, N) {
  T s = 0;
  WINDOW(s += A[(y * 4 + x) * L + c] * B[(u * 3 + v) * N * L + c * N + o];)
  C[(i * 4 + j) * d + c * N + o] = s;
})
#endif
