// A function that all kinds of generated functions serve.
#ifdef ATTRIBUTE
#define SERVED __attribute__((ATTRIBUTE))
#else
#define SERVED
#endif
#ifdef INTEGER
typedef int T;
#else
typedef float T;
#endif

SERVED void product(T *restrict c, const T *restrict a, const T *restrict b,
                    T *restrict d, T **x, T **y, T **z, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      T sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  // Sums of rows.
  for (int i = 0; i < n; i++) {
    T sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[i * n + j];
    d[i] = sum;
  }
  // Without factors of zero.
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      if (b[i * n + k] == 0)
        continue;
      for (int j = 0; j < n; j++)
        d[i * n + j] += b[i * n + k] * a[k * n + j];
    }
  // Rows behind pointers.
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        x[i][j] += y[i][k] * z[k][j];
}
