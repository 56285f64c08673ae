; A polynomial of small numbers lies between its positive terms at their least less
; the negative ones at their greatest, and the converse (GuardEmitter::getHull):
; here first - i * stride, i up to last.
; RUN: %prove
;
; Numbers that are not tested to be small may overflow.
; RUN: sed 's/ult i64 %all, 4/ule i64 %all, -1/' %s > %t.large.ll
; RUN: not %python %src/utils/check/brute_force.py %t.large.ll 2>&1 | FileCheck %s --check-prefix=LARGE
; LARGE: @src gives 1, @tgt 0
define i1 @src(i64 %first, i64 %i, i64 %last, i64 %stride) {
  %either = or i64 %first, %last
  %all = or i64 %either, %stride
  %small = icmp ult i64 %all, 4
  %runs = icmp ule i64 %i, %last
  %guard = and i1 %small, %runs
  %term = mul i64 %i, %stride
  %value = sub i64 %first, %term
  %most = mul i64 %last, %stride
  %lower = sub i64 %first, %most
  %below = icmp slt i64 %value, %lower
  %above = icmp sgt i64 %value, %first
  %outside = or i1 %below, %above
  %wrong = and i1 %guard, %outside
  ret i1 %wrong
}

define i1 @tgt(i64 %first, i64 %i, i64 %last, i64 %stride) {
  ret i1 false
}
