// Conditions that say when something is computed, and not what.
// TEETH: dl-prepare
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clangxx_dl -x c++ -Drestrict=__restrict --target=x86_64-linux-gnu -O2 -w -fno-math-errno -Rpass-analysis=dl-recognize -S -o /dev/null %s 2>&1 | FileCheck %s
// REQUIRES: x86-registered-target
#ifdef __cplusplus
extern "C" {
#endif
float logf(float), roundf(float);
double round(double);
float floorf(float), ceilf(float);
#ifdef __cplusplus
}
#endif
// Flags of the caller, and bounds that loops keep to: what is computed where they let it be.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: transpose f32
void flatten(const float *restrict x, float *restrict y, int size, int layers, int batch, int forward) { for (int b = 0; b < batch; ++b) for (int c = 0; c < layers; ++c) for (int i = 0; i < size; ++i) { int i1 = (b * layers + c) * size + i, i2 = (b * size + i) * layers + c; if (forward) y[i2] = x[i1]; else y[i1] = x[i2]; } }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: lerp f32
void weighted(const float *restrict a, const float *restrict b, const float *restrict s, float *restrict c, int n) { for (int i = 0; i < n; ++i) c[i] = s[i] * a[i] + (1 - s[i]) * (b ? b[i] : 0); }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: scale f32
void checked(float *x, int h, int w, int c, float v) { for (int j = 0; j < h; ++j) for (int i = 0; i < w; ++i) if (i >= 0 && j >= 0 && c >= 0 && i < w && j < h) x[(c * h + j) * w + i] *= v; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: upsample.nearest f32
void scaled_up(const float *restrict x, float *restrict y, int h, int w, int k, float s) { for (int j = 0; j < h * k; ++j) for (int i = 0; i < w * k; ++i) y[j * w * k + i] = s * x[(j / k) * w + i / k]; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: min-max-normalize f32
void between_bounds(float *x, float low, float high, int n) { for (int i = 0; i < n; ++i) x[i] = (x[i] - low) / (high - low); }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: affine f32
void smoothed(float *x, float by, float to, int n) { for (int i = 0; i < n; ++i) x[i] = (1 - by) * x[i] + by * to; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: axpy f32
void shared(const float *restrict x, float *restrict y, int count, int n) { for (int i = 0; i < n; ++i) y[i] += x[i] / count; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: scale f32
void turned(float *x, float s, int n) { for (int i = 0; i < n; ++i) x[i] = s * (0 - x[i]); }

// What is stored where another array has one number is masked; where its own has, it is a single point.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: mask f32
void marked(const float *restrict t, float *restrict x, int n) { for (int i = 0; i < n; ++i) if (t[i] == -1234) x[i] = -1234; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: mask f32
void there(const float *restrict t, float *restrict x, int n) { for (int i = 0; i < n; ++i) if (t[i]) x[i] = 1; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: cross-entropy f32
void of_class(const float *restrict t, const float *restrict p, float *restrict e, int n) { for (int i = 0; i < n; ++i) e[i] = t[i] ? -logf(p[i]) : 0; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: reciprocal f32
void guarded(const float *restrict x, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] == 0 ? 0 : 1 / x[i]; }

// Two ways that load something of their own, elements that change places, elements far apart, places that
// are loaded, a sum beside something else.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void two_ways(const float *restrict x, const float *restrict z, float *restrict y, int n, int flag) { for (int i = 0; i < n; ++i) y[i] = flag ? x[i] * 2 : z[i] + 1; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: {{map|generic}} f32
void exchanged(float *x, int n) { for (int i = 0; i < n; ++i) { float t = x[i]; x[i] = x[i + 2 * n]; x[i + 2 * n] = t; } }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: lerp f32
void halves(const float *restrict x, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = 0.5f * x[i] + 0.5f * x[i + n]; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: {{map|generic}} i32
void parents(const int *restrict p, int *restrict leaf, int n) { for (int i = 0; i < n; ++i) if (p[i] >= 0) leaf[p[i]] = 0; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: {{map|reduce|generic|scale}} f32
float beside(const float *restrict x, float *restrict y, float s, int n) { float q = 0; for (int i = 0; i < n; ++i) { y[i] = s * (0 - x[i]); q += x[i]; } return q; }
// Two elements are equal or not; bytes by another scale, whose least is zero.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void equal(const float *restrict x, const float *restrict z, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] == z[i]; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: quantize i8
void to_bytes(const float *restrict x, unsigned char *restrict y, float scale, int zero, int n) { for (int i = 0; i < n; ++i) { int u = round(x[i] / scale + zero); if (u > 255) u = 255; else if (u < 0) u = 0; y[i] = u; } }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: requantize i8
void rescaled(const unsigned char *restrict x, unsigned char *restrict y, float by, int from, int to, int n) { for (int i = 0; i < n; ++i) { int u = roundf((x[i] - from) * by + to); if (u > 255) u = 255; else if (u < 0) u = 0; y[i] = u; } }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void unlike_first(const float *restrict x, const float *restrict z, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = x[0] != z[i]; }
// Places that are left out: padding of an embedding, labels that do not count. A mask by a number that is no place stays one.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: gather f32
void padded_rows(const float *restrict w, const long *restrict t, float *restrict y, long pad, int n, int d) { for (int i = 0; i < n; ++i) if (t[i] != pad) for (int j = 0; j < d; ++j) y[i * d + j] = w[t[i] * d + j]; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: gather f32
void present(const float *restrict x, const int *restrict t, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = t[i] >= 0 ? x[t[i]] : 0; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: scatter-add f32
void kept(const float *restrict x, const int *restrict t, float *restrict y, int n) { for (int i = 0; i < n; ++i) if (t[i] >= 0) y[t[i]] += x[i]; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: {{map|mask}} f32
void by_another(const float *restrict x, const int *restrict t, const int *restrict u, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = u[i] != 3 ? x[t[i]] : 0; }
// A sign bit is a comparison with zero; not that of another bit.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: leaky-relu f32
void by_sign_bit(const float *restrict x, float *restrict y, float slope, int n) { for (int i = 0; i < n; ++i) y[i] = __builtin_signbitf(x[i]) ? x[i] * slope : x[i]; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: map f32
void by_exponent(const float *restrict x, float *restrict y, float slope, int n) { for (int i = 0; i < n; ++i) { int bits; __builtin_memcpy(&bits, &x[i], 4); y[i] = bits < 0x3f800000 ? x[i] * slope : x[i]; } }
// The first of all bytes that are the least one is the first byte; any other start might be another number's place.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: argmax i32
int of_bytes(const signed char *x, int n) { int at = 0; signed char most = -128; for (int i = 0; i < n; ++i) if (x[i] > most) { most = x[i]; at = i; } return at; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: {{max i8|generic i32}}
int or_none(const signed char *x, int n) { int at = -1; signed char most = -128; for (int i = 0; i < n; ++i) if (x[i] > most) { most = x[i]; at = i; } return at; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: sum-of-squares f32
float from(const float *x, float start, int n) { for (int i = 0; i < n; ++i) start += x[i] * x[i]; return start; }
// Whole numbers; differences and quotients with numbers and rows.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: floor f32
void down(const float *restrict x, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = floorf(x[i]); }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: ceil f32
void up(const float *restrict x, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = ceilf(x[i]); }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: subtract f32
void less_number(const float *restrict x, const float *restrict s, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] - s[0]; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: subtract f32
void less_row(const float *restrict x, const float *restrict b, float *restrict y, int n, int m) { for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) y[i * m + j] = x[i * m + j] - b[j]; }
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: divide f32
void number_over(const float *restrict x, float s, float *restrict y, int n) { for (int i = 0; i < n; ++i) y[i] = s / x[i]; }
// A place that is left out is no rate.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: scatter-add f32
void add_but_none(float *y, const float *x, const long *at, int n) { for (int i = 0; i < n; i++) { long k = at[i]; if (k != -1) y[k] += x[i]; } }
// Places that are set to zero.
// CHECK-DAG: conditions.c:[[#@LINE+1]]:{{.*}} kernel: scatter i32
void clear_counts(int *y, const long *at, int n) { for (int i = 0; i < n; i++) y[at[i] - 1] = 0; }
