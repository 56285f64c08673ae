; None of the numbers that are added is negative, nor so great that the sum may
; overflow: where the sum is below a bound, so is all that was added before
; (GuardEmitter::add).
; RUN: %prove
;
; That the numbers are below it themselves is needed.
; RUN: sed 's/%c.fits = icmp ult i64 %c, 16/%c.fits = icmp ult i64 %c, 60/' %s > %t.large.ll
; RUN: not %python %src/utils/check/brute_force.py %t.large.ll 2>&1 | FileCheck %s --check-prefix=LARGE
; LARGE: @src gives 0, @tgt 1

define i1 @src(i64 %a, i64 %b, i64 %c) {
  %a.fits = icmp ult i64 %a, 16
  %b.fits = icmp ult i64 %b, 16
  %c.fits = icmp ult i64 %c, 16
  %a.b.fit = and i1 %a.fits, %b.fits
  %fit = and i1 %a.b.fit, %c.fits
  %some = add i64 %a, %b
  %some.below = icmp ult i64 %some, 16
  %all = add i64 %some, %c
  %all.below = icmp ult i64 %all, 16
  %below = and i1 %some.below, %all.below
  %guard = and i1 %fit, %below
  ret i1 %guard
}

define i1 @tgt(i64 %a, i64 %b, i64 %c) {
  %a.fits = icmp ult i64 %a, 16
  %b.fits = icmp ult i64 %b, 16
  %c.fits = icmp ult i64 %c, 16
  %a.b.fit = and i1 %a.fits, %b.fits
  %fit = and i1 %a.b.fit, %c.fits
  %some = add i64 %a, %b
  %all = add i64 %some, %c
  %all.below = icmp ult i64 %all, 16
  %guard = and i1 %fit, %all.below
  ret i1 %guard
}
