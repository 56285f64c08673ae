// Cells of recurrent networks, and attention.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float sqrtf(float), expf(float), tanhf(float);

static float sg(float x) { return 1 / (1 + expf(-x)); }
// CHECK-DAG: cells.c:[[#@LINE+1]]:{{.*}} kernel: lstm f32
void lstmc(const float *g, float *c, float *h, int H) { for (int i = 0; i < H; i++) { float in = sg(g[i]), f = sg(g[H + i]), z = tanhf(g[2 * H + i]), o = sg(g[3 * H + i]); c[i] = f * c[i] + in * z; h[i] = o * tanhf(c[i]); } }
// CHECK-DAG: cells.c:[[#@LINE+1]]:{{.*}} kernel: lstm f32
void lstm2(const float *gi, const float *gf, const float *gg, const float *go, float *c, float *h, int H) { for (int i = 0; i < H; i++) { c[i] = sg(gf[i]) * c[i] + sg(gi[i]) * tanhf(gg[i]); h[i] = sg(go[i]) * tanhf(c[i]); } }
// CHECK-DAG: cells.c:[[#@LINE+1]]:{{.*}} kernel: lerp f32
void gruc(const float *z, const float *n, const float *hp, float *h, int H) { for (int i = 0; i < H; i++) h[i] = (1 - z[i]) * n[i] + z[i] * hp[i]; }
// CHECK-DAG: cells.c:[[#@LINE+1]]:{{.*}} kernel: attention f32
void attn(const float *q, const float *k, const float *v, float *o, float *att, int T, int D) { float sc = 1 / sqrtf(D); for (int i = 0; i < T; i++) { float m = -1e30f; for (int j = 0; j < T; j++) { float s = 0; for (int d = 0; d < D; d++) s += q[i * D + d] * k[j * D + d]; s *= sc; att[j] = s; if (s > m) m = s; } float sum = 0; for (int j = 0; j < T; j++) { att[j] = expf(att[j] - m); sum += att[j]; } for (int j = 0; j < T; j++) att[j] /= sum; for (int d = 0; d < D; d++) { float s = 0; for (int j = 0; j < T; j++) s += att[j] * v[j * D + d]; o[i * D + d] = s; } } }
// CHECK-DAG: cells.c:[[#@LINE+1]]:{{.*}} kernel: rope f32
void rope(float *x, const float *cs, const float *sn, int T, int D) { for (int t = 0; t < T; t++) for (int i = 0; i < D / 2; i++) { float a = x[t * D + 2 * i], b = x[t * D + 2 * i + 1], c = cs[t * (D / 2) + i], s = sn[t * (D / 2) + i]; x[t * D + 2 * i] = a * c - b * s; x[t * D + 2 * i + 1] = a * s + b * c; } }
// CHECK-DAG: cells.c:[[#@LINE+1]]:{{.*}} kernel: rope f32
void ropeneox(float *x, const float *cs, const float *sn, int T, int D) { for (int t = 0; t < T; t++) for (int i = 0; i < D / 2; i++) { float a = x[t * D + i], b = x[t * D + i + D / 2], c = cs[t * (D / 2) + i], s = sn[t * (D / 2) + i]; x[t * D + i] = a * c - b * s; x[t * D + i + D / 2] = b * c + a * s; } }
// CHECK-DAG: cells.c:[[#@LINE+1]]:{{.*}} kernel: gru f32
void gru2(const float *gx, const float *gh, float *h, int H) { for (int i = 0; i < H; i++) { float r = sg(gx[i] + gh[i]), z = sg(gx[H + i] + gh[H + i]), n = tanhf(gx[2 * H + i] + r * gh[2 * H + i]); h[i] = (1 - z) * n + z * h[i]; } }
