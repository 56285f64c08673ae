// Corner cases of raising: index types, conditions, carried values, memory.
// Compiled twice, as relower-kernels.c.
#include "relower.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#ifdef RESTRICT
#define R restrict
#else
#define R
#endif
#define F(N) a->F[N]
#define I(N) a->I[N]
#define POS(N) (a->N < 0 ? 0 : a->N)

// -- Loops --------------------------------------------------------------------
TEST(count_down, (float *R y, const float *R x, unsigned n),
     (F(0), F(1), POS(M))) {
  for (unsigned i = n; i-- > 0;)
    y[i] = x[i] * i;
}
TEST(while_n, (float *R y, const float *R x, int n), (F(0), F(1), POS(M))) {
  while (n--)
    *y++ = *x++ + n;
}
TEST(inclusive, (float *R y, const float *R x, int n), (F(0), F(1), a->M)) {
  for (int i = 1; i <= n; i++)
    y[i] = x[i - 1] + x[i];
}
TEST(not_equal, (float *R y, const float *R x, int n), (F(0), F(1), POS(M))) {
  for (int i = 0; i != n; i++)
    y[i] = x[i] - 1;
}
TEST(from_to, (float *R y, const float *R x, int lo, int hi),
     (F(0) + 20, F(1) + 20, a->M, a->N)) {
  for (int i = lo; i < hi; i++)
    y[i] = x[i] * lo;
}
TEST(steps, (float *R y, const float *R x, int n), (F(0), F(1), a->M * 5)) {
  for (int i = 2; i < n; i += 4)
    y[i] = x[i] + i;
  for (int i = n; i > 3; i -= 7)
    y[i] += x[i];
}
TEST(variable_step, (float *R y, const float *R x, int n, int s),
     (F(0), F(1), a->M, POS(K) + 1)) {
  for (int i = 0; i < n; i += s)
    y[i] = x[i] + 2;
}
TEST(bytes_index, (float *R y, const float *R x, int n), (F(0), F(1), POS(M))) {
  for (uint8_t i = 0; i < n; i++)
    for (uint8_t j = 0; j < 20; j++)
      y[(uint8_t)(i * 20 + j)] += x[(uint8_t)(i + 250)];
}
TEST(short_index, (float *R y, const float *R x, short n, short m),
     (F(0), F(1), a->M, a->N)) {
  for (short i = 0; i < n; i++)
    for (short j = 0; j < m; j++)
      y[i * m + j] = x[(short)(j * n + i)];
}
TEST(wrapping_unsigned, (float *R y, const float *R x, unsigned n),
     (F(0) + 8, F(1) + 8, POS(M))) {
  for (unsigned i = 0; i < n; i++)
    y[(int)(i - 4u)] = x[(int)(i * 3u - 2u)];
}
TEST(quadratic, (float *R y, const float *R x, int n), (F(0), F(1), a->M)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i * i; j++)
      y[i] += x[j];
}
TEST(min_extent, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < n; i += 4)
    for (int j = i; j < (i + 4 < n ? i + 4 : n); j++)
      for (int k = 0; k < m && k < j; k++)
        y[j] += x[k] * j;
}
TEST(upper, (float *R y, const float *R x, int n), (F(0), F(1), a->M)) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      y[i * n + j] = x[j * n + i] - x[i];
}
TEST(changing_bound, (float *R y, const float *R x, int n),
     (F(0), F(1), a->M)) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i];
    n--;
  }
}
TEST(bound_in_memory, (int *y, int *n), (I(0), I(0) + 3)) {
  *n = 9;
  for (int i = 0; i < *n; i++)
    y[i] = i / 3;
}
TEST(breaks, (float *R y, const float *R x, int n), (F(0), F(1), a->M * 7)) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 8)
      break;
    y[i] = x[i];
  }
}
TEST(nested_break, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) {
      s += x[i * m + j];
      if (s > 10)
        break;
    }
    y[i] = s;
  }
}
TEST(outer_zero, (float *R y, const float *p, int n),
     (F(0), POS(M) ? F(1) : 0, POS(M))) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < (int)p[0] % 5; j++)
      y[i] += p[j];
}

