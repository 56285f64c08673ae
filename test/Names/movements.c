// What moves elements.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target

// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: pad f32
void zpad(const float *in, float *out, int H, int W, int P) { int OW = W + 2 * P; for (int y = 0; y < H + 2 * P; y++) for (int x = 0; x < OW; x++) { int iy = y - P, ix = x - P; out[y * OW + x] = iy >= 0 && iy < H && ix >= 0 && ix < W ? in[iy * W + ix] : 0; } }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: copy f32
void zpad2(const float *in, float *out, int H, int W, int P) { for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) out[(y + P) * (W + 2 * P) + x + P] = in[y * W + x]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: upsample.nearest f32
void up2(const float *in, float *out, int C, int H, int W) { for (int c = 0; c < C; c++) for (int y = 0; y < 2 * H; y++) for (int x = 0; x < 2 * W; x++) out[(c * 2 * H + y) * 2 * W + x] = in[(c * H + y / 2) * W + x / 2]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: upsample.nearest f32
void ups(const float *in, float *out, int H, int W, int S) { for (int y = 0; y < H * S; y++) for (int x = 0; x < W * S; x++) out[y * W * S + x] = in[(y / S) * W + x / S]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: upsample.nearest f32
void upr(const float *in, float *out, int H, int W, int OH, int OW) { for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) out[y * OW + x] = in[(y * H / OH) * W + x * W / OW]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: pixel-shuffle f32
void pshuf(const float *in, float *out, int C, int H, int W, int R) { for (int c = 0; c < C; c++) for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) for (int i = 0; i < R; i++) for (int j = 0; j < R; j++) out[(c * H * R + y * R + i) * W * R + x * R + j] = in[(((c * R + i) * R + j) * H + y) * W + x]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: concat f32
void concat(const float *a, const float *b, float *o, int m, int p, int q) { for (int i = 0; i < m; i++) { for (int j = 0; j < p; j++) o[i * (p + q) + j] = a[i * p + j]; for (int j = 0; j < q; j++) o[i * (p + q) + p + j] = b[i * q + j]; } }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: slice f32
void slice(const float *a, float *o, int m, int n, int s, int k) { for (int i = 0; i < m; i++) for (int j = 0; j < k; j++) o[i * k + j] = a[i * n + s + j]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: slice f32
void strided(const float *a, float *o, int n) { for (int i = 0; i < n; i++) o[i] = a[2 * i]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: gather f32
void gather(const float *a, const int *idx, float *o, int n) { for (int i = 0; i < n; i++) o[i] = a[idx[i]]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: gather f32
void embed(const float *t, const int *idx, float *o, int n, int d) { for (int i = 0; i < n; i++) for (int j = 0; j < d; j++) o[i * d + j] = t[idx[i] * d + j]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: embedding f32
void embedp(const float *t, const float *p, const int *idx, float *o, int B, int T, int d) { for (int b = 0; b < B; b++) for (int i = 0; i < T; i++) for (int j = 0; j < d; j++) o[(b * T + i) * d + j] = t[idx[b * T + i] * d + j] + p[i * d + j]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: scatter-add f32
void dembed(const float *dy, const int *idx, float *dt, int n, int d) { for (int i = 0; i < n; i++) for (int j = 0; j < d; j++) dt[idx[i] * d + j] += dy[i * d + j]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: scatter f32
void scatter(const float *a, const int *idx, float *o, int n) { for (int i = 0; i < n; i++) o[idx[i]] = a[i]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: histogram i32
void hist(const unsigned char *x, int *h, int n) { for (int i = 0; i < n; i++) h[x[i]]++; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: one-hot f32
void onehot(const int *t, float *o, int n, int c) { for (int i = 0; i < n; i++) for (int j = 0; j < c; j++) o[i * c + j] = (t[i] == j) ? 1.f : 0.f; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: one-hot f32
void onehot2(const int *t, float *o, int n, int c) { for (int i = 0; i < n; i++) o[i * c + t[i]] = 1; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: transpose f32
void tr(const float *a, float *b, int m, int n) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) b[j * m + i] = a[i * n + j]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: permute f32
void nchw2nhwc(const float *a, float *b, int C, int H, int W) { for (int c = 0; c < C; c++) for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) b[(y * W + x) * C + c] = a[(c * H + y) * W + x]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: transpose f32
void heads(const float *a, float *b, int B, int T, int NH, int D) { for (int q = 0; q < B; q++) for (int t = 0; t < T; t++) for (int h = 0; h < NH; h++) for (int d = 0; d < D; d++) b[((q * NH + h) * T + t) * D + d] = a[((q * T + t) * NH + h) * D + d]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: reverse f32
void flip(const float *a, float *b, int h, int w) { for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) b[i * w + j] = a[i * w + w - 1 - j]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: broadcast f32
void bcast(const float *a, float *o, int m, int n) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) o[i * n + j] = a[j]; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: argmax i32
int argmax(const float *x, int n) { int b = 0; for (int i = 1; i < n; i++) if (x[i] > x[b]) b = i; return b; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: argmax i32
int argmax2(const float *x, int n) { float m = x[0]; int b = 0; for (int i = 1; i < n; i++) if (x[i] > m) { m = x[i]; b = i; } return b; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: argmax i32
void argmaxl(const float *x, int *o, int m, int n) { for (int r = 0; r < m; r++) { int b = 0; float v = x[r * n]; for (int i = 0; i < n; i++) if (x[r * n + i] >= v) { v = x[r * n + i]; b = i; } o[r] = b; } }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: argmin i32
int argmin(const float *x, int n) { float m = 1e30f; int b = -1; for (int i = 0; i < n; i++) if (x[i] < m) { m = x[i]; b = i; } return b; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: causal-mask f32
void cmask(float *s, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (j > i) s[i * n + j] = -1e9f; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: mask f32
void maskv(float *x, const float *m, int n) { for (int i = 0; i < n; i++) x[i] += (1 - m[i]) * -10000.f; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: iota f32
void arange(float *x, int n) { for (int i = 0; i < n; i++) x[i] = i; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: fill f32
void ones(float *x, int n) { for (int i = 0; i < n; i++) x[i] = 1; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: identity f32
void eye(float *x, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i * n + j] = i == j; }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: swap f32
void swap(float *a, float *b, int n) { for (int i = 0; i < n; i++) { float t = a[i]; a[i] = b[i]; b[i] = t; } }
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: swap f32
void swap_strided(float *a, int s, float *b, int t, int n) { while (n--) { float x = *a; *a = *b; *b = x; a += s; b += t; } }
// The second one takes what the first one has become.
// CHECK-DAG: movements.c:[[#@LINE+1]]:{{.*}} kernel: copy f32
void no_swap(float *restrict a, float *restrict b, float *restrict c, int n) { for (int i = 0; i < n; i++) { a[i] = b[i]; c[i] = a[i]; } }
