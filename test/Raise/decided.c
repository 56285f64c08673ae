// Conditions that the needs of a kernel decide, which are tested in front of it:
// they are gone, and with them what happens otherwise.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: grep -v ^missed %t.kernels > %t.raised
// RUN: %dl-kernels %t.raised | diff %t.raised -
// REQUIRES: x86-registered-target

typedef __SIZE_TYPE__ size_t;

// A loop whose first round is not tested for, behind a test for that.
//
// CHECK:      kernel 0 @decided
// CHECK:        par i[%rows]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red j[%n]
// CHECK-NEXT:       s = fadd(s, %x[i,j])
// CHECK-NEXT:     par j.1[%n]
// CHECK-NEXT:       %y[i,j.1] = fdiv(%x[i,j.1], s)
// CHECK-NEXT:   needs
// CHECK:        needs    inrange(1 <= %n <= 9223372036854775807)
void decided(size_t rows, size_t n, const float *restrict x,
             float *restrict y) {
  for (size_t i = 0; i < rows; i++) {
    float s = 1;
    if (n != 0) {
      s = 0;
      size_t j = 0;
      do
        s += x[i * n + j];
      while (++j < n);
    } else
      y[i] = 5;
    for (size_t j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] / s;
  }
}

// What all have that is stored: where it does not hold the loops do nothing.
//
// CHECK:      kernel 0 @asked_by_all matmul.nn f32
// CHECK:          acc = 0.0{{$}}
// CHECK:          %c[i,j] = acc{{$}}
// CHECK-NEXT:   needs
// CHECK:        inrange(0 <= %l - 1 <= 9223372036854775807)
void asked_by_all(const float *restrict a, const float *restrict b,
                  float *restrict c, int l, int m, int n) {
  for (int i = 0; i <= -1 + m; ++i)
    if (-1 + n >= 0 && -1 + l >= 0)
      for (int j = 0; j <= -1 + n; ++j) {
        float acc = 0;
        for (int k = 0; k <= -1 + l; ++k)
          acc = acc + a[l * i + k] * b[n * k + j];
        c[n * i + j] = acc;
      }
}

// What one of two stores asks is no need.
//
// CHECK:      kernel 0 @asked_by_one
// CHECK:        %y[i] = {{.*}}where %flag
// CHECK:        %z[i] = fadd(%x[i], 2.0){{$}}
// CHECK-NOT:  inrange({{.*}}%flag
void asked_by_one(int n, int flag, const float *restrict x, float *restrict y,
                  float *restrict z) {
  for (int i = 0; i < n; ++i) {
    if (flag > 0)
      y[i] = x[i] + 1;
    z[i] = x[i] + 2;
  }
}

// Of signed numbers, in other words, and the half that is decided.
//
// CHECK:      kernel 0 @halves
// CHECK:        par i[%rows]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 1.0
// CHECK-NEXT:     red j[%n]
// CHECK-NEXT:       s = fadd(s, %x[i,j])
// CHECK-NEXT:     %y[i] = select(icmp<sgt>(%m, 0), select(icmp<sgt>(%n, 1), fadd(s, 3.0), s), 0.0)
// CHECK-NEXT:   needs
void halves(long rows, long n, long m, const float *restrict x,
            float *restrict y) {
  for (long i = 0; i < rows; i++) {
    float s = 1;
    long j = 0;
    do
      s += x[i * n + j];
    while (++j < n);
    if (n < 1)
      s = 0;
    if (n > 1)
      s += 3;
    y[i] = n > 0 && m > 0 ? s : 0;
  }
}

// Of conditions that hold together, those that are not decided stay.
//
// CHECK:      kernel 0 @compound
// CHECK:          s = 0.0
// CHECK-NEXT:     red j[%n]
// CHECK-NEXT:       s = fadd(s, %x[i,j])
// CHECK-NEXT:     %y[i] = s  if xor(fcmp<ule>(s, 1.0), true)
// CHECK-NEXT:   needs
void compound(size_t rows, size_t n, const float *restrict x,
              float *restrict y) {
  for (size_t i = 0; i < rows; i++) {
    float s = 0;
    size_t j = 0;
    do
      s += x[i * n + j];
    while (++j < n);
    if (n != 0 && s > 1 && n + 1 > 1)
      y[i] = s;
    else if (n < 1 || n == 0)
      y[i] = 4;
  }
}

