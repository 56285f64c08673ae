#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define ARGS                                                                   \
  int m, int n, int k, const float *restrict a, const float *restrict b,      \
      float *restrict c
#define UNTIL(X, END) for (int X = 0; X < END; X++)
#define TILES for (int i = 0; i < m; i += 4) for (int j = 0; j < n; j += 4)
#define INSIDE UNTIL(x, 4) UNTIL(y, 4)
#define A_XL a[(i + x) * k + l]
#define B_LY b[l * n + j + y]
#define C_XY c[(i + x) * n + j + y]
