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
  X(residual_conditional, M *N, M *N, M *N, 1)                                 \
  X(buffer_layernorm, M *N, M *N, M *N, 1)                                     \
  X(buffer_heap, M *N, M *N, M *N, 1)                                          \
  X(buffer_left, M *N, 0, M *N, 1)                                             \
  X(buffer_shorter, M *N, 0, M *N, 1)                                          \
  X(buffer_behind, M *N, 0, M *N, 1)                                           \
  X(buffer_returned, M *N, 0, M *N + 1, 1)                                     \
  X(buffer_columns, M *N, 0, M *N, 1)

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
// A row at a time goes through an array of its own.
KERNEL(
    buffer_layernorm, if (N <= 4096) FOR(i, M) {
      T t[4096], mean = 0, var = 0;
      FOR(j, N) {
        t[j] = a + B[i * N + j];
        mean += t[j];
      }
      mean /= N;
      FOR(j, N) var += (t[j] - mean) * (t[j] - mean);
      T rstd = 1 / SQRT(var / N + (T)1e-5);
      FOR(j, N) c = (t[j] - mean) * rstd;
    })
KERNEL(
    buffer_heap, if (N > 0) {
      T *t = __builtin_malloc(N * sizeof(T));
      FOR(i, M) {
        T ss = 0;
        FOR(j, N) {
          t[j] = a * B[i * N + j];
          ss += t[j] * t[j];
        }
        FOR(j, N) c = t[j] / (ss + 1);
      }
      __builtin_free(t);
    })
// Something is left of the row before.
KERNEL(
    buffer_left, if (N <= 4096) {
      T t[4096] = {0};
      FOR(i, M) {
        T s = 0;
        FOR(j, N) {
          s += t[j];
          t[j] = a * 2;
        }
        FOR(j, N) c = t[j] - s;
      }
    })
KERNEL(
    buffer_shorter, if (N <= 4096) {
      T t[4096] = {0};
      FOR(i, M) {
        T s = 0;
        FOR(j, N) {
          t[j] = a * 2;
          s += t[j];
        }
        FOR(j, N - 1) c = t[j + 1] - s;
      }
    })
// The array is read behind the result.
KERNEL(
    buffer_behind, if (N <= 4096) FOR(i, M) {
      T t[4096], s = 0, u = 0;
      FOR(j, N) {
        t[j] = a * 2;
        s += t[j];
      }
      FOR(j, N) {
        c = t[j] - s - u;
        u += t[j];
      }
    })
KERNEL(
    buffer_returned, if (N > 0 && N <= 4096) {
      T t[4096] = {0};
      FOR(i, M) {
        T s = 0;
        FOR(j, N) {
          t[j] = a * 2;
          s += t[j];
        }
        FOR(j, N) c = t[j] - s;
      }
      C[M > 0 ? M * N : 0] = t[N / 2];
    })
// The columns of the result are no rows.
KERNEL(
    buffer_columns, if (N <= 4096) FOR(i, M) {
      T t[4096], s = 0;
      FOR(j, N) {
        t[j] = a * 2;
        s += t[j];
      }
      FOR(j, N) C[j * M + i] = t[j] - s;
    })
#endif
