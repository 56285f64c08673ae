; Numbers are below a power of two if their bitwise or is: the one compare that
; GuardEmitter makes for all of them.
; RUN: %prove
;
; Not so for another bound.
; RUN: sed 's/, 8$/, 7/' %s > %t.other.ll
; RUN: not %python %src/utils/check/brute_force.py %t.other.ll 2>&1 | FileCheck %s --check-prefix=OTHER
; OTHER: @src gives 0, @tgt 1
define i1 @src(i64 %a, i64 %b, i64 %c) {
  %ab = or i64 %a, %b
  %all = or i64 %ab, %c
  %small = icmp ult i64 %all, 8
  ret i1 %small
}

define i1 @tgt(i64 %a, i64 %b, i64 %c) {
  %a.small = icmp ult i64 %a, 8
  %b.small = icmp ult i64 %b, 8
  %c.small = icmp ult i64 %c, 8
  %ab.small = and i1 %a.small, %b.small
  %small = and i1 %ab.small, %c.small
  ret i1 %small
}
