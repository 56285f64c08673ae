// Convolutions and pooling, with borders that are tested.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float fmaxf(float, float);
#define INFINITY __builtin_inff()

// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void c33(const float *in, const float *w, float *out, int C, int H, int W, int O) { for (int o = 0; o < O; o++) for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) { float s = 0; for (int c = 0; c < C; c++) for (int ky = 0; ky < 3; ky++) for (int kx = 0; kx < 3; kx++) { int iy = y + ky - 1, ix = x + kx - 1; if (iy >= 0 && iy < H && ix >= 0 && ix < W) s += in[(c * H + iy) * W + ix] * w[((o * C + c) * 3 + ky) * 3 + kx]; } out[(o * H + y) * W + x] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void cvalid(const float *in, const float *w, const float *b, float *out, int C, int H, int W, int O, int K) { int oh = H - K + 1, ow = W - K + 1; for (int o = 0; o < O; o++) for (int y = 0; y < oh; y++) for (int x = 0; x < ow; x++) { float s = b[o]; for (int c = 0; c < C; c++) for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) s += in[(c * H + y + ky) * W + x + kx] * w[((o * C + c) * K + ky) * K + kx]; out[(o * oh + y) * ow + x] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void cgray(const float *in, const float *k, float *out, int H, int W) { for (int y = 1; y < H - 1; y++) for (int x = 1; x < W - 1; x++) { float s = 0; for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++) s += in[(y + i) * W + x + j] * k[(i + 1) * 3 + j + 1]; out[y * W + x] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void cstride(const float *in, const float *w, const float *b, float *out, int N, int C, int H, int W, int O, int K, int S, int P, int OH, int OW) { for (int n = 0; n < N; n++) for (int o = 0; o < O; o++) for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) { float s = b[o]; for (int c = 0; c < C; c++) for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) { int iy = y * S - P + ky, ix = x * S - P + kx; if (iy < 0 || iy >= H || ix < 0 || ix >= W) continue; s += in[((n * C + c) * H + iy) * W + ix] * w[((o * C + c) * K + ky) * K + kx]; } out[((n * O + o) * OH + y) * OW + x] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d f32
void cnhwc(const float *in, const float *w, float *out, int H, int W, int C, int O, int K, int S, int P, int OH, int OW) { for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) for (int o = 0; o < O; o++) { float s = 0; for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) { int iy = y * S - P + ky, ix = x * S - P + kx; if (iy >= 0 && ix >= 0 && iy < H && ix < W) for (int c = 0; c < C; c++) s += in[(iy * W + ix) * C + c] * w[((o * K + ky) * K + kx) * C + c]; } out[(y * OW + x) * O + o] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d.depthwise f32
void dw(const float *in, const float *w, float *out, int C, int H, int W) { for (int c = 0; c < C; c++) for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) { float s = 0; for (int ky = -1; ky <= 1; ky++) for (int kx = -1; kx <= 1; kx++) { int iy = y + ky, ix = x + kx; if (iy >= 0 && iy < H && ix >= 0 && ix < W) s += in[(c * H + iy) * W + ix] * w[c * 9 + (ky + 1) * 3 + kx + 1]; } out[(c * H + y) * W + x] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d.depthwise f32
void dwnhwc(const float *in, const float *w, const float *b, float *out, int C, int H, int W, int K, int OH, int OW) { for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) for (int c = 0; c < C; c++) { float s = b[c]; for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) s += in[((y + ky) * W + x + kx) * C + c] * w[(ky * K + kx) * C + c]; out[(y * OW + x) * C + c] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d.grouped f32
void grouped(const float *in, const float *w, float *out, int G, int CG, int OG, int H, int W, int K) { for (int g = 0; g < G; g++) for (int o = 0; o < OG; o++) for (int y = 0; y < H - K + 1; y++) for (int x = 0; x < W - K + 1; x++) { float s = 0; for (int c = 0; c < CG; c++) for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) s += in[((g * CG + c) * H + y + ky) * W + x + kx] * w[(((g * OG + o) * CG + c) * K + ky) * K + kx]; out[((g * OG + o) * (H - K + 1) + y) * (W - K + 1) + x] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv1d f32
void c1(const float *x, const float *k, float *y, int n, int K) { for (int i = 0; i < n - K + 1; i++) { float s = 0; for (int j = 0; j < K; j++) s += x[i + j] * k[j]; y[i] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv1d f32
void c1c(const float *x, const float *w, const float *b, float *y, int C, int L, int O, int K) { for (int o = 0; o < O; o++) for (int i = 0; i < L - K + 1; i++) { float s = b[o]; for (int c = 0; c < C; c++) for (int j = 0; j < K; j++) s += x[c * L + i + j] * w[(o * C + c) * K + j]; y[o * (L - K + 1) + i] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv1d f32
void c1pad(const float *x, const float *k, float *y, int n) { for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < 5; j++) { int p = i + j - 2; if (p >= 0 && p < n) s += x[p] * k[j]; } y[i] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv3d f32
void c3(const float *x, const float *w, float *y, int D, int H, int W, int K) { for (int d = 0; d < D - K + 1; d++) for (int i = 0; i < H - K + 1; i++) for (int j = 0; j < W - K + 1; j++) { float s = 0; for (int a = 0; a < K; a++) for (int b = 0; b < K; b++) for (int c = 0; c < K; c++) s += x[((d + a) * H + i + b) * W + j + c] * w[(a * K + b) * K + c]; y[(d * (H - K + 1) + i) * (W - K + 1) + j] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d.transposed f32
void ct(const float *in, const float *w, float *out, int H, int W, int K, int S, int OW) { for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) out[(y * S + ky) * OW + x * S + kx] += in[y * W + x] * w[ky * K + kx]; }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv2d.transposed f32
void dcdata(const float *dy, const float *w, float *dx, int C, int O, int H, int W, int K) { for (int o = 0; o < O; o++) for (int y = 0; y < H - K + 1; y++) for (int x = 0; x < W - K + 1; x++) for (int c = 0; c < C; c++) for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) dx[(c * H + y + ky) * W + x + kx] += dy[(o * (H - K + 1) + y) * (W - K + 1) + x] * w[((o * C + c) * K + ky) * K + kx]; }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: im2col f32
void im2col(const float *in, float *col, int C, int H, int W, int K, int OH, int OW) { for (int c = 0; c < C; c++) for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) col[(((c * K + ky) * K + kx) * OH + y) * OW + x] = in[(c * H + y + ky) * W + x + kx]; }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: im2col f32
void im2colp(const float *in, float *col, int C, int H, int W, int K, int P, int S, int OH, int OW) { for (int c = 0; c < C; c++) for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) { int iy = y * S + ky - P, ix = x * S + kx - P; col[(((c * K + ky) * K + kx) * OH + y) * OW + x] = iy >= 0 && iy < H && ix >= 0 && ix < W ? in[(c * H + iy) * W + ix] : 0; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: col2im f32
void col2im(const float *col, float *im, int C, int H, int W, int K, int S, int OH, int OW) { for (int c = 0; c < C; c++) for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) im[(c * H + y * S + ky) * W + x * S + kx] += col[(((c * K + ky) * K + kx) * OH + y) * OW + x]; }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: max-pool f32
void mp2(const float *in, float *out, int C, int H, int W) { for (int c = 0; c < C; c++) for (int y = 0; y < H / 2; y++) for (int x = 0; x < W / 2; x++) { float m = -INFINITY; for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) { float v = in[(c * H + 2 * y + i) * W + 2 * x + j]; if (v > m) m = v; } out[(c * (H / 2) + y) * (W / 2) + x] = m; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: max-pool f32
void mpp(const float *in, float *out, int C, int H, int W, int K, int S, int P, int OH, int OW) { for (int c = 0; c < C; c++) for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) { float m = -3.4e38f; for (int i = 0; i < K; i++) for (int j = 0; j < K; j++) { int iy = y * S - P + i, ix = x * S - P + j; if (iy >= 0 && iy < H && ix >= 0 && ix < W) { float v = in[(c * H + iy) * W + ix]; if (v > m) m = v; } } out[(c * OH + y) * OW + x] = m; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: max-pool f32
void mpu(const float *in, float *out, int H, int W) { for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) { float a = in[2 * y * 2 * W + 2 * x], b = in[2 * y * 2 * W + 2 * x + 1], c = in[(2 * y + 1) * 2 * W + 2 * x], d = in[(2 * y + 1) * 2 * W + 2 * x + 1]; out[y * W + x] = fmaxf(fmaxf(a, b), fmaxf(c, d)); } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: max-pool f32
void mpidx(const float *in, float *out, int *idx, int C, int H, int W, int OH, int OW) { for (int c = 0; c < C; c++) for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) { float m = -INFINITY; int b = -1; for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) { int p = (c * H + 2 * y + i) * W + 2 * x + j; if (in[p] > m) { m = in[p]; b = p; } } out[(c * OH + y) * OW + x] = m; idx[(c * OH + y) * OW + x] = b; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: max-pool f32
void mp1(const float *x, float *y, int n) { for (int i = 0; i < n / 2; i++) y[i] = x[2 * i] > x[2 * i + 1] ? x[2 * i] : x[2 * i + 1]; }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: mean-pool f32
void ap2(const float *in, float *out, int C, int H, int W) { for (int c = 0; c < C; c++) for (int y = 0; y < H / 2; y++) for (int x = 0; x < W / 2; x++) { float s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) s += in[(c * H + 2 * y + i) * W + 2 * x + j]; out[(c * (H / 2) + y) * (W / 2) + x] = s / 4; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: mean-pool f32
void app(const float *in, float *out, int C, int H, int W, int K, int S, int P, int OH, int OW) { for (int c = 0; c < C; c++) for (int y = 0; y < OH; y++) for (int x = 0; x < OW; x++) { float s = 0; int n = 0; for (int i = 0; i < K; i++) for (int j = 0; j < K; j++) { int iy = y * S - P + i, ix = x * S - P + j; if (iy >= 0 && iy < H && ix >= 0 && ix < W) { s += in[(c * H + iy) * W + ix]; n++; } } out[(c * OH + y) * OW + x] = s / n; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: mean f32
void gap(const float *in, float *out, int C, int H, int W) { for (int c = 0; c < C; c++) { float s = 0; for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) s += in[(c * H + y) * W + x]; out[c] = s / (H * W); } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: max f32
void gmp(const float *in, float *out, int C, int S) { for (int c = 0; c < C; c++) { float m = in[c * S]; for (int i = 1; i < S; i++) m = fmaxf(m, in[c * S + i]); out[c] = m; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: mean-pool.backward f32
void dap(const float *dy, float *dx, int H, int W) { for (int y = 0; y < H / 2; y++) for (int x = 0; x < W / 2; x++) for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) dx[(2 * y + i) * W + 2 * x + j] += dy[y * (W / 2) + x] / 4; }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv1d.depthwise f32
void dw1(const float *x, const float *w, float *y, int C, int L) { for (int c = 0; c < C; c++) for (int i = 0; i < L; i++) { float s = 0; for (int k = 0; k < 5; k++) { int p = i + k - 2; if (p >= 0 && p < L) s += x[c * L + p] * w[c * 5 + k]; } y[c * L + i] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv1d.grouped f32
void g1(const float *x, const float *w, float *y, int G, int C, int O, int L) { for (int g = 0; g < G; g++) for (int o = 0; o < O; o++) for (int i = 0; i < L - 2; i++) { float s = 0; for (int c = 0; c < C; c++) for (int k = 0; k < 3; k++) s += x[(g * C + c) * L + i + k] * w[((g * O + o) * C + c) * 3 + k]; y[(g * O + o) * (L - 2) + i] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv1d.transposed f32
void t1(const float *x, const float *w, float *y, int L, int K) { for (int i = 0; i < L; i++) for (int k = 0; k < K; k++) y[i + k] += x[i] * w[k]; }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv3d.depthwise f32
void dw3(const float *x, const float *w, float *y, int C, int D, int H, int W) { for (int c = 0; c < C; c++) for (int d = 0; d < D - 2; d++) for (int i = 0; i < H - 2; i++) for (int j = 0; j < W - 2; j++) { float s = 0; for (int p = 0; p < 3; p++) for (int q = 0; q < 3; q++) for (int r = 0; r < 3; r++) s += x[((c * D + d + p) * H + i + q) * W + j + r] * w[c * 27 + p * 9 + q * 3 + r]; y[((c * (D - 2) + d) * (H - 2) + i) * (W - 2) + j] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv3d.grouped f32
void g3(const float *x, const float *w, float *y, int G, int C, int O, int D, int H, int W) { for (int g = 0; g < G; g++) for (int o = 0; o < O; o++) for (int d = 0; d < D - 2; d++) for (int i = 0; i < H - 2; i++) for (int j = 0; j < W - 2; j++) { float s = 0; for (int c = 0; c < C; c++) for (int p = 0; p < 3; p++) for (int q = 0; q < 3; q++) for (int r = 0; r < 3; r++) s += x[(((g * C + c) * D + d + p) * H + i + q) * W + j + r] * w[((g * O + o) * C + c) * 27 + p * 9 + q * 3 + r]; y[(((g * O + o) * (D - 2) + d) * (H - 2) + i) * (W - 2) + j] = s; } }
// CHECK-DAG: windows.c:[[#@LINE+1]]:{{.*}} kernel: conv3d.transposed f32
void t3(const float *x, const float *w, float *y, int D, int H, int W) { for (int d = 0; d < D; d++) for (int i = 0; i < H; i++) for (int j = 0; j < W; j++) for (int p = 0; p < 3; p++) for (int q = 0; q < 3; q++) for (int r = 0; r < 3; r++) y[((d + p) * (H + 2) + i + q) * (W + 2) + j + r] += x[(d * H + i) * W + j] * w[p * 9 + q * 3 + r]; }