// What is used behind the loops stays, whatever goes in front of it.
//
// CHECK:      kernel 0 @last
// CHECK:        local l:f32
// CHECK-NEXT:   l = 0.0
// CHECK-NEXT:   red i[%rows]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red j[%n]
// CHECK-NEXT:       s = fadd(s, %x[i,j])
// CHECK-NEXT:     %y[i] = s
// CHECK-NEXT:     l = fadd(l, s)
// CHECK-NEXT:   needs
float last(size_t rows, size_t n, const float *restrict x, float *restrict y) {
  float l = 0;
  for (size_t i = 0; i < rows; i++) {
    float s = 1;
    if (n != 0) {
      s = 0;
      size_t j = 0;
      do
        s += x[i * n + j];
      while (++j < n);
    }
    y[i] = s;
    l += s;
  }
  return l;
}

// A need of another number decides nothing.
//
// CHECK:      kernel 0 @other
// CHECK:          s = select(icmp<eq>(%m, 0), 1.0, 0.0)
// CHECK:        needs    inrange(1 <= %n <= 9223372036854775807)
void other(size_t rows, size_t n, size_t m, const float *restrict x,
           float *restrict y) {
  for (size_t i = 0; i < rows; i++) {
    float s = 1;
    size_t j = 0;
    if (m != 0)
      s = 0;
    do
      s += x[i * n + j];
    while (++j < n);
    y[i] = s;
  }
}

// Nor does one that a row without elements meets.
//
// CHECK:      kernel 0 @empty
// CHECK:          s = select(icmp<eq>(%n, 0), 3.0, 1.0)
// CHECK:        needs    inrange(0 <= %n <= 9223372036854775807)
// CHECK-NOT:    needs    inrange(1 <= %n
void empty(size_t rows, size_t n, const float *restrict x, float *restrict y) {
  for (size_t i = 0; i < rows; i++) {
    float s = 1;
    if (n == 0)
      s = 3;
    for (size_t j = 0; j < n; j++)
      s += x[i * n + j];
    y[i] = s;
  }
}

// Loops in which nothing is left, of a kernel that has no memory.
//
// CHECK:      kernel 0 @counted  map f32
// CHECK-NEXT:   params   %n:i32 %m:u32
// CHECK-NEXT:   par i[%n]
int counted(int n, int m) {
  int k = 3;
  for (int i = n; i > 0; i--)
    for (unsigned j = 0; j < (unsigned)m; j++)
      k++;
  return k;
}

// The smallest of several ends, where a round runs before the first test: each leaves
// one, so that what is asked in front of it always holds, and what it divides by is
// asked for in front of the nest.
//
// CHECK:      kernel 0 @ends
// CHECK:        par i[%rows] red j[min(floordiv(%length, %n), %k)] par k[%n]
// CHECK-NEXT:     %c[i,k] = fmuladd(%a[i,j], %b[j,k], %c[i,k])
// CHECK-NEXT:   needs
// CHECK:        needs    inrange(1 <= floordiv(%length, %n) <= 9223372036854775807)
// CHECK:        needs    inrange(1 <= %k <= 9223372036854775807)
void ends(size_t rows, size_t length, size_t n, size_t k,
          const float *restrict a, const float *restrict b, float *restrict c) {
  for (size_t i = 0; i < rows; i++) {
    size_t whole = length / n, end = whole < k ? whole : k, j = 0;
    if (n <= length)
      do
        for (size_t l = 0; l < n; l++)
          c[i * n + l] += a[i * k + j] * b[j * n + l];
      while (++j < end);
  }
}
// Of three, one of them a quotient, and what is asked is whether there is any.
//
// CHECK:      kernel 0 @three
// CHECK:        par i[%rows] par j[min({{%n, floordiv\(%length, %k\), %m|floordiv\(%length, %k\), %m, %n}})]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[j,k], s)
// CHECK-NEXT:     %c[i,j] = s
void three(size_t rows, size_t length, size_t n, size_t m, size_t k,
           const float *restrict a, const float *restrict b,
           float *restrict c) {
  for (size_t i = 0; i < rows; i++) {
    size_t whole = length / k, end = whole < m ? whole : m, j = 0;
    end = n < end ? n : end;
    if (end != 0)
      do {
        float s = 0;
        for (size_t l = 0; l < k; l++)
          s += a[i * k + l] * b[j * k + l];
        c[i * n + j] = s;
      } while (++j < end);
  }
}
// What divides changes from row to row: it may be zero where the loop does not run.
//
// CHECK:      missed @changes {{.*}}NonAffineCondition
void changes(size_t rows, size_t length, size_t k, float *restrict c) {
  for (size_t i = 0; i < rows; i++) {
    size_t end = length / i, j = 0;
    if (i != k)
      do
        c[i * k + j] += 1;
      while (++j < end);
  }
}
