; The limit counts the kernels of a module, and the remark has the number, so
; that a bad result is bisected to one kernel.
; DEFINE: %{copies} = sed -n -e '/^define/,/^}/p' %S/../Inputs/matmul.ll
; RUN: %{copies} | sed s/@matmul/@first/ > %t.in.ll
; RUN: %{copies} | sed s/@matmul/@second/ >> %t.in.ll
; RUN: %{copies} | sed s/@matmul/@third/ >> %t.in.ll
; RUN: grep '^declare' %S/../Inputs/matmul.ll >> %t.in.ll
;
; DEFINE: %{run} = %opt -mtriple=x86_64-linux-gnu -passes=dl-vectorize -pass-remarks-output=%t.yaml -S %t.in.ll -o %t.ll
; RUN: env DLOPT_LIMIT=2 %{run}
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.yaml
; RUN: %{run} -dl-limit=2
; RUN: FileCheck %s --input-file=%t.ll
; RUN: env DLOPT_LIMIT=0 %{run}
; RUN: FileCheck %s --check-prefix=NONE --input-file=%t.ll
; RUN: FileCheck %s --check-prefix=NONE-REMARK --input-file=%t.yaml

; CHECK-LABEL: define void @first(
; CHECK:         call void @dl.matmul.nn.f32.0(
; CHECK-LABEL: define void @second(
; CHECK:         call void @dl.matmul.nn.f32.0(
; CHECK-LABEL: define void @third(
; CHECK-NOT:     @dl.
; CHECK:         ret void

; REMARK:      --- !Passed
; REMARK-NEXT: Pass: dl-vectorize
; REMARK-NEXT: Name: Vectorized
; REMARK-NEXT: Function: first
; REMARK:        - Number: '1'
; REMARK:      Function: second
; REMARK:        - Number: '2'
; REMARK:      --- !Missed
; REMARK-NEXT: Pass: dl-vectorize
; REMARK-NEXT: Name: LimitReached
; REMARK-NEXT: Function: third

; NONE-NOT: @dl.
; NONE-REMARK-NOT:     !Passed
; NONE-REMARK-COUNT-3: Name: LimitReached
