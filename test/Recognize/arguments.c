// Where sizes and arrays come from, and the kernel itself, are said to tools alone:
// by the number of an argument, by a place behind one, by the name of a variable.
//
// RUN: %clang_dl -O3 --target=x86_64-linux-gnu -S -o /dev/null %s -fsave-optimization-record -foptimization-record-file=%t.yaml
// RUN: FileCheck %s --input-file=%t.yaml
// RUN: %clang_dl -O3 --target=x86_64-linux-gnu -S -o /dev/null %s -Rpass-analysis=dl-recognize 2>&1 | FileCheck %s --check-prefix=PEOPLE

struct layer {
  int rows, columns;
  float *weights;
};

float offsets[4096];

// PEOPLE: remark: kernel: {{.*}}, tier exact [-Rpass-analysis=dl-recognize]
// PEOPLE-NOT: Arguments
// CHECK: Function: add_offsets
// CHECK: - Arguments: '%p=[2+0:i32] %p.1=[2+4:i32] %arg0=1 %arg1=[2+8] %offsets=@offsets'
// CHECK: - Text: |
// CHECK-NEXT: kernel 0 @add_offsets
// CHECK: par i[{{.*}}] par j[{{.*}}]
void add_offsets(float *restrict out, const struct layer *restrict l) {
  for (int i = 0; i < l->rows; i++)
    for (int j = 0; j < l->columns; j++)
      out[i * l->columns + j] = l->weights[i * l->columns + j] + offsets[j];
}

// Numbers that are computed in front of the loops, by arithmetic or in another way.
// CHECK: Function: halve
// CHECK: - Arguments: '{{%[a-z]+}}=((1/#2)*#3) %arg1=2'
void halve(int n, float *x) {
  n = n / 2 * 3;
  for (int i = 0; i < n; i++)
    x[i] *= 0.5f;
}

// CHECK: Function: padded
// CHECK: - Arguments: '{{%[a-z]+}}={{[(][(]([(]1\+[(]3\*#2[)][)]|[(][(]3\*#2[)]\+1[)])-2[)]/4[)]}} %arg4=5'
void padded(int n, int window, int pad, int step, float *x) {
  int places = (n + 2 * pad - window) / step + 1;
  for (int i = 0; i < places; i++)
    x[i] *= 0.5f;
}

struct range {
  float *begin, *end;
};

// CHECK: Function: between
// CHECK: - Arguments: '{{%[a-z]+}}=(([1+8]-[1+0])/#4) %arg0=[1+0]'
void between(const struct range *r) {
  float *restrict x = r->begin;
  unsigned long n = (unsigned long)(r->end - r->begin);
  for (unsigned long i = 0; i < n; i++)
    x[i] *= 0.5f;
}

// CHECK: Function: shifted
// CHECK: - Arguments: '%arg1=2'
void shifted(int n, float *x) {
  n ^= 7;
  for (int i = 0; i < n; i++)
    x[i] *= 0.5f;
}
