// Rows that are put together of pieces, and blocks that are multiplied by matrices.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clangxx_dl -x c++ -Drestrict=__restrict --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: pad.reflect f32, loop 1 of 3
void reflect_p(const float *restrict x, float *restrict y, int N, int P) { for (int i = 0; i < P; i++) y[i] = x[P - i]; for (int i = 0; i < N; i++) y[P + i] = x[i]; for (int i = 0; i < P; i++) y[P + N + i] = x[N - 2 - i]; }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: pad.reflect f32
void reflect_pr(const float *restrict x, float *restrict y, int R, int N, int P) { for (int r = 0; r < R; r++) { for (int i = 0; i < P; i++) y[r * (N + 2 * P) + i] = x[r * N + P - i]; for (int i = 0; i < N; i++) y[r * (N + 2 * P) + P + i] = x[r * N + i]; for (int i = 0; i < P; i++) y[r * (N + 2 * P) + P + N + i] = x[r * N + N - 2 - i]; } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: pad.replicate f32
void edge_pr(const float *restrict x, float *restrict y, int R, int N, int P) { for (int r = 0; r < R; r++) { for (int i = 0; i < P; i++) y[r * (N + 2 * P) + i] = x[r * N]; for (int i = 0; i < N; i++) y[r * (N + 2 * P) + P + i] = x[r * N + i]; for (int i = 0; i < P; i++) y[r * (N + 2 * P) + P + N + i] = x[r * N + N - 1]; } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: pad.circular f32
void circ_pr(const float *restrict x, float *restrict y, int R, int N, int P) { for (int r = 0; r < R; r++) { for (int i = 0; i < P; i++) y[r * (N + 2 * P) + i] = x[r * N + N - P + i]; for (int i = 0; i < N; i++) y[r * (N + 2 * P) + P + i] = x[r * N + i]; for (int i = 0; i < P; i++) y[r * (N + 2 * P) + P + N + i] = x[r * N + i]; } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: pad f32
void zero_pr(const float *restrict x, float *restrict y, int R, int N, int P) { for (int r = 0; r < R; r++) { for (int i = 0; i < P; i++) y[r * (N + 2 * P) + i] = 0; for (int i = 0; i < N; i++) y[r * (N + 2 * P) + P + i] = x[r * N + i]; for (int i = 0; i < P; i++) y[r * (N + 2 * P) + P + N + i] = 0; } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: concat f32, loop 1 of 2
void concat3(const float *restrict a, const float *restrict b, float *restrict o, int p, int q) { for (int j = 0; j < p; j++) o[j] = a[j]; for (int j = 0; j < q; j++) o[p + j] = b[j]; }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: concat f32
void stacked(const float *restrict a, const float *restrict b, const float *restrict c, float *restrict o, int m, int n, int k, int w) { for (int i = 0; i < m; i++) for (int j = 0; j < w; j++) o[i * w + j] = a[i * w + j]; for (int i = 0; i < n; i++) for (int j = 0; j < w; j++) o[(m + i) * w + j] = b[i * w + j]; for (int i = 0; i < k; i++) for (int j = 0; j < w; j++) o[(m + n + i) * w + j] = c[i * w + j]; }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: pad.replicate f32
void edges_of_two(const float *restrict x, float *restrict y, int R, int N) { for (int r = 0; r < R; r++) { y[r * (N + 2)] = x[r * N]; for (int i = 0; i < N; i++) y[r * (N + 2) + 1 + i] = x[r * N + i]; y[r * (N + 2) + N + 1] = x[r * N + N - 1]; } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: winograd.input f32
void wino_in(const float *restrict d, float *restrict v, int n, int W) { for (int t = 0; t < n; t++) { const float *p = d + 2 * t; float m[4][4]; for (int j = 0; j < 4; j++) { m[0][j] = p[j] - p[2 * W + j]; m[1][j] = p[W + j] + p[2 * W + j]; m[2][j] = p[2 * W + j] - p[W + j]; m[3][j] = p[W + j] - p[3 * W + j]; } for (int i = 0; i < 4; i++) { v[(i * 4 + 0) * n + t] = m[i][0] - m[i][2]; v[(i * 4 + 1) * n + t] = m[i][1] + m[i][2]; v[(i * 4 + 2) * n + t] = m[i][2] - m[i][1]; v[(i * 4 + 3) * n + t] = m[i][1] - m[i][3]; } } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: winograd.filter f32
void wino_flt(const float *restrict g, float *restrict u, int n) { static const float G[4][3] = {{1, 0, 0}, {.5f, .5f, .5f}, {.5f, -.5f, .5f}, {0, 0, 1}}; for (int t = 0; t < n; t++) { float m[4][3]; for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) { float s = 0; for (int k = 0; k < 3; k++) s += G[i][k] * g[t * 9 + k * 3 + j]; m[i][j] = s; } for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) { float s = 0; for (int k = 0; k < 3; k++) s += m[i][k] * G[j][k]; u[t * 16 + i * 4 + j] = s; } } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: winograd.output f32
void wino_out(const float *restrict m, float *restrict y, int n, int W) { for (int t = 0; t < n; t++) { float a[2][4]; for (int j = 0; j < 4; j++) { float m0 = m[t * 16 + j], m1 = m[t * 16 + 4 + j], m2 = m[t * 16 + 8 + j], m3 = m[t * 16 + 12 + j]; a[0][j] = m0 + m1 + m2; a[1][j] = m1 - m2 - m3; } for (int i = 0; i < 2; i++) { y[i * W + 2 * t] = a[i][0] + a[i][1] + a[i][2]; y[i * W + 2 * t + 1] = a[i][1] - a[i][2] - a[i][3]; } } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: winograd.output f32
void with_bias(const float *restrict m, float *restrict y, int n, float b) { for (int t = 0; t < n; t++) { const float *p = m + 4 * t; y[2 * t] = p[0] + p[1] + p[2] + b; y[2 * t + 1] = p[1] - p[2] - p[3] + b; } }

// The edge for its neighbour, a gap, two numbers, one array; another sign, another place.

// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: {{map|generic}} f32
void symmetric(const float *restrict x, float *restrict y, int R, int N, int P) { for (int r = 0; r < R; r++) { for (int i = 0; i < P; i++) y[r * (N + 2 * P) + i] = x[r * N + P - 1 - i]; for (int i = 0; i < N; i++) y[r * (N + 2 * P) + P + i] = x[r * N + i]; for (int i = 0; i < P; i++) y[r * (N + 2 * P) + P + N + i] = x[r * N + N - 2 - i]; } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: {{map|generic}} f32
void gap(const float *restrict x, float *restrict y, int R, int N, int P) { for (int r = 0; r < R; r++) { for (int i = 0; i < P; i++) y[r * (N + 2 * P) + i] = x[r * N]; for (int i = 0; i < N; i++) y[r * (N + 2 * P) + P + i] = x[r * N + i]; for (int i = 0; i < P; i++) y[r * (N + 2 * P) + P + N + 1 + i] = x[r * N + N - 1]; } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: {{map|generic}} f32
void two_numbers(const float *restrict x, float *restrict y, int R, int N, int P) { for (int r = 0; r < R; r++) { for (int i = 0; i < P; i++) y[r * (N + 2 * P) + i] = 1; for (int i = 0; i < N; i++) y[r * (N + 2 * P) + P + i] = x[r * N + i]; for (int i = 0; i < P; i++) y[r * (N + 2 * P) + P + N + i] = 0; } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: {{map|generic}} f32
void other_sign(const float *restrict d, float *restrict v, int n, int W) { for (int t = 0; t < n; t++) { const float *p = d + 2 * t; float m[4][4]; for (int j = 0; j < 4; j++) { m[0][j] = p[j] - p[2 * W + j]; m[1][j] = p[W + j] + p[2 * W + j]; m[2][j] = p[2 * W + j] - p[W + j]; m[3][j] = p[W + j] + p[3 * W + j]; } for (int i = 0; i < 4; i++) { v[(i * 4 + 0) * n + t] = m[i][0] - m[i][2]; v[(i * 4 + 1) * n + t] = m[i][1] + m[i][2]; v[(i * 4 + 2) * n + t] = m[i][2] - m[i][1]; v[(i * 4 + 3) * n + t] = m[i][1] - m[i][3]; } } }
// CHECK-DAG: blocks.c:[[#@LINE+1]]:{{.*}} kernel: {{map|generic}} f32
void other_place(const float *restrict m, float *restrict y, int n, int W) { for (int t = 0; t < n; t++) { float a[2][4]; for (int j = 0; j < 4; j++) { float m0 = m[t * 16 + j], m1 = m[t * 16 + 4 + j], m2 = m[t * 16 + 8 + j], m3 = m[t * 16 + 12 + j]; a[0][j] = m0 + m1 + m2; a[1][j] = m1 - m2 - m3; } for (int i = 0; i < 2; i++) { y[i * W + 2 * t + 2] = a[i][0] + a[i][1] + a[i][2]; y[i * W + 2 * t + 1] = a[i][1] - a[i][2] - a[i][3]; } } }
