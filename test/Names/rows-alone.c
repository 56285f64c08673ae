// Norms and softmaxes of one row and of many, whose loops are named by what they are together.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float fminf(float, float), sqrtf(float), expf(float), fmaxf(float, float), logf(float), powf(float, float);
#define INFINITY __builtin_inff()

// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: rmsnorm f32
void rms(float *o, const float *x, const float *w, int n) { float ss = 0; for (int j = 0; j < n; j++) ss += x[j] * x[j]; ss /= n; ss += 1e-5f; ss = 1 / sqrtf(ss); for (int j = 0; j < n; j++) o[j] = w[j] * (ss * x[j]); }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: rmsnorm f32
void rmsrows(float *o, const float *x, const float *w, int m, int n) { for (int i = 0; i < m; i++) { float ss = 0; for (int j = 0; j < n; j++) ss += x[i * n + j] * x[i * n + j]; float r = 1 / sqrtf(ss / n + 1e-6f); for (int j = 0; j < n; j++) o[i * n + j] = x[i * n + j] * r * w[j]; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: layernorm f32
void ln1(float *y, const float *x, const float *g, const float *b, int n) { float m = 0, v = 0; for (int i = 0; i < n; i++) m += x[i]; m /= n; for (int i = 0; i < n; i++) v += (x[i] - m) * (x[i] - m); v /= n; float r = 1 / sqrtf(v + 1e-5f); for (int i = 0; i < n; i++) y[i] = (x[i] - m) * r * g[i] + b[i]; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: layernorm f32
void ln(float *y, float *mean, float *rstd, const float *x, const float *g, const float *b, int B, int T, int C) { for (int t = 0; t < B * T; t++) { const float *p = x + t * C; float m = 0; for (int i = 0; i < C; i++) m += p[i]; m /= C; float v = 0; for (int i = 0; i < C; i++) { float d = p[i] - m; v += d * d; } v /= C; float s = 1.0f / sqrtf(v + 1e-5f); for (int i = 0; i < C; i++) y[t * C + i] = (p[i] - m) * s * g[i] + b[i]; mean[t] = m; rstd[t] = s; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: batchnorm.inference f32
void bni(float *y, const float *x, const float *m, const float *v, const float *g, const float *b, int N, int C, int S) { for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) for (int i = 0; i < S; i++) y[(n * C + c) * S + i] = g[c] * (x[(n * C + c) * S + i] - m[c]) / sqrtf(v[c] + 1e-5f) + b[c]; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: batchnorm.inference f32
void bni2(float *x, const float *m, const float *v, int N, int C) { for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) x[n * C + c] = (x[n * C + c] - m[c]) / (sqrtf(v[c]) + .000001f); }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: batchnorm.inference f32
void bni3(float *x, const float *m, const float *v, const float *g, const float *b, int C, int S) { for (int c = 0; c < C; c++) { float s = g[c] / sqrtf(v[c] + 1e-5f); for (int i = 0; i < S; i++) x[c * S + i] = (x[c * S + i] - m[c]) * s + b[c]; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: batchnorm f32
void bn(float *y, const float *x, const float *g, const float *b, int N, int C, int S) { for (int c = 0; c < C; c++) { float m = 0; for (int n = 0; n < N; n++) for (int i = 0; i < S; i++) m += x[(n * C + c) * S + i]; m /= N * S; float v = 0; for (int n = 0; n < N; n++) for (int i = 0; i < S; i++) { float d = x[(n * C + c) * S + i] - m; v += d * d; } v /= N * S; for (int n = 0; n < N; n++) for (int i = 0; i < S; i++) y[(n * C + c) * S + i] = (x[(n * C + c) * S + i] - m) / sqrtf(v + 1e-5f) * g[c] + b[c]; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: batchnorm f32
void bn2(float *y, const float *x, const float *g, const float *b, int N, int D) { for (int d = 0; d < D; d++) { float m = 0; for (int n = 0; n < N; n++) m += x[n * D + d]; m /= N; float v = 0; for (int n = 0; n < N; n++) v += (x[n * D + d] - m) * (x[n * D + d] - m); v /= N; for (int n = 0; n < N; n++) y[n * D + d] = g[d] * (x[n * D + d] - m) / sqrtf(v + 1e-5f) + b[d]; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: instancenorm f32
void in(float *y, const float *x, const float *g, const float *b, int N, int C, int S) { for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) { const float *p = x + (n * C + c) * S; float m = 0, v = 0; for (int i = 0; i < S; i++) m += p[i]; m /= S; for (int i = 0; i < S; i++) v += (p[i] - m) * (p[i] - m); v /= S; for (int i = 0; i < S; i++) y[(n * C + c) * S + i] = g[c] * (p[i] - m) / sqrtf(v + 1e-5f) + b[c]; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: l2-normalize f32
void l2n(float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; s = sqrtf(s); for (int i = 0; i < n; i++) x[i] /= s; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: l2-normalize f32
void l2nrows(float *x, int m, int n) { for (int k = 0; k < m; k++) { float s = 0; for (int i = 0; i < n; i++) s += x[k * n + i] * x[k * n + i]; s = 1 / sqrtf(s + 1e-12f); for (int i = 0; i < n; i++) x[k * n + i] *= s; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: sum-normalize f32
void probs(float *x, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; for (int i = 0; i < n; i++) x[i] /= s; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: layernorm f32
void stdz(float *x, int n) { float m = 0, v = 0; for (int i = 0; i < n; i++) m += x[i]; m /= n; for (int i = 0; i < n; i++) v += (x[i] - m) * (x[i] - m); v = sqrtf(v / n); for (int i = 0; i < n; i++) x[i] = (x[i] - m) / v; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: lrn f32
void lrn(float *y, const float *x, int C, int S, int r, float a, float be, float k) { for (int c = 0; c < C; c++) for (int i = 0; i < S; i++) { float s = 0; for (int d = -r; d <= r; d++) if (c + d >= 0 && c + d < C) s += x[(c + d) * S + i] * x[(c + d) * S + i]; y[c * S + i] = x[c * S + i] / powf(k + a * s, be); } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: weight-norm f32
void wn(float *w, const float *v, const float *g, int O, int I) { for (int o = 0; o < O; o++) { float s = 0; for (int i = 0; i < I; i++) s += v[o * I + i] * v[o * I + i]; float r = g[o] / sqrtf(s); for (int i = 0; i < I; i++) w[o * I + i] = v[o * I + i] * r; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: softmax f32
void sm(float *x, int n) { float m = x[0]; for (int i = 1; i < n; i++) if (x[i] > m) m = x[i]; float s = 0; for (int i = 0; i < n; i++) { x[i] = expf(x[i] - m); s += x[i]; } for (int i = 0; i < n; i++) x[i] /= s; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: softmax f32
void sm2(const float *x, float *y, int n) { float s = 0; for (int i = 0; i < n; i++) { y[i] = expf(x[i]); s += y[i]; } for (int i = 0; i < n; i++) y[i] = y[i] / s; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: softmax f32
void smt(const float *x, float *y, int n, float temp) { float m = -INFINITY; for (int i = 0; i < n; i++) if (x[i] > m) m = x[i]; float s = 0; for (int i = 0; i < n; i++) { float e = expf(x[i] / temp - m / temp); s += e; y[i] = e; } for (int i = 0; i < n; i++) y[i] /= s; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: softmax f32
void smrows(const float *x, float *y, int m, int n) { for (int r = 0; r < m; r++) { float mx = -1e30f; for (int i = 0; i < n; i++) mx = fmaxf(mx, x[r * n + i]); float s = 0; for (int i = 0; i < n; i++) { y[r * n + i] = expf(x[r * n + i] - mx); s += y[r * n + i]; } float inv = 1 / s; for (int i = 0; i < n; i++) y[r * n + i] *= inv; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: softmax f32
void smpad(const float *x, float *y, int B, int V, int Vp) { for (int b = 0; b < B; b++) { const float *l = x + b * Vp; float *p = y + b * Vp; float mx = -10000.f; for (int i = 0; i < V; i++) if (l[i] > mx) mx = l[i]; float s = 0; for (int i = 0; i < V; i++) { p[i] = expf(l[i] - mx); s += p[i]; } for (int i = 0; i < V; i++) p[i] /= s; for (int i = V; i < Vp; i++) p[i] = 0; } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: log-softmax f32
void lsm(const float *x, float *y, int n) { float m = x[0]; for (int i = 1; i < n; i++) m = x[i] > m ? x[i] : m; float s = 0; for (int i = 0; i < n; i++) s += expf(x[i] - m); float l = logf(s); for (int i = 0; i < n; i++) y[i] = x[i] - m - l; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: log-softmax f32
void lsmrows(const float *x, float *y, int R, int n) { for (int r = 0; r < R; r++) { const float *p = x + r * n; float m = p[0]; for (int i = 1; i < n; i++) m = p[i] > m ? p[i] : m; float s = 0; for (int i = 0; i < n; i++) s += expf(p[i] - m); for (int i = 0; i < n; i++) y[r * n + i] = p[i] - m - logf(s); } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: logsumexp f32
float lse(const float *x, int n) { float m = x[0]; for (int i = 1; i < n; i++) if (x[i] > m) m = x[i]; float s = 0; for (int i = 0; i < n; i++) s += expf(x[i] - m); return m + logf(s); }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: softmax.backward f32
void dsm(const float *y, const float *dy, float *dx, int n) { float s = 0; for (int i = 0; i < n; i++) s += y[i] * dy[i]; for (int i = 0; i < n; i++) dx[i] = y[i] * (dy[i] - s); }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: softmax.backward f32
void dsmrows(const float *y, const float *dy, float *dx, int R, int n) { for (int r = 0; r < R; r++) { float s = 0; for (int i = 0; i < n; i++) s += y[r * n + i] * dy[r * n + i]; for (int i = 0; i < n; i++) dx[r * n + i] = y[r * n + i] * (dy[r * n + i] - s); } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: log-softmax.backward f32
void dlsm(const float *y, const float *dy, float *dx, int n) { float s = 0; for (int i = 0; i < n; i++) s += dy[i]; for (int i = 0; i < n; i++) dx[i] = dy[i] - expf(y[i]) * s; }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: layernorm.backward f32
void dln(float *dx, float *dw, float *db, const float *dy, const float *x, const float *w, const float *mean, const float *rstd, int N, int C) { for (int t = 0; t < N; t++) { const float *d = dy + t * C, *p = x + t * C; float *o = dx + t * C; float m = mean[t], r = rstd[t]; float a = 0, b = 0; for (int i = 0; i < C; i++) { float n = (p[i] - m) * r; float dn = w[i] * d[i]; a += dn; b += dn * n; } a /= C; b /= C; for (int i = 0; i < C; i++) { float n = (p[i] - m) * r; float dn = w[i] * d[i]; db[i] += d[i]; dw[i] += n * d[i]; o[i] += (dn - a - n * b) * r; } } }
// CHECK-DAG: rows-alone.c:[[#@LINE+1]]:{{.*}} kernel: min-max-normalize f32
void unit(float *x, int n) { float lo = x[0], hi = x[0]; for (int i = 1; i < n; i++) lo = fminf(lo, x[i]); for (int i = 1; i < n; i++) hi = fmaxf(hi, x[i]); for (int i = 0; i < n; i++) x[i] = (x[i] - lo) / (hi - lo); }