// -- Conditions ---------------------------------------------------------------
TEST(null_check, (float *R y, const float *R x, const float *p, int n),
     (F(0), F(1), a->M & 1 ? F(2) : 0, a->M)) {
  for (int i = 0; i < n; i++)
    if (p && p[i] > 0)
      y[i] = x[i] + p[i];
}
TEST(guarded_divide, (int *R y, const int *R x, int n),
     (I(0), I(2), a->M * 3)) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] % 3 ? 1000 / (x[i] % 3) : -1;
}
TEST(guarded_param_divide, (int *R y, const int *R x, int n, int d),
     (I(0), I(1), a->M, a->N)) {
  for (int i = 0; i < n; i++)
    if (d > 0)
      y[i] = x[i] / d + i % d;
}
TEST(short_circuit, (float *R y, const int *R at, const float *R x, int n),
     (F(0), I(1), F(1), a->M * 9)) {
  for (int i = 0; i < n; i++)
    if ((at[i] >= 0 && x[at[i]] > 0) || at[i] == -7)
      y[i] = 1;
    else
      y[i] = at[i] < -50 ? 2 : 3;
}
TEST(switches, (float *R y, const int *R k, const float *R x, int n),
     (F(0), I(2), F(1), a->M * 9)) {
  for (int i = 0; i < n; i++)
    switch (k[i] & 7) {
    case 0:
      y[i] = x[i];
      break;
    case 3:
      y[i] = -x[i];
    case 4:
      y[i] += 1;
      break;
    default:
      y[i] *= 2;
    }
}
TEST(else_chain, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (i == j)
        y[i * m + j] = 1;
      else if (i < j)
        y[i * m + j] = x[j];
      else if (x[i] > x[j])
        y[i * m + j] = y[j * m + i];
    }
}
TEST(conditional_sum, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < n; i++) {
    float s = 0, t = -0.0f;
    int c = 0;
    for (int j = 0; j < m; j++) {
      if (x[i * m + j] > 0) {
        s += x[i * m + j];
        c++;
      } else
        t -= x[i * m + j];
      if (c == 3)
        s *= 0.5f;
    }
    y[i] = s + t * c;
  }
}
TEST(invariant_condition, (float *R y, const float *R x, int n, int mode),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < n; i++) {
    float v = x[i];
    if (mode == 4)
      v = v > 0 ? v : 0;
    else if (mode > 4)
      v = v * v;
    y[i] = v;
  }
}

// -- Carried values -----------------------------------------------------------
TEST(compact, (float *R y, int *R count, const float *R x, int n),
     (F(0), I(0), F(1), a->M * 9)) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[k++] = x[i];
  *count = k;
}
TEST(fibonacci, (int *R y, int n), (I(0), a->M)) {
  unsigned f = 1, g = 1;
  for (int i = 0; i < n; i++) {
    y[i] = f;
    unsigned t = f + g;
    f = g;
    g = t;
  }
  y[n < 0 ? 0 : n] = g;
}
TEST(previous, (float *R y, const float *R x, int n), (F(0), F(1), a->M)) {
  float last = 3;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] - last;
    last = x[i];
  }
  y[40] = last;
}
TEST(sum_used_inside, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  float total = 0;
  for (int i = 0; i < n; i++) {
    float s = total;
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    y[i] = s;
    total = s * 0.5f;
  }
  y[60] = total;
}
TEST(running_index, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  int k = 5;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++, k += 2)
      y[k] = x[j];
    k++;
  }
  y[0] = k;
}
TEST(triangular_running, (float *R y, const float *R x, int n),
     (F(0), F(1), a->M)) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[k++] = x[i] * x[j];
  y[k] = k;
}
TEST(stop_index, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  int i, j = 77;
  for (i = 0; i < n; i += 2)
    for (j = 0; j < m; j++)
      y[j] = x[i];
  y[50] = i;
  y[51] = j;
}
TEST(two_in_a_row, (float *R y, const float *R x, int n), (F(0), F(1), a->M)) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  float v = 0;
  for (int i = 0; i < n; i++)
    v += (x[i] - s) * (x[i] - s);
  for (int i = 0; i < n; i++)
    y[i] = x[i] / v;
  for (int i = 0; i < n; i++)
    y[n + i] = y[i] + s;
}
TEST(state_machine, (int *R y, const int *R x, int n), (I(0), I(1), a->M * 9)) {
  int state = 0;
  for (int i = 0; i < n; i++) {
    if (state == 0 && x[i] > 20)
      state = 1;
    else if (state == 1 && x[i] < -20)
      state = 2;
    else if (state == 2)
      state = x[i] & 1;
    y[i] = state;
  }
}
TEST(max_and_min, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < n; i++) {
    float hi = x[i * m], lo = x[i * m];
    for (int j = 1; j < m; j++) {
      hi = fmaxf(hi, x[i * m + j]);
      lo = x[i * m + j] < lo ? x[i * m + j] : lo;
    }
    y[i] = hi - lo;
  }
}

