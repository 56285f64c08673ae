// Products whose chains are no one axis: where the sums are in memory, and the loop over a
// row of results is the innermost one, the outer loops of the sums go around the call, in
// their order, and each call goes on with the sums of the one before.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll
#define FOR(I, END) for (long I = 0; I < (END); I++)

// A convolution over images whose channels lie together, with a dilation that is an
// argument. Rows are those of the image; the loops over the window and the image's rows
// are around the product of a row with one tap.
// CHECK-LABEL: define {{.*}} @dilated(
// CHECK:         icmp ne i64 %kh, 0
// CHECK:         icmp ne i64 %kw, 0
// CHECK:         [[I:%.*]] = phi i64 [ 0, %dl.fast ]
// CHECK:         [[ROW:%.*]] = getelementptr i8, ptr %y, i64
// CHECK:         phi i64 [ 0, %
// CHECK:         phi i64 [ 0, %
// CHECK:         call void @dl.matmul.nn.f32.0(ptr [[ROW]], i64 %o, ptr {{.*}}, i64 %c, ptr {{.*}}, i64 %o, ptr [[ROW]], i64 %o, i64 1, i64 %ow, i64 %o, i64 %c)
// CHECK:         icmp eq i64 {{.*}}, %kw
// CHECK:         icmp eq i64 {{.*}}, %kh
// CHECK:         icmp eq i64 {{.*}}, %oh
// CHECK:         ret void
void dilated(long oh, long ow, long o, long kh, long kw, long c, long w, long dil,
             const float *restrict x, const float *restrict f, float *restrict y) {
  FOR(i, oh) FOR(j, ow) FOR(p, kh) FOR(q, kw) FOR(l, c) FOR(n, o)
              y[(i * ow + j) * o + n] +=
                  x[((i + p * dil) * w + j + q * dil) * c + l] *
                  f[((p * kw + q) * c + l) * o + n];
}

// Sums that are no elements of the output have no place to wait.
// CHECK-LABEL: define {{.*}} @local(
// CHECK-NOT:     call void @dl.matmul
// CHECK:         ret void
void local(long oh, long ow, long o, long kh, long kw, long c, long w, long dil,
           const float *restrict x, const float *restrict f, float *restrict y) {
  FOR(i, oh) FOR(j, ow) FOR(n, o) {
        float s = 0;
        FOR(p, kh) FOR(q, kw) FOR(l, c)
              s += x[((i + p * dil) * w + j + q * dil) * c + l] *
                   f[((p * kw + q) * c + l) * o + n];
        y[(i * ow + j) * o + n] = s;
      }
}

// Where the sums' own loop is the innermost one, lanes keep them in registers.
// CHECK-LABEL: define {{.*}} @inner(
// CHECK-NOT:     call void @dl.matmul
// CHECK:         call void @dl.lanes.
// CHECK:         ret void
void inner(long oh, long ow, long o, long kh, long kw, long w, long dil,
           const float *restrict x, const float *restrict f, float *restrict y) {
  FOR(n, o) FOR(i, oh) FOR(j, ow) FOR(p, kh) FOR(q, kw)
            y[(n * oh + i) * ow + j] +=
                x[(i + p * dil) * w + j + q * dil] * f[(n * kh + p) * kw + q];
}
