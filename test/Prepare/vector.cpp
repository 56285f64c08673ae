// Containers: operator[], iterators, accessors and checks of bounds vanish.
//
// RUN: %clangxx --target=x86_64-linux-gnu -O2 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>' -verify-each -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

using size_t = decltype(sizeof 0);
[[noreturn]] void out_of_range(size_t, size_t);

template <typename T> class iterator {
  T *Ptr;

public:
  explicit iterator(T *P) : Ptr(P) {}
  T &operator*() const { return *Ptr; }
  iterator &operator++() {
    ++Ptr;
    return *this;
  }
  T *const &base() const { return Ptr; }
  bool operator!=(const iterator &O) const { return base() != O.base(); }
};

template <typename T> struct vector {
  T *Begin, *End, *Capacity;
  size_t size() const { return End - Begin; }
  T &operator[](size_t I) { return *(Begin + I); }
  const T &operator[](size_t I) const { return *(Begin + I); }
  void check(size_t I) const {
    if (I >= size())
      out_of_range(I, size());
  }
  const T &at(size_t I) const {
    check(I);
    return (*this)[I];
  }
  iterator<T> begin() { return iterator<T>(Begin); }
  iterator<T> end() { return iterator<T>(End); }
};

struct matrix {
  vector<float> Data;
  size_t Rows, Columns;
  float &operator()(size_t I, size_t J) { return Data[I * Columns + J]; }
  float operator()(size_t I, size_t J) const { return Data[I * Columns + J]; }
};

// CHECK-LABEL: define {{.*}}@_Z7product
// CHECK-NOT:     alloca
// CHECK-NOT:     call {{.*}}@_Z
// CHECK:         call float @llvm.fmuladd.f32
// CHECK-NOT:     call {{.*}}@_Z
// CHECK:       {{^}}}
void product(const matrix &A, const matrix &B, matrix &C) {
  for (size_t I = 0; I < A.Rows; ++I)
    for (size_t J = 0; J < B.Columns; ++J) {
      float Sum = 0;
      for (size_t K = 0; K < A.Columns; ++K)
        Sum += A(I, K) * B(K, J);
      C(I, J) = Sum;
    }
}

// CHECK-LABEL: define {{.*}}@_Z5scale
// CHECK-NOT:     call {{.*}}@_Z
// CHECK:         fmul float
// CHECK-NOT:     call {{.*}}@_Z
// CHECK:       {{^}}}
void scale(vector<float> &V) {
  for (float &X : V)
    X *= 2;
}

// CHECK-LABEL: define {{.*}}@_Z7checked
// CHECK-NOT:     call {{.*}}@_ZN
// CHECK:         fadd float
// CHECK:         call void @_Z12out_of_rangemm
// CHECK-NEXT:    unreachable
float checked(const vector<float> &V, int N) {
  float Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += V.at(I);
  return Sum;
}