// -- Memory -------------------------------------------------------------------
TEST(shift_in_place, (float *x, int n), (F(0), a->M)) {
  for (int i = 0; i < n; i++)
    x[i] = x[i + 1] * 2;
}
TEST(smear_in_place, (float *x, int n, int d), (F(0), a->M, POS(K))) {
  for (int i = 0; i < n; i++)
    x[i + d] = x[i] + 1;
}
TEST(self_transpose, (float *x, int n), (F(0), a->M)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      float t = x[i * n + j];
      x[i * n + j] = x[j * n + i];
      x[j * n + i] = t;
    }
}
TEST(histogram, (int *R h, const int *R x, int n), (I(0), I(2), a->M * 9)) {
  for (int i = 0; i < n; i++)
    h[x[i]]++;
}
TEST(indirect_self, (int *x, int n), (I(2), a->M * 4)) {
  for (int i = 0; i < n; i++)
    x[x[i]] = (x[i] + i) & 63;
}
TEST(csr,
     (float *R y, const int *R start, const int *R col, const float *R v,
      const float *R x, int n),
     (F(0), I(3), I(2), F(1), F(2), a->M)) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int k = start[i] & 15; k < (start[i + 1] & 31); k++)
      s += v[k] * x[col[k]];
    y[i] = s;
  }
}
struct Point {
  float x, y;
  int8_t tag;
  float z[3];
};
TEST(structs, (struct Point * R p, const float *R s, int n),
     ((struct Point *)F(0), F(6), a->M)) {
  for (int i = 0; i < n; i++) {
    p[i].x += p[i].y * s[i];
    p[i].z[2] = p[i].x + p[i].tag;
    p[i].tag++;
  }
}
struct __attribute__((packed)) Packed {
  int8_t c;
  float f;
  double d;
};
TEST(packed, (struct Packed * R p, int n), ((struct Packed *)F(0), a->M)) {
  for (int i = 0; i < n; i++) {
    p[i].f += 1;
    p[i].d = p[i].f * p[i].c;
  }
}
TEST(scratch, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < n; i++) {
    float row[32];
    for (int j = 0; j < m; j++)
      row[j] = x[i * m + j] * 2;
    for (int j = 0; j < m; j++)
      y[i * m + j] = row[m - 1 - j];
  }
}
TEST(overwrites, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      y[j] = x[i * m + j];
      y[(j + 1) / 2] += 1;
    }
}
TEST(copies, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), POS(M), POS(N))) {
  memset(y, 0, sizeof(float) * n);
  for (int i = 0; i < n; i++) {
    memcpy(y + i * m, x + (n - 1 - i) * m, sizeof(float) * m);
    y[i] += 1;
  }
}
static const float Table[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, 0, 1}};
TEST(tables, (float *R y, const int *R k, int n), (F(0), I(2), a->M * 9)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      y[i * 3 + j] = Table[k[i] & 3][j] * Table[i % 4][2 - j];
}
TEST(negative_offsets, (float *R y, const float *R x, int n),
     (F(0) + 40, F(1) + 40, a->M)) {
  for (int i = 0; i < n; i++)
    y[-i] = x[-2 * i] + y[-i - 1];
}

