; Sizes of Fortran are behind pointers, which are what variables are at.
;
; RUN: %opt -passes=dl-recognize -pass-remarks-analysis=dl-recognize -disable-output %s 2>&1 | FileCheck %s
; CHECK: kernel: scale f32, %n, tier exact
; A variable at an address that is not all of it has the name of something else.
; CHECK: kernel: scale f32, %p, tier exact

define void @scale_(ptr noalias %0, ptr noalias %1, ptr noalias %2) !dbg !5 {
    #dbg_declare(ptr %0, !8, !DIExpression(), !9)
  %4 = load i32, ptr %0, align 4
  %5 = sext i32 %4 to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %3 ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr %1, i64 %i
  %v = load float, ptr %from, align 4
  %product = fmul float %v, 3.000000e+00
  %to = getelementptr inbounds float, ptr %2, i64 %i
  store float %product, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %5
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @part_(ptr noalias %0, ptr noalias %1, ptr noalias %2) !dbg !15 {
    #dbg_declare(ptr %0, !18, !DIExpression(DW_OP_plus_uconst, 8), !19)
  %4 = load i32, ptr %0, align 4
  %5 = sext i32 %4 to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %3 ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr %1, i64 %i
  %v = load float, ptr %from, align 4
  %product = fmul float %v, 3.000000e+00
  %to = getelementptr inbounds float, ptr %2, i64 %i
  store float %product, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %5
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "s.f90", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "scale", file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!6 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "n", arg: 1, scope: !5, file: !1, line: 1, type: !6)
!9 = !DILocation(line: 1, scope: !5)
!15 = distinct !DISubprogram(name: "part", file: !1, line: 9, type: !3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!18 = !DILocalVariable(name: "m", arg: 1, scope: !15, file: !1, line: 9, type: !6)
!19 = !DILocation(line: 9, scope: !15)
