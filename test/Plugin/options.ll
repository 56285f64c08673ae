; Bad options: one line, a failed compilation, from wherever they come.
;
; RUN: env DLOPT_OPTIONS=stak=3 not %opt -S -passes='default<O2>' %s 2>&1 | FileCheck %s --check-prefix=KEY
; RUN: env DLOPT_OPTIONS=stak=3 not %clang_dl -O2 -x ir -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=KEY
; KEY: error: DLOpt: DLOPT_OPTIONS: unknown option 'stak'; accepted: enable=0|1, fp=exact|fast, fma=exact|free, math=correct|1ulp|2ulp|4ulp|machine, libm=unknown|glibc-2.N, stack=N[k|m], tile=RxV, pack=0|1, block=KxN, in-place=N[k|m], dispatch=0|1|fma, scalable=0|1, check=0|1|report|count|ABS:REL, limit=N, deny=FILE, tuned=FILE, contracts=FILE, summary=0|1, budget=N, disable=PASS[,PASS]
; KEY-NOT: error: DLOpt
;
; RUN: env DLOPT_OPTIONS='stack=64k; tile=6x' not %opt -S -passes='default<O2>' %s 2>&1 | FileCheck %s --check-prefix=VALUE
; VALUE: error: DLOpt: DLOPT_OPTIONS: bad value '6x' for 'tile'; accepted: tile=RxV
;
; RUN: env DLOPT_OPTIONS='math=3ulp' not %opt -S -passes='default<O2>' %s 2>&1 | FileCheck %s --check-prefix=MATH
; MATH: error: DLOpt: DLOPT_OPTIONS: bad value '3ulp' for 'math'; accepted: math=correct|1ulp|2ulp|4ulp|machine
;
; RUN: env DLOPT_OPTIONS='libm=glibc-2.41' not %opt -S -passes='default<O2>' %s 2>&1 | FileCheck %s --check-prefix=LIBM
; LIBM: error: DLOpt: DLOPT_OPTIONS: bad value 'glibc-2.41' for 'libm'; accepted: libm=unknown|glibc-2.N with N from 28 to 40
;
; RUN: env DLOPT_LIMIT=many not %opt -S -passes='dl<O2>' %s 2>&1 | FileCheck %s --check-prefix=LIMIT
; LIMIT: DLOpt: DLOPT_LIMIT: bad value 'many' for 'limit'; accepted: limit=N
;
; RUN: not %opt -S -passes='dl-vectorize' -dl-pack=maybe %s 2>&1 | FileCheck %s --check-prefix=FLAG
; RUN: not %clang_dl -O2 -x ir -c %s -o %t.o -mllvm -dl-pack=maybe 2>&1 | FileCheck %s --check-prefix=FLAG
; FLAG: DLOpt: -dl-pack: bad value 'maybe' for 'pack'; accepted: pack=0|1
;
; RUN: not %opt -S -passes='default<O2>' -dl-stack=2g %s 2>&1 | FileCheck %s --check-prefix=HUGE
; RUN: not %opt -S -passes='default<O2>' -dl-stack=99999999999999999999 %s 2>&1 | FileCheck %s --check-prefix=HUGE
; HUGE: DLOpt: -dl-stack: bad value '{{.*}}' for 'stack'; accepted: stack=N[k|m]
;
; RUN: env DLOPT_OPTIONS='disable=dl-fuse,lanes,foo' not %opt -S -passes='default<O2>' %s 2>&1 | FileCheck %s --check-prefix=DISABLE
; RUN: env DLOPT_OPTIONS='disable=dl-fuse, lanes' %opt -disable-output -passes='default<O2>' %s 2>&1 | count 0
; DISABLE: error: DLOpt: DLOPT_OPTIONS: bad value 'dl-fuse,lanes,foo' for 'disable'; accepted: disable=PASS[,PASS] with PASS one of {{.*}}dl-vectorize, {{.*}}lanes, {{.*}}
;
; RUN: not %opt -S -passes='default<O2>' -dl-deny=%t.none %s 2>&1 | FileCheck %s --check-prefix=DENY
; DENY: error: DLOpt: deny list: can't open file '{{.*}}.none'
;
; RUN: sed s/nounwind/\"dl-stack\"=\"lots\"/ %s > %t.value.ll
; RUN: not %opt -S -passes='default<O2>' %t.value.ll 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
; RUN: not %clang_dl -O2 -x ir -c %t.value.ll -o %t.o 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
; ATTRIBUTE: error: DLOpt: function 'f': bad value 'lots' for 'stack'; accepted: stack=N[k|m]
; ATTRIBUTE-NOT: error: DLOpt
;
; RUN: sed s/nounwind/\"dl-limit\"=\"3\"/ %s > %t.key.ll
; RUN: not %opt -S -passes='default<O2>' %t.key.ll 2>&1 | FileCheck %s --check-prefix=SCOPE
; SCOPE: error: DLOpt: function 'f': unknown attribute 'dl-limit'; accepted: dl-KEY with KEY one of enable=0|1, fp=exact|fast,
;
; At O0 nothing of the plugin runs, and good options are silent.
; RUN: env DLOPT_OPTIONS=stak=3 %opt -disable-output -passes='default<O0>' %s
; RUN: env DLOPT_OPTIONS='enable=1;math=2ulp;stack=64k;no-pack;pack;tile=6x4' DLOPT_LIMIT=3 %opt -S -passes='default<O2>' -dl-fp=exact %s 2>&1 | FileCheck %s --check-prefix=GOOD
; GOOD-NOT: {{error|warning|DLOpt}}
; GOOD: define {{.*}}@f(

define void @f() #0 {
  ret void
}

attributes #0 = { nounwind }