// -- Types and functions ------------------------------------------------------
TEST(negative_unsigned, (float *R y, const float *R x, long n, long m),
     (F(0), F(1), POS(M), POS(N))) {
  for (long i = 0; i < m; i++) {
    if ((size_t)i <= (size_t)(n - 2))
      y[i] += x[i];
    if ((size_t)i < (size_t)(n - 1))
      y[i + 20] += x[i];
  }
}
TEST(booleans, (int8_t *R y, const float *R x, int n),
     (a->B[0], F(1), a->M * 9)) {
  for (int i = 0; i < n; i++) {
    bool b = x[i] > 0, c = i & 1;
    y[i] = (b ^ c) + 2 * (b && !c);
  }
}
TEST(halves, (_Float16 *R y, const float *R x, int n),
     ((_Float16 *)a->B[0], F(1), a->M)) {
  for (int i = 0; i < n; i++)
    y[i] = (_Float16)((_Float16)x[i] * (_Float16)0.5 + (_Float16)1);
}
TEST(saturating, (int8_t *R y, const int8_t *R p, const int8_t *R q, int n),
     (a->B[0], a->B[1], a->B[2], a->M * 9)) {
  for (int i = 0; i < n; i++) {
    short s = p[i] + q[i];
    y[i] = s > 127 ? 127 : s < -128 ? -128 : s;
  }
}
TEST(shifts, (int *R y, const int *R x, int n), (I(0), I(3), a->M * 9)) {
  for (int i = 0; i < n; i++)
    y[i] = (x[i] >> (i & 31)) ^ ((unsigned)x[i] << 3) ^
           __builtin_popcount(x[i]) ^ (x[i] < 0 ? -(x[i] >> 1) : x[i] >> 2);
}
TEST(wide, (double *R y, const int *R x, int n), (a->D[0], I(3), a->M * 9)) {
  long long s = 0;
  for (int i = 0; i < n; i++) {
    s += (long long)x[i] * x[i];
    y[i] = (double)s + (double)(unsigned)x[i];
  }
}
TEST(rounding, (float *R y, const float *R x, int n), (F(0), F(1), a->M * 9)) {
  for (int i = 0; i < n; i++)
    y[i] = floorf(x[i]) + truncf(x[i]) * rintf(x[i]) - fabsf(ceilf(x[i])) +
           copysignf(2.0f, x[i]) + fminf(x[i], 3.0f);
}
TEST(nan_tests, (float *R y, const float *R x, int n), (F(0), F(1), a->M * 9)) {
  for (int i = 0; i < n; i++)
    y[i] = isnan(x[i]) ? -1 : isinf(x[i]) ? -2 : x[i] != x[i + 1];
}
TEST(errno_order, (float *R y, int *R e, const float *R x, int n),
     (F(0), I(0), F(1), a->M)) {
  errno = 0;
  for (int i = 0; i < n; i++) {
    float l = logf(x[i]);
    if (x[i] > 0)
      y[i] = powf(x[i], 100) + l;
    else
      y[i] = expf(x[i + 1] * 40);
  }
  e[0] = errno;
}
TEST(unused_call, (float *R y, int *R e, const float *R x, int n),
     (F(0), I(0), F(1), a->M)) {
  errno = 0;
  for (int i = 0; i < n; i++) {
    (void)logf(x[i]);
    y[i] = x[i] + 1;
  }
  e[0] = errno;
}
static float leaky(float v, float s) { return v > 0 ? v : v * s; }
static int at(int i, int j, int n) { return i * n + j; }
TEST(helpers, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[at(i, j, m)] = leaky(x[at(j, i, n)], 0.125f);
}
__attribute__((noinline)) static void bump(float *p) { *p += 1; }
TEST(calls_out, (float *R y, int n), (F(0), a->M)) {
  for (int i = 0; i < n; i++)
    bump(y + i);
}
TEST(volatiles, (volatile float *y, const float *x, int n),
     (F(0), F(1), a->M)) {
  for (int i = 0; i < n; i++)
    y[i] = x[i];
}
