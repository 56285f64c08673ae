; The test that two byte ranges are disjoint (GuardEmitter::addDisjoint): start x
; behind the end of y and start y behind the end of x, on the circle of addresses.
; Where it holds no byte of one is a byte of the other, wherever they lie.
; RUN: %prove
;
; One of the two alone is not enough.
; RUN: sed 's/%guard = and i1 %x.behind, %y.behind/%guard = and i1 %x.behind, true/' %s > %t.half.ll
; RUN: not %python %src/utils/check/brute_force.py %t.half.ll 2>&1 | FileCheck %s --check-prefix=HALF
; HALF: @src gives 1, @tgt 0
define i1 @src(i64 %x, i64 %x.bytes, i64 %y, i64 %y.bytes, i64 %i, i64 %j) {
  %y.to.x = sub i64 %x, %y
  %x.behind = icmp uge i64 %y.to.x, %y.bytes
  %x.to.y = sub i64 %y, %x
  %y.behind = icmp uge i64 %x.to.y, %x.bytes
  %guard = and i1 %x.behind, %y.behind
  %i.inside = icmp ult i64 %i, %x.bytes
  %j.inside = icmp ult i64 %j, %y.bytes
  %inside = and i1 %i.inside, %j.inside
  %x.byte = add i64 %x, %i
  %y.byte = add i64 %y, %j
  %same = icmp eq i64 %x.byte, %y.byte
  %overlap = and i1 %inside, %same
  %wrong = and i1 %guard, %overlap
  ret i1 %wrong
}

define i1 @tgt(i64 %x, i64 %x.bytes, i64 %y, i64 %y.bytes, i64 %i, i64 %j) {
  ret i1 false
}
