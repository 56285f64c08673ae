; A wrong name gets one line that says what is accepted, then opt's own failure.
;
; RUN: not %opt -disable-output -passes='dl-vectorize<bogus>' %s 2>&1 | FileCheck %s --check-prefix=PARAM
; PARAM-NOT: {{.}}
; PARAM: {{^}}dl-vectorize: unknown parameter 'bogus'; accepted: prepared;tile=RxV;no-pack;stack=N[k|m];dispatch=0|1|fma;scalable;no-scalable;check;check=report|count|ABS:REL;schedule=FILE;tuned=FILE{{$}}
; PARAM-NEXT: unknown pass name
;
; RUN: not %opt -disable-output -passes='dl-recognize,dl-vectorize<tile=4>' %s 2>&1 | FileCheck %s --check-prefix=VALUE
; VALUE-NOT: {{.}}
; VALUE: {{^}}dl-vectorize: bad value '4' for 'tile'; accepted: prepared;tile=RxV;no-pack;stack=N[k|m];dispatch=0|1|fma;scalable;no-scalable;check;check=report|count|ABS:REL;schedule=FILE;tuned=FILE{{$}}
; VALUE-NEXT: unknown module pass
;
; RUN: not %opt -disable-output -passes='dl-prepare<>,dl-recognize<x>' %s 2>&1 | FileCheck %s --check-prefix=NONE
; NONE-NOT: {{.}}
; NONE: {{^}}dl-recognize: unknown parameter 'x'; accepted: prepared{{$}}
; NONE-NEXT: unknown module pass
;
; RUN: not %opt -disable-output -passes='dl<O4>' %s 2>&1 | FileCheck %s --check-prefix=LEVEL
; LEVEL-NOT: {{.}}
; LEVEL: {{^}}dl: unknown parameter 'O4'; accepted: O1;O2;O3{{$}}
; LEVEL-NEXT: unknown pass name
;
; RUN: not %opt -disable-output -passes='dl' %s 2>&1 | FileCheck %s --check-prefix=NOLEVEL
; NOLEVEL-NOT: {{.}}
; NOLEVEL: {{^}}dl: a level is missing; accepted: O1;O2;O3{{$}}
; NOLEVEL-NEXT: unknown pass name
;
; RUN: not %opt -disable-output -passes='function(dl-vectorize)' %s 2>&1 | FileCheck %s --check-prefix=FUNCTION
; FUNCTION-NOT: {{.}}
; FUNCTION: {{^}}dl-vectorize cannot run inside function(...): it is a module pass, accepted at module level{{$}}
; FUNCTION-NEXT: unknown function pass
;
; RUN: not %opt -disable-output -passes='function(dl-vectorize<bogus>)' %s 2>&1 | FileCheck %s --check-prefix=FUNCTIONPARAM
; FUNCTIONPARAM-NOT: {{.}}
; FUNCTIONPARAM: {{^}}dl-vectorize: unknown parameter 'bogus'
; FUNCTIONPARAM-NEXT: unknown function pass
;
; RUN: not %opt -disable-output -passes='cgscc(dl-prepare)' %s 2>&1 | FileCheck %s --check-prefix=CGSCC
; CGSCC-NOT: {{.}}
; CGSCC: {{^}}dl-prepare cannot run inside cgscc(...): it is a module pass, accepted at module level{{$}}
; CGSCC-NEXT: unknown cgscc pass
;
; RUN: not %opt -disable-output -passes='loop(dl-recognize)' %s 2>&1 | FileCheck %s --check-prefix=LOOP
; LOOP-NOT: {{.}}
; LOOP: {{^}}dl-recognize cannot run inside loop(...): it is a function pass, accepted at module and function level{{$}}
; LOOP-NEXT: unknown loop pass
;
; RUN: not %opt -disable-output -passes='dl-recognise' %s 2>&1 | FileCheck %s --check-prefix=NAME
; NAME-NOT: {{.}}
; NAME: {{^}}dl-recognise: no such pass; DLOpt has: dl, dl-prepare, {{.*}}dl-mark
; NAME-NEXT: unknown pass name

define void @f() {
  ret void
}
