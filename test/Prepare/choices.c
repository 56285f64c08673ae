// A choice that the innermost of several tests makes is a select, as if it were alone; what
// is stored, called or divided on the way is not moved.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,verify' -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target
// CHECK-LABEL: define {{.*}}@greatest_inside(
// CHECK:         %[[X:.*]] = load float
// CHECK-NEXT:    %[[TEST:.*]] = fcmp ogt float %[[X]], %[[MOST:.*]]
// CHECK-NEXT:    %[[MORE:.*]] = select i1 %[[TEST]], float %[[X]], float %[[MOST]]
// CHECK:         phi float {{.*}}%[[MORE]]
// CHECK:         ret
float greatest_inside(const float *a, int from, int to, int n) {
  float most = -3e38f;
  for (int i = from; i < to; i++)
    if (i >= 0 && i < n && a[i] > most)
      most = a[i];
  return most;
}

// With its place: two choices.
//
// CHECK-LABEL: define {{.*}}@place_inside(
// CHECK:         %[[TEST:.*]] = fcmp ogt float
// CHECK-NEXT:    select i1 %[[TEST]], float
// CHECK-NEXT:    select i1 %[[TEST]], i32
// CHECK:         ret
int place_inside(const float *a, int from, int to, int n) {
  float most = -3e38f;
  int place = -1;
  for (int i = from; i < to; i++)
    if (i >= 0 && i < n && a[i] > most)
      most = a[i], place = i;
  return place;
}

// CHECK-LABEL: define {{.*}}@stored_inside(
// CHECK:         fcmp ogt float
// CHECK-NEXT:    br i1
// CHECK:         ret
float stored_inside(const float *a, int *places, int from, int to, int n) {
  float most = -3e38f;
  for (int i = from; i < to; i++)
    if (i >= 0 && i < n && a[i] > most) {
      most = a[i];
      places[i] = 1;
    }
  return most;
}

// What one arm alone uses stays in front of the choice: a rounded product of 64 bits, moved
// behind the test, would be no select any more.
//
// CHECK-LABEL: define {{.*}}@saturated(
// CHECK:         select i1 %{{.*}}, i32 2147483647, i32 %
// CHECK:         ret
void saturated(int *a, const int *b, int n) {
  for (int i = 0; i < n; i++) {
    int overflows = a[i] == b[i] && b[i] == -2147483647 - 1;
    long product = (long)a[i] * b[i] + (1 - 2 * ((a[i] ^ b[i]) < 0)) * (1L << 30);
    int rounded = product / (1L << 31);
    a[i] = overflows ? 2147483647 : rounded;
  }
}

// Of three, what is chosen of two in an arm.
//
// CHECK-LABEL: define {{.*}}@with_nan(
// CHECK:         select i1 %{{.*}}, float
// CHECK-NOT:     phi float {{.*}}, {{.*}}, {{.*}}
// CHECK:         ret
float with_nan(const float *a, int n) {
  float most = -3e38f;
  for (int i = 0; i < n; i++) {
    float x = a[i];
    most = __builtin_isnan(most) ? most : most > x ? most : x;
  }
  return most;
}
