// What leaves the nest early, and never does so where a test in front of the
// nest holds: bounds checks, assertions, checks of arguments.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: grep -v ^missed %t.kernels > %t.raised
// RUN: %dl-kernels %t.raised | diff %t.raised -
// REQUIRES: x86-registered-target

typedef __SIZE_TYPE__ size_t;
void fail(void) __attribute__((noreturn));
#define check(x) ((x) ? (void)0 : fail())

// CHECK:      kernel 0 @checked  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// CHECK-NEXT:     %c[i,j] = s
// CHECK:        needs    inrange(0 <= %size - i*%k - k - 1 <= 9223372036854775807)
void checked(size_t m, size_t n, size_t k, size_t size, const float *a,
             const float *b, float *c) {
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      float s = 0;
      for (size_t l = 0; l < k; l++) {
        check(i * k + l < size);
        s += a[i * k + l] * b[l * n + j];
      }
      c[i * n + j] = s;
    }
}

// What holds anyway needs no test.
//
// CHECK:      kernel 0 @implied  matmul.nn f32
// CHECK-NOT:    needs inrange
// CHECK:      kernel 0 @stopped
void implied(long m, long n, long k, const float *restrict a,
             const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long l = 0; l < k; l++) {
        check(i >= 0 && i < m);
        check(l < k);
        c[i * n + j] += a[i * k + l] * b[l * n + j];
      }
}

// A condition that does not change.
//
// CHECK-SAME:   matmul.nn f32
// CHECK:        needs    inrange(0 <= %stop <= 0)
void stopped(long m, long n, long k, const float *a, const float *b, float *c,
             int stop) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long l = 0; l < k; l++) {
        check(!stop);
        c[i * n + j] += a[i * k + l] * b[l * n + j];
      }
}

// A pointer that may be null: whatever it is that does not change.
//
// CHECK:      kernel 0 @null  matmul.nn f32
// CHECK:        params {{.*}} %tobool{{.*}}:u1
// CHECK:        needs    inrange(0 <= %tobool.not{{.*}} <= 0)
void null(long m, long n, long k, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long l = 0; l < k; l++) {
        check(a);
        c[i * n + j] += a[i * k + l] * b[l * n + j];
      }
}

// In the header: a bound, and what must hold.
//
// CHECK:      kernel 0 @both  matmul.nn f32
// CHECK:        needs    inrange(0 <= %stop <= 0)
void both(long m, long n, long k, const float *a, const float *b, float *c,
          int stop) {
  for (long i = 0; i < m && !stop; i++)
    for (long j = 0; j < n; j++)
      for (long l = 0; l < k; l++)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// A return past the lifetimes of variables.
//
// CHECK:      kernel 0 @returned  matmul.nn f32
// CHECK:        needs    inrange(0 <= %size - i*%k - k - 1 <= 9223372036854775807)
int returned(int m, int n, int k, int size, const float *a, const float *b,
             float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++) {
        int x = i * k + l;
        if (x >= size)
          return -1;
        s += a[x] * b[l * n + j];
      }
      c[i * n + j] = s;
    }
  return 0;
}

// It depends on what is computed.
//
// CHECK: missed @by_value line ?: MultipleExits:
void by_value(long m, long n, long k, const float *a, const float *b,
              float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long l = 0; l < k; l++) {
        check(a[i * k + l] >= 0);
        c[i * n + j] += a[i * k + l] * b[l * n + j];
      }
}

// It leaves one loop only: a second bound of that.
//
// CHECK: kernel 0 @inner  matmul.nn f32
// CHECK:   red k[min(%k, %stop)]
// CHECK:   needs    inrange(0 <= %stop <= 9223372036854775807)
void inner(long m, long n, long k, const float *a, const float *b, float *c,
           long stop) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long l = 0; l < k; l++) {
        if (l == stop)
          break;
        c[i * n + j] += a[i * k + l] * b[l * n + j];
      }
}

// The rows that an array has, as LLVM writes a check of each: they do not end
// before the loop does.
//
// CHECK: kernel 0 @rows  matmul.nn f32
// CHECK:   needs    inrange(0 <= %div{{.*}} - i - 1 <= 9223372036854775807)
void rows(long m, long n, unsigned long size, const float *restrict a,
          const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++) {
    check(i != (long)(size / 257));
    for (long j = 0; j < n; j++)
      for (long l = 0; l < 257; l++)
        c[i * n + j] += a[i * 257 + l] * b[l * n + j];
  }
}

// Both sides count, in the outer loop: which one is ahead is not known.
//
// CHECK: kernel 0 @two_counters  vecmat f32
// CHECK: missed @two_counters line ?: MultipleExits:
void two_counters(long m, long n, const float *restrict a,
                  const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      check(i * n != j + 5);
      for (long l = 0; l < 257; l++)
        c[i * n + j] += a[i * 257 + l] * b[l * n + j];
    }
}

// What was counted is not zero where each loop that counts has a round.
//
// CHECK: kernel 0 @counted  mean-pool f32
// CHECK:   par i[%m]
// CHECK:   needs    inrange(0 <= %k - 1 <= 9223372036854775807)
// CHECK:   needs    inrange(0 <= %pad - i + %h - 1 <= 9223372036854775807)
// CHECK:   needs    inrange(0 <= i - %pad + %k - 1 <= 9223372036854775807)
// CHECK:   needs    inrange(0 <= %h - 1 <= 9223372036854775807)
#define COUNT(NAME, TYPE, FIRST, IF)                                           \
  int NAME(int m, int h, int k, int pad, const float *a, float *c) {           \
    for (int i = 0; i < m; i++) {                                              \
      TYPE count = FIRST;                                                      \
      float s = 0;                                                             \
      for (int r = i < pad ? pad - i : 0;                                      \
           r < (h + pad - i < k ? h + pad - i : k); r++) {                     \
        s += a[i + r - pad];                                                   \
        IF count++;                                                            \
      }                                                                        \
      if (count == 0)                                                          \
        return 0;                                                              \
      c[i] = s / count;                                                        \
    }                                                                          \
    return 1;                                                                  \
  }
COUNT(counted, int, 0, )

// A counter that comes back to zero, one that begins elsewhere, one that counts
// some rounds.
//
// CHECK-NOT:   par i[%m]
// CHECK: missed @wraps line ?: MultipleExits:
// CHECK: missed @begins line ?: MultipleExits:
// CHECK: missed @some line ?: MultipleExits:
COUNT(wraps, unsigned, 0, )
COUNT(begins, int, -3, )
COUNT(some, int, 0, if (s > 0))
