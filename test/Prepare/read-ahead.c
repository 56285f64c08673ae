// What a nest reads of structs and globals is read in front of a copy, where all loops
// around it have a round and nothing in the nest writes there.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s
// RUN: %opt -passes=dl-vectorize -verify-each -pass-remarks=dl-vectorize -S %t.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang --target=aarch64-linux-gnu -march=armv8.2-a+dotprod -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s
// RUN: %clang --target=nvptx64-nvidia-cuda -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -S %t.ll | FileCheck %s --check-prefix=NONE
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target

// No kernel is transformed there, so no nest is copied.
// NONE-NOT: .ahead

typedef struct {
  signed char *q;
  float *s;
} Tensor;
int size = 32;

// The size of a group is read where there is a row, pointers where there is a group
// that has an element.
// REMARK: matvec f32, {{.*}} by the script rows
// CHECK-LABEL: define {{.*}}@grouped(
// CHECK:         icmp {{.*}} %d
// CHECK:         br i1
// CHECK:         [[SIZE:%.*]] = load i32, ptr @size
// CHECK:         br i1
// CHECK:         icmp slt i32 0, [[SIZE]]
// CHECK:         br i1 {{.*}}, label %[[READ:.*]], label
// CHECK:       [[READ]]:
// CHECK:         load ptr
// CHECK:         br label %{{.*}}ahead
// CHECK:       }
void grouped(float *out, Tensor *x, Tensor *w, int n, int d) {
  for (int i = 0; i < d; i++) {
    float v = 0;
    for (int j = 0; j <= n - size; j += size) {
      int s = 0;
      for (int k = 0; k < size; k++)
        s += x->q[j + k] * w->q[i * n + j + k];
      v += (float)s * w->s[(i * n + j) / size] * x->s[j / size];
    }
    out[i] = v;
  }
}

// What is stored may be a pointer.
// CHECK-LABEL: define {{.*}}@overwritten(
// CHECK-NOT:     .ahead
// CHECK:       }
void overwritten(Tensor *out, Tensor *x, Tensor *w, int n, int d) {
  for (int i = 0; i < d; i++) {
    int s = 0;
    for (int k = 0; k < n; k++)
      s += x->q[k] * w->q[i * n + k];
    out[i].q = x->q + s;
  }
}

// What decides whether a pointer is read is not known in front.
// CHECK-LABEL: define {{.*}}@unreached(
// CHECK-NOT:     .ahead
// CHECK:       }
void unreached(int *restrict out, Tensor *x, Tensor *w, const int *restrict n,
               int d) {
  for (int i = 0; i < d; i++) {
    int s = 0;
    if (out[i] > 3)
      for (int k = 0; k < n[i]; k++)
        s += x->q[k] * w->q[i * 64 + k];
    out[i] = s;
  }
}

// Whether there are weights is asked of what has been read in front, beside a function
// that sets errno.
// REMARK: rmsnorm f32, {{.*}}: exact, iterations of i
// CHECK-LABEL: define {{.*}}@weighted(
// CHECK:         icmp slt i32 0, %n
// CHECK:         br i1 {{.*}}, label %[[READ:.*]], label
// CHECK:       [[READ]]:
// CHECK:         load ptr
// CHECK:         br label %{{.*}}ahead
// CHECK:       }
float sqrtf(float);
struct array {
  float *data;
};
void weighted(float *out, const struct array *w, int n, int d, float least) {
  for (int i = 0; i < n; i++) {
    const float *weights = w->data;
    float s = 0;
    for (int j = 0; j < d; j++)
      s += out[i * d + j] * out[i * d + j];
    float scale = 1 / sqrtf(s / d + least);
    if (weights)
      for (int j = 0; j < d; j++)
        out[i * d + j] = out[i * d + j] * scale * weights[j];
    else
      for (int j = 0; j < d; j++)
        out[i * d + j] = out[i * d + j] * scale;
  }
}

// A single loop, whose index is divided by what is read.
// REMARK: loops without quotients in subscripts
// CHECK-LABEL: define {{.*}}@divided(
// CHECK:         icmp slt i32 0, %n
// CHECK:         br i1 {{.*}}, label %[[READ:.*]], label
// CHECK:       [[READ]]:
// CHECK:         load i32
// CHECK:         br label %{{.*}}ahead
// CHECK:       }
void divided(float *y, const float *x, const float *b, const int *d, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] + b[i / d[1] % d[0]];
}
// The same of what it writes, and one that divides by nothing that is read.
// CHECK-LABEL: define {{.*}}@overwritten_sizes(
// CHECK-NOT:     .ahead
// CHECK:       }
void overwritten_sizes(int *y, const int *b, const int *d, int n) {
  for (int i = 0; i < n; i++)
    y[i] = b[i / d[1] % d[0]];
}
// CHECK-LABEL: define {{.*}}@scaled(
// CHECK-NOT:     .ahead
// CHECK:       }
void scaled(float *y, const float *x, const int *d, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i * d[0]];
}
