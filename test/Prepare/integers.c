// Integer elements that are summed in loops inside others, or searched for the
// greatest one, may be kernels; what programs do with characters, counts and
// bounds is none.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

// CHECK: define {{.*}}@column_sums({{.*}} #[[LIGHT:[0-9]+]]
void column_sums(long m, long n, const signed char *restrict a,
                 int *restrict y) {
  for (long j = 0; j < n; j++) {
    int s = 0;
    for (long i = 0; i < m; i++)
      s += a[i * n + j];
    y[j] = s;
  }
}
// CHECK: define {{.*}}@column_sums_by_variable({{.*}} #[[LIGHT]]
void column_sums_by_variable(long m, long n, const int *restrict a,
                             long *restrict y) {
  for (long j = 0; j < n; j++) {
    long s = 0;
    for (long i = 0; i < m; i++) {
      int x = a[i * n + j];
      s += x;
    }
    y[j] = s;
  }
}
// CHECK: define {{.*}}@products_of_variables({{.*}} #[[LIGHT]]
void products_of_variables(long m, long n, const signed char *restrict a,
                           const signed char *restrict b, int *restrict y) {
  for (long j = 0; j < n; j++) {
    int s = 0;
    for (long i = 0; i < m; i++) {
      int x = a[i * n + j];
      int z = b[i * n + j];
      s += x * z;
    }
    y[j] = s;
  }
}
// CHECK: define {{.*}}@argmax({{.*}} #[[LIGHT]]
long argmax(long n, const int *a) {
  int best = a[0];
  long at = 0;
  for (long i = 1; i < n; i++)
    if (a[i] > best) {
      best = a[i];
      at = i;
    }
  return at;
}

// Elements that are read where they were found.
// CHECK: define {{.*}}@position({{.*}} #[[LIGHT]]
int position(int n, const unsigned char *a) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[best])
      best = i;
  return best;
}
// CHECK: define {{.*}}@pointer({{.*}} #[[LIGHT]]
static inline int is_less(const int *x, const int *y) { return *x < *y; }
const int *pointer(const int *p, const int *e) {
  const int *best = p;
  while (++p != e)
    if (is_less(best, p))
      best = p;
  return best;
}

// One loop LLVM shares among lanes.
// CHECK: define {{.*}}@sum({{.*}} #[[OTHER:[0-9]+]]
int sum(long n, const int *a) {
  int s = 0;
  for (long i = 0; i < n; i++)
    s += a[i];
  return s;
}
// CHECK: define {{.*}}@words({{.*}} #[[OTHER]]
long words(long m, long n, const char *text, long *of) {
  long all = 0;
  for (long i = 0; i < m; i++) {
    long count = 0;
    for (long j = 0; j < n; j++)
      if (text[i * n + j] <= ' ')
        count++;
    of[i] = count;
    all += count;
  }
  return all;
}
// CHECK: define {{.*}}@lengths({{.*}} #[[OTHER]]
void lengths(long m, const int *length, char *out) {
  for (long i = 0; i < m; i++)
    for (int j = 0; j < length[i]; j++)
      *out++ = ' ';
}
// CHECK: define {{.*}}@bubbles({{.*}} #[[OTHER]]
void bubbles(long n, int *a) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j + 1 < n; j++)
      if (a[j] > a[j + 1]) {
        int old = a[j];
        a[j] = a[j + 1];
        a[j + 1] = old;
      }
}

// CHECK: attributes #[[LIGHT]] = {{.*}}"dl-light"
// CHECK-NOT: "dl-light"
