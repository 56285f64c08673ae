// Rows that are stored while they are summed, and read again: X(name, elements of A, of
// B, of C, numbers in C).
#define STORE_KERNELS(X)                                                       \
  X(residual_in_place, M *N, 2 * N, M *N, 1)                                   \
  X(residual_rmsnorm, M *N, M *N, M *N, 1)                                     \
  X(residual_two, M *N, M *N, 2 * M *N, 1)                                     \
  X(residual_apart, M *N, M *N, M *N, 1)                                       \
  X(residual_next, M *N, 0, M *(N + 1), 1)                                     \
  X(residual_before, M *N, 0, M *(N + 1), 1)                                   \
  X(residual_twice, M *N, 0, M *N, 1)                                          \
  X(residual_conditional, M *N, M *N, M *N, 1)

#ifdef BUILD
#define d C[i * (N + 1) + j]
KERNEL(
    residual_in_place, FOR(i, M) {
      T mean = 0, var = 0;
      FOR(j, N) {
        c += a;
        mean += c;
      }
      mean /= N;
      FOR(j, N) var += (c - mean) * (c - mean);
      T rstd = 1 / SQRT(var / N + (T)1e-5);
      FOR(j, N) c = (c - mean) * rstd * B[j] + B[N + j];
    })
KERNEL(
    residual_rmsnorm, FOR(i, M) {
      T ss = 0;
      FOR(j, N) {
        T x = a + B[i * N + j];
        c = x;
        ss += x * x;
      }
      T scale = 1 / SQRT(ss / N + (T)1e-5);
      FOR(j, N) c *= scale;
    })
KERNEL(
    residual_two, FOR(i, M) {
      T *sum = C + i * 2 * N, *product = sum + N, s = 0;
      FOR(j, N) {
        sum[j] = a + B[i * N + j];
        product[j] = a * B[i * N + j];
        s += sum[j] * product[j];
      }
      FOR(j, N) sum[j] -= product[j] * s;
    })
// The sum reads more than what is stored.
KERNEL(
    residual_apart, FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        c = a * 2;
        s = s * (T)0.5 + c * B[i * N + j];
      }
      FOR(j, N) c -= s;
    })
// The element behind is the one from before; that in front is new.
KERNEL(
    residual_next, FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        d = a * 3;
        s += C[i * (N + 1) + j + 1] + d;
      }
      FOR(j, N) d -= s;
    })
KERNEL(
    residual_before, FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        C[i * (N + 1) + j + 1] = d + a;
        s += C[i * (N + 1) + j + 1];
      }
      FOR(j, N) d -= s;
    })
KERNEL(
    residual_twice, FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        c = a * 2;
        s += c;
        c = a + s;
      }
      FOR(j, N) c -= s;
    })
KERNEL(
    residual_conditional, FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        if (B[i * N + j] > 0)
          c = a;
        s += c;
      }
      FOR(j, N) c -= s;
    })
#undef d
#endif
