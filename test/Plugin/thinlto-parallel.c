// Back ends of ThinLTO on several threads of one linker: every module's product is
// transformed, and the program has the same bytes as with one thread.
//
// REQUIRES: native-x86, lld
//
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{module} =
// DEFINE: %{compile} = %clang -O2 -mavx2 -mfma -gline-tables-only -flto=thin -DNAME=f%{module} -c %s -o %t/%{module}.o
// REDEFINE: %{module} = 1
// RUN: %{compile}
// REDEFINE: %{module} = 2
// RUN: %{compile}
// REDEFINE: %{module} = 3
// RUN: %{compile}
// REDEFINE: %{module} = 4
// RUN: %{compile}
// REDEFINE: %{module} = 5
// RUN: %{compile}
// REDEFINE: %{module} = 6
// RUN: %{compile}
//
// DEFINE: %{jobs} = 1
// DEFINE: %{link} = %preload %clang -O2 -flto=thin -fuse-ld=lld -shared -nostdlib %t/1.o %t/2.o %t/3.o %t/4.o %t/5.o %t/6.o -Wl,--load-pass-plugin=%plugin -Wl,--thinlto-jobs=%{jobs} -Wl,-mllvm,-pass-remarks=dl-vectorize
// RUN: %{link} -o %t/one.so 2>&1 | FileCheck %s
// REDEFINE: %{jobs} = 4
// RUN: %{link} -o %t/four.so 2>&1 | FileCheck %s
// RUN: cmp %t/one.so %t/four.so
// RUN: %{link} -o %t/again.so 2>&1 | FileCheck %s
// RUN: cmp %t/one.so %t/again.so
// RUN: llvm-nm %t/four.so | grep -c ' t dl[.]matmul[.]nn[.]f32[.]0[.]tiles' | FileCheck %s --check-prefix=SIX
// CHECK-COUNT-6: kernel number 1
// CHECK-NOT: kernel number
// SIX: {{^}}6{{$}}

void NAME(int n, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
