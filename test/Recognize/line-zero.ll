; What keeps a loop from being a kernel may have line 0, as what several lines have in common:
; the remark is at the loop then.
; TEETH: none - the first pass that looks at the loop says it
; RUN: %opt -passes='dl-prepare<all>,dl-recognize' -pass-remarks-missed=dl-recognize -disable-output %s 2>&1 | FileCheck %s
; CHECK: remark: sum.c:3:3: {{.*}}left alone: a call that may throw or not return: 'log_row'
declare void @log_row(i64)

define void @f(i64 %n) !dbg !4 {
entry:
  br label %loop, !dbg !7

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @log_row(i64 %i), !dbg !8
  %next = add nuw nsw i64 %i, 1, !dbg !7
  %done = icmp eq i64 %next, %n, !dbg !7
  br i1 %done, label %exit, label %loop, !dbg !7, !llvm.loop !9

exit:
  ret void, !dbg !7
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "sum.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 3, column: 3, scope: !4)
!8 = !DILocation(line: 0, scope: !4)
!9 = distinct !{!9, !7}
