// Copies of functions that gain nothing leave no trace: names, the order of uses.
// TEETH: none - nothing changes
// RUN: %clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=verify -S -preserve-ll-uselistorder %t.ll -o %t.a.ll
// RUN: %opt -passes=dl-prepare -S -preserve-ll-uselistorder %t.ll -o %t.b.ll
// RUN: cmp %t.a.ll %t.b.ll
static int a[64], b[64], c[32];

__attribute__((noinline)) static void count(int *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] ^= i;
}

void all(void) {
  count(a, 64);
  count(b, 64);
  count(c, 32);
}

int sum(int i) { return a[i] + b[i] + c[i & 31]; }

void again(void) { count(b, 64); }
