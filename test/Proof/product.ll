; The greatest value of a product is that of its factors' greatest, if that one
; does not overflow (GuardEmitter::multiply).
; RUN: %prove
;
; The test for overflow is needed.
; RUN: sed 's/%fits = xor i1 %overflow, true/%fits = or i1 %overflow, true/' %s > %t.unchecked.ll
; RUN: not %python %src/utils/check/brute_force.py %t.unchecked.ll 2>&1 | FileCheck %s --check-prefix=UNCHECKED
; UNCHECKED: @src gives 1, @tgt 0
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)

define i1 @src(i64 %a, i64 %a.max, i64 %b, i64 %b.max) {
  %checked = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %a.max, i64 %b.max)
  %max = extractvalue { i64, i1 } %checked, 0
  %overflow = extractvalue { i64, i1 } %checked, 1
  %fits = xor i1 %overflow, true
  %a.below = icmp ule i64 %a, %a.max
  %b.below = icmp ule i64 %b, %b.max
  %below = and i1 %a.below, %b.below
  %guard = and i1 %fits, %below
  %value = mul i64 %a, %b
  %beyond = icmp ugt i64 %value, %max
  %wrong = and i1 %guard, %beyond
  ret i1 %wrong
}

define i1 @tgt(i64 %a, i64 %a.max, i64 %b, i64 %b.max) {
  ret i1 false
}
