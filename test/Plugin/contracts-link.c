// With a link to come, what that may know is not lost yet, and what is kept stays so.
//
// REQUIRES: native-x86, lld
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{cc} = %clang_dl -O2 -mavx2 -mfma -gline-tables-only -fPIC
// DEFINE: %{link} = %preload %clang -O2 -fuse-ld=lld -shared -nostdlib
// RUN: not %{cc} -c %t/product.c -o %t/product.o 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: product.c:7:22: error: DLOpt: 'product' requires the kernel matmul.nt, and its loops here are left alone: a call that may have side effects: 'dot'; what helps: {{.*}} [UnknownCall]
//
// RUN: %{cc} -flto=thin -c %t/product.c -o %t/product.o
// RUN: %{cc} -flto=thin -c %t/dot.c -o %t/dot.o
// RUN: %{cc} -flto=thin -c %t/io.c -o %t/io.o
// RUN: %{link} -flto=thin %t/product.o %t/dot.o -o %t/kept.so -Wl,--load-pass-plugin=%plugin
// RUN: not %{link} -flto=thin %t/product.o %t/io.o -o %t/lost.so -Wl,--load-pass-plugin=%plugin 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: {{.*}}product.c:{{[0-9]+:[0-9]+}}: in function product {{.*}}: DLOpt: 'product' requires the kernel matmul.nt, and its loops here are left alone
//
// RUN: %{cc} -flto -c %t/both.c -o %t/both.o
// RUN: %{cc} -flto -c %t/dot.c -o %t/dot.o
// RUN: %{link} -flto %t/both.o %t/dot.o -o %t/both.so -Wl,--load-pass-plugin=%plugin
// RUN: env DLOPT_OPTIONS=contracts=%t/list %{link} -flto %t/both.o %t/dot.o -o %t/both.so -Wl,--load-pass-plugin=%plugin
// RUN: %{cc} -flto=thin -c %t/both.c -o %t/both.o
// RUN: %{link} -flto=thin %t/both.o %t/io.o -o %t/both.so -Wl,--load-pass-plugin=%plugin

//--- list
both: matmul
//--- product.c
float dot(const float *x, const float *y, long n);

__attribute__((annotate("dl:require(matmul.nt)")))
void product(long m, long n, long k, const float *restrict a, const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[i * n + j] = dot(a + i * k, b + j * k, k);
}

//--- both.c
float dot(const float *x, const float *y, long n);

// One kernel is kept when this is compiled, and nobody finds it again.
__attribute__((annotate("dl:require(matmul.nn)")))
void both(long m, long n, long k, const float *restrict a, const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long p = 0; p < k; p++)
        s += a[i * k + p] * b[p * n + j];
      c[i * n + j] = s;
    }
  for (long i = 0; i < m; i++)
    c[i] = dot(c + i * n, c, n);
}

//--- dot.c
float dot(const float *x, const float *y, long n) {
  float sum = 0;
  for (long k = 0; k < n; k++)
    sum += x[k] * y[k];
  return sum;
}

//--- io.c
volatile float last;
float dot(const float *x, const float *y, long n) {
  last = x[n];
  return y[n];
}
