// Elements by places that are loaded, that begin anew, or in parts of arrays; distances; cells.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float expf(float), tanhf(float);
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: lookup i8
void quantized_tanh(const signed char *restrict x, const signed char *restrict t, signed char *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = t[x[i] + 128]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: lookup f32
void dequantized(const unsigned char *restrict x, const float *restrict t, float *restrict y, int m, int n) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) y[i * n + j] = t[x[i * n + j]]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: slice f32
void columns(const float *restrict a, float *restrict o, int m, int n, int s, int k) { for (int i = 0; i < m; i++) for (int j = 0; j < k; j++) o[i * k + j] = a[i * n + s + j]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: slice f32
void cropped(const float *restrict a, float *restrict o, int C, int H, int W, int h, int w, int y, int x) { for (int c = 0; c < C; c++) for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) o[(c * h + i) * w + j] = a[(c * H + i + y) * W + j + x]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: roll f32
void shifted(const float *restrict x, float *restrict y, unsigned long n, unsigned long s) { for (unsigned long i = 0; i < n; i++) y[i] = x[(i + s) % n]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: roll f32
void shifted_rows(const float *restrict x, float *restrict y, int m) { for (int i = 0; i < m; i++) for (int j = 0; j < 64; j++) y[i * 64 + j] = x[i * 64 + (j + 5) % 64]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: pad.circular f32
void wrapped(const float *restrict x, float *restrict y) { for (int i = 0; i < 104; i++) y[i] = x[(i + 98) % 100]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: upsample.bilinear f32
void resized(const float *restrict x, float *restrict y, const int *restrict ya, const int *restrict xa, const float *restrict yw, const float *restrict xw, int W, int OH, int OW) { for (int i = 0; i < OH; i++) for (int j = 0; j < OW; j++) { const float *p = x + ya[i] * W + xa[j]; float u = yw[i], v = xw[j]; y[i * OW + j] = (1 - u) * ((1 - v) * p[0] + v * p[1]) + u * ((1 - v) * p[W] + v * p[W + 1]); } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: upsample.bilinear f32
void resized_by_tables(const float *restrict x, float *restrict y, const int *restrict y0, const int *restrict y1, const int *restrict x0, const int *restrict x1, const float *restrict yw, const float *restrict xw, int C, int W, int P, int OH, int OW) { for (int c = 0; c < C; c++) for (int i = 0; i < OH; i++) for (int j = 0; j < OW; j++) { const float *a = x + c * P + y0[i] * W, *b = x + c * P + y1[i] * W; float l = a[x0[j]] + (a[x1[j]] - a[x0[j]]) * xw[j], h = b[x0[j]] + (b[x1[j]] - b[x0[j]]) * xw[j]; y[(c * OH + i) * OW + j] = l + (h - l) * yw[i]; } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: grid-sample f32
void sampled(const float *restrict x, const int *restrict at, const float *restrict u, const float *restrict v, float *restrict y, int W, int n) { for (int i = 0; i < n; i++) { const float *p = x + at[i]; y[i] = (1 - u[i]) * (1 - v[i]) * p[0] + (1 - u[i]) * v[i] * p[1] + u[i] * (1 - v[i]) * p[W] + u[i] * v[i] * p[W + 1]; } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: grid-sample f32
void sampled_channels(const float *restrict x, const int *restrict r, const int *restrict c, const float *restrict u, const float *restrict v, float *restrict y, int C, int P, int W, int n) { for (int k = 0; k < C; k++) for (int i = 0; i < n; i++) { const float *p = x + k * P + r[i] * W + c[i]; float a = p[0] + v[i] * (p[1] - p[0]), b = p[W] + v[i] * (p[W + 1] - p[W]); y[k * n + i] = a + u[i] * (b - a); } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: upsample.linear f32
void between(const float *restrict x, const int *restrict at, const float *restrict u, float *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = (1 - u[i]) * x[at[i]] + u[i] * x[at[i] + 1]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: upsample.linear f32
void rows_between(const float *restrict x, const int *restrict at, const float *restrict u, float *restrict y, int R, int m, int n) { for (int r = 0; r < R; r++) for (int i = 0; i < n; i++) y[r * n + i] = x[r * m + at[i]] + u[i] * (x[r * m + at[i] + 1] - x[r * m + at[i]]); }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: max-unpool f32
void unpool(const float *restrict x, const int *restrict t, float *restrict y, int C, int H, int W, int P) { for (int c = 0; c < C; c++) for (int i = 0; i < H; i++) for (int j = 0; j < W; j++) y[c * P + t[(c * H + i) * W + j]] = x[(c * H + i) * W + j]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: max-unpool f32
void unpool_batch(const float *restrict x, const int *restrict t, float *restrict y, int N, int P, int Q) { for (int n = 0; n < N; n++) { const float *a = x + n * Q * Q; const int *b = t + n * Q * Q; float *c = y + n * P * P; for (int i = 0; i < Q; i++) for (int j = 0; j < Q; j++) c[b[i * Q + j]] = a[i * Q + j]; } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: max-pool.backward f32
void pool_gradient(const float *restrict d, const int *restrict t, float *restrict y, int C, int H, int W, int P) { for (int c = 0; c < C; c++) for (int i = 0; i < H; i++) for (int j = 0; j < W; j++) y[c * P + t[(c * H + i) * W + j]] += d[(c * H + i) * W + j]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: alibi f32
void biased(float *restrict x, const float *restrict m, int H, int T) { for (int h = 0; h < H; h++) for (int i = 0; i < T; i++) for (int j = 0; j < T; j++) x[(h * T + i) * T + j] += m[h] * (j - i); }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: alibi f32
void biased_head(float *restrict x, int T, float s) { for (int i = 0; i < T; i++) for (int j = 0; j < T; j++) x[i * T + j] -= s * (i - j); }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: alibi f32
void biased_row(float *restrict x, int pos, float s) { for (int j = 0; j <= pos; j++) x[j] += s * (j - pos); }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: rnn f32
void cell(const float *restrict x, const float *restrict W, const float *restrict h, const float *restrict U, const float *restrict b, float *restrict y, int n, int m) { for (int i = 0; i < n; i++) { float s = b[i]; for (int j = 0; j < m; j++) s += W[i * m + j] * x[j]; for (int j = 0; j < n; j++) s += U[i * n + j] * h[j]; y[i] = tanhf(s); } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: rnn f32
void cells(const float *restrict x, const float *restrict W, const float *restrict h, const float *restrict U, const float *restrict b, const float *restrict c, float *restrict y, int B, int n, int m) { for (int k = 0; k < B; k++) for (int i = 0; i < n; i++) { float s = 0, t = 0; for (int j = 0; j < m; j++) s += x[k * m + j] * W[j * n + i]; for (int j = 0; j < n; j++) t += h[k * n + j] * U[j * n + i]; y[k * n + i] = tanhf(s + b[i] + t + c[i]); } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: attention.backward f32
void scores(const float *restrict P, const float *restrict dO, const float *restrict V, float *restrict dS, float *restrict dP, int T, int D, float sc) { for (int i = 0; i < T; i++) { for (int j = 0; j < T; j++) { float s = 0; for (int d = 0; d < D; d++) s += dO[i * D + d] * V[j * D + d]; dP[i * T + j] = s; } float q = 0; for (int j = 0; j < T; j++) q += P[i * T + j] * dP[i * T + j]; for (int j = 0; j < T; j++) dS[i * T + j] = P[i * T + j] * (dP[i * T + j] - q) * sc; } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: attention.backward f32
void scores_of_row(const float *restrict p, const float *restrict g, const float *restrict v, float *restrict d, float *restrict t, int N, int D) { float q = 0; for (int j = 0; j < N; j++) { t[j] = 0; for (int k = 0; k < D; k++) t[j] += g[k] * v[j * D + k]; q += p[j] * t[j]; } for (int j = 0; j < N; j++) d[j] = p[j] * (t[j] - q); }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: prelu.backward f32
void by_channel(const float *restrict x, const float *restrict d, const float *restrict a, float *restrict y, int C, int N) { for (int c = 0; c < C; c++) for (int i = 0; i < N; i++) y[c * N + i] = x[c * N + i] > 0 ? d[c * N + i] : a[c] * d[c * N + i]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: swish.backward f32
void swish(const float *restrict x, const float *restrict d, float *restrict y, float b, int n) { for (int i = 0; i < n; i++) { float s = 1 / (1 + expf(-b * x[i])); y[i] = d[i] * (s + b * x[i] * s * (1 - s)); } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: log-sigmoid.backward f32
void logsig(const float *restrict x, const float *restrict d, float *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = d[i] * (1 - 1 / (1 + expf(-x[i]))); }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: scale f32
void twice(const float *restrict x, float *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + x[i]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: scale i32
void twice_i(const int *restrict x, int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + x[i]; }

// Elements of two arrays, of any places, of rows; distances of no pair, by a slope for each
// distance; a tanh of one product; a gradient by another array.

// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void two_arrays(const float *restrict x, const float *restrict z, const int *restrict at, const float *restrict u, const float *restrict v, float *restrict y, int W, int n) { for (int i = 0; i < n; i++) { const float *p = x + at[i], *q = z + at[i]; y[i] = (1 - u[i]) * (1 - v[i]) * p[0] + (1 - u[i]) * v[i] * p[1] + u[i] * (1 - v[i]) * q[W] + u[i] * v[i] * q[W + 1]; } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void no_square(const float *restrict x, const int *restrict at, const float *restrict u, const float *restrict v, float *restrict y, int W, int n) { for (int i = 0; i < n; i++) { const float *p = x + at[i]; y[i] = (1 - u[i]) * (1 - v[i]) * p[0] + (1 - u[i]) * v[i] * p[1] + u[i] * (1 - v[i]) * p[W] + u[i] * v[i] * p[W + 2]; } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: lerp f32
void two_places(const float *restrict x, const int *restrict at, const int *restrict to, const float *restrict u, float *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = (1 - u[i]) * x[at[i]] + u[i] * x[to[i]]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: gather f32
void by_words(const short *restrict x, const float *restrict t, float *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = t[x[i]]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: scatter f32
void of_rows(const float *restrict x, const int *restrict t, float *restrict y, int C, int H, int W, int P) { for (int c = 0; c < C; c++) for (int i = 0; i < H; i++) for (int j = 0; j < W; j++) y[c * P + t[c * H + i] * W + j] = x[(c * H + i) * W + j]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: copy f32
void whole(const float *restrict a, float *restrict o, int m, int n) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) o[i * n + j] = a[i * n + j]; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void no_slope(float *restrict x, int T) { for (int i = 0; i < T; i++) for (int j = 0; j < T; j++) x[i * T + j] += j - i; }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void sum_of_places(float *restrict x, int T, float s) { for (int i = 0; i < T; i++) for (int j = 0; j < T; j++) x[i * T + j] += s * (i + j); }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: {{matvec|vecmat}} f32
void one_product(const float *restrict x, const float *restrict W, const float *restrict b, float *restrict y, int n, int m) { for (int i = 0; i < n; i++) { float s = b[i]; for (int j = 0; j < m; j++) s += W[i * m + j] * x[j]; y[i] = tanhf(s); } }
// CHECK-DAG: places.c:[[#@LINE+1]]:{{.*}} kernel: reduce f32
void other_row(const float *restrict P, const float *restrict R, const float *restrict dO, const float *restrict V, float *restrict dS, float *restrict dP, int T, int D) { for (int i = 0; i < T; i++) { for (int j = 0; j < T; j++) { float s = 0; for (int d = 0; d < D; d++) s += dO[i * D + d] * V[j * D + d]; dP[i * T + j] = s; } float q = 0; for (int j = 0; j < T; j++) q += R[i * T + j] * dP[i * T + j]; for (int j = 0; j < T; j++) dS[i * T + j] = P[i * T + j] * (dP[i * T + j] - q); } }
