; An index that is computed in fewer bits (here 3) is the polynomial itself where
; the bounds of the polynomial are tested to fit (Need::InRange).
; RUN: %prove
;
; Both bounds are needed.
; RUN: sed 's/%fits = and i1 %low, %high/%fits = and i1 %high, true/' %s > %t.negative.ll
; RUN: not %python %src/utils/check/brute_force.py %t.negative.ll 2>&1 | FileCheck %s --check-prefix=NEGATIVE
; NEGATIVE: @src gives {{.*}} @tgt
define i64 @src(i64 %least, i64 %value, i64 %most) {
  %above = icmp sge i64 %value, %least
  %below = icmp sle i64 %value, %most
  %between = and i1 %above, %below
  %low = icmp sge i64 %least, 0
  %high = icmp sle i64 %most, 7
  %fits = and i1 %low, %high
  %guard = and i1 %between, %fits
  %narrow = and i64 %value, 7
  %index = select i1 %guard, i64 %narrow, i64 %value
  ret i64 %index
}

define i64 @tgt(i64 %least, i64 %value, i64 %most) {
  ret i64 %value
}
