// Vectors and matrices.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
float sqrtf(float), fminf(float, float), fabsf(float), powf(float, float);

// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: axpy f32
void axpy(int n, float a, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: axpy f32
void axpyi(int n, float a, const float *x, int ix, float *y, int iy) { for (int i = 0; i < n; i++) y[i * iy] += a * x[i * ix]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: axpby f32
void axpby(int n, float a, const float *x, float b, float *y) { for (int i = 0; i < n; i++) y[i] = a * x[i] + b * y[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: dot f32
float dot(int n, const float *x, const float *y) { float s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: l2-norm f32
float nrm2(int n, const float *x) { float s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return sqrtf(s); }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: l1-norm f32
float asum(int n, const float *x) { float s = 0; for (int i = 0; i < n; i++) s += fabsf(x[i]); return s; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: scale f32
void scal(int n, float a, float *x) { for (int i = 0; i < n; i++) x[i] *= a; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: copy f32
void copy(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: outer f32
void ger(int m, int n, const float *x, const float *y, float *a) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[i * n + j] += x[i] * y[j]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: outer f32
void gera(int m, int n, float al, const float *x, const float *y, float *a) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[i * n + j] += al * x[i] * y[j]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matvec f32
void gemv(int m, int n, const float *a, const float *x, float *y) { for (int i = 0; i < m; i++) { float s = 0; for (int j = 0; j < n; j++) s += a[i * n + j] * x[j]; y[i] = s; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matvec f32
void gemvab(int m, int n, float al, float be, const float *a, const float *x, float *y) { for (int i = 0; i < m; i++) { float s = 0; for (int j = 0; j < n; j++) s += a[i * n + j] * x[j]; y[i] = al * s + be * y[i]; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matvec f32
void lin(int m, int n, const float *w, const float *b, const float *x, float *y) { for (int i = 0; i < m; i++) { float s = b[i]; for (int j = 0; j < n; j++) s += w[i * n + j] * x[j]; y[i] = s > 0 ? s : 0; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: vecmat f32
void gemvt(int m, int n, const float *a, const float *x, float *y) { for (int j = 0; j < n; j++) y[j] = 0; for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) y[j] += a[i * n + j] * x[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matmul.nn f32
void mm(int m, int n, int k, const float *a, const float *b, float *c) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float s = 0; for (int p = 0; p < k; p++) s += a[i * k + p] * b[p * n + j]; c[i * n + j] = s; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matmul f32
void gemm(int m, int n, int k, float al, float be, const float *a, const float *b, float *c) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { c[i * n + j] *= be; for (int p = 0; p < k; p++) c[i * n + j] += al * a[i * k + p] * b[p * n + j]; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matmul.nn f32
void mmikj(int m, int n, int k, const float *a, const float *b, float *c) { for (int i = 0; i < m; i++) for (int p = 0; p < k; p++) { float v = a[i * k + p]; for (int j = 0; j < n; j++) c[i * n + j] += v * b[p * n + j]; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matmul.nn.batched f32
void bmm(int B, int m, int n, int k, const float *a, const float *b, float *c) { for (int q = 0; q < B; q++) for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float s = 0; for (int p = 0; p < k; p++) s += a[(q * m + i) * k + p] * b[(q * k + p) * n + j]; c[(q * m + i) * n + j] = s; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matmul.nt f32
void linear(int m, int n, int k, const float *x, const float *w, const float *b, float *y) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float s = b ? b[j] : 0; for (int p = 0; p < k; p++) s += x[i * k + p] * w[j * k + p]; y[i * n + j] = s; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matmul f32
void syrk(int n, int k, const float *a, float *c) { for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) { float s = 0; for (int p = 0; p < k; p++) s += a[i * k + p] * a[j * k + p]; c[i * n + j] = s; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: matvec f32
void trmv(int n, const float *a, const float *x, float *y) { for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j <= i; j++) s += a[i * n + j] * x[j]; y[i] = s; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: add f32
void add(int n, const float *a, const float *b, float *c) { for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: add f32
void acc(int n, const float *a, float *c) { for (int i = 0; i < n; i++) c[i] += a[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: multiply f32
void had(int n, const float *a, float *c) { for (int i = 0; i < n; i++) c[i] *= a[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: multiply-add f32
void fma_(int n, const float *a, const float *b, const float *d, float *c) { for (int i = 0; i < n; i++) c[i] = a[i] * b[i] + d[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: multiply-add f32
void addcmul(int n, const float *a, const float *b, float *c) { for (int i = 0; i < n; i++) c[i] += a[i] * b[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: bias f32
void bias(float *x, const float *b, int m, int n) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) x[i * n + j] += b[j]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: bias f32
void biasc(float *x, const float *b, int N, int C, int S) { for (int q = 0; q < N; q++) for (int i = 0; i < C; i++) for (int j = 0; j < S; j++) x[(q * C + i) * S + j] += b[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: sum f32
void dbias(float *db, const float *dy, int m, int n) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) db[j] += dy[i * n + j]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: affine f32
void affine(float *x, const float *g, const float *b, int C, int S) { for (int c = 0; c < C; c++) for (int i = 0; i < S; i++) x[c * S + i] = x[c * S + i] * g[c] + b[c]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: affine f32
void affines(float *x, int n, float a, float b) { for (int i = 0; i < n; i++) x[i] = a * x[i] + b; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: max f32
float vmax(const float *x, int n) { float m = x[0]; for (int i = 1; i < n; i++) if (x[i] > m) m = x[i]; return m; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: min f32
float vmin(const float *x, int n) { float m = x[0]; for (int i = 1; i < n; i++) m = fminf(m, x[i]); return m; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: maximum f32
void emax(const float *a, const float *b, float *c, int n) { for (int i = 0; i < n; i++) c[i] = a[i] > b[i] ? a[i] : b[i]; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: minimum f32
void emin(const float *a, const float *b, float *c, int n) { for (int i = 0; i < n; i++) c[i] = fminf(a[i], b[i]); }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: mean f32
float mean(const float *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s / n; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: variance f32
float var(const float *x, int n) { float m = 0, v = 0; for (int i = 0; i < n; i++) m += x[i]; m /= n; for (int i = 0; i < n; i++) v += (x[i] - m) * (x[i] - m); return v / n; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: variance f32
void varrow(const float *x, const float *m, float *v, int R, int n) { for (int r = 0; r < R; r++) { float s = 0; for (int i = 0; i < n; i++) { float d = x[r * n + i] - m[r]; s += d * d; } v[r] = s / n; } }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: pow f32
void powv(const float *x, float *y, int n, float p) { for (int i = 0; i < n; i++) y[i] = powf(x[i], p); }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: accuracy i32
int acc_(const int *p, const int *t, int n) { int c = 0; for (int i = 0; i < n; i++) c += p[i] == t[i]; return c; }
// CHECK-DAG: vectors.c:[[#@LINE+1]]:{{.*}} kernel: squared-distance f32
void cdist(const float *a, const float *b, float *d, int m, int n, int k) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float s = 0; for (int p = 0; p < k; p++) { float e = a[i * k + p] - b[j * k + p]; s += e * e; } d[i * n + j] = s; } }
