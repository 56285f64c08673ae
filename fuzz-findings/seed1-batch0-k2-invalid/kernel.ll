; ModuleID = 'fuzz-findings/seed1-batch0-k2-invalid/kernel.c'
source_filename = "fuzz-findings/seed1-batch0-k2-invalid/kernel.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nounwind uwtable
define weak dso_local float @dlfuzz_times(float noundef %a, float noundef %b) #0 {
entry:
  %a.addr = alloca float, align 4
  %b.addr = alloca float, align 4
  store float %a, ptr %a.addr, align 4, !tbaa !9
  store float %b, ptr %b.addr, align 4, !tbaa !9
  %0 = load float, ptr %a.addr, align 4, !tbaa !9
  %1 = load float, ptr %b.addr, align 4, !tbaa !9
  %mul = fmul float %0, %1
  ret float %mul
}

; Function Attrs: nounwind uwtable
define dso_local void @k2(i64 noundef %M, i64 noundef %N, i64 noundef %K, i64 noundef %lda, i64 noundef %ldb, i64 noundef %ldc, ptr noundef %A, ptr noundef %B, ptr noundef %C, ptr noundef %bias) #0 {
entry:
  %M.addr = alloca i64, align 8
  %N.addr = alloca i64, align 8
  %K.addr = alloca i64, align 8
  %lda.addr = alloca i64, align 8
  %ldb.addr = alloca i64, align 8
  %ldc.addr = alloca i64, align 8
  %A.addr = alloca ptr, align 8
  %B.addr = alloca ptr, align 8
  %C.addr = alloca ptr, align 8
  %bias.addr = alloca ptr, align 8
  %i = alloca i64, align 8
  %cleanup.dest.slot = alloca i32, align 4
  %j = alloca i64, align 8
  %k = alloca i64, align 8
  %j15 = alloca i64, align 8
  %i20 = alloca i64, align 8
  store i64 %M, ptr %M.addr, align 8, !tbaa !11
  store i64 %N, ptr %N.addr, align 8, !tbaa !11
  store i64 %K, ptr %K.addr, align 8, !tbaa !11
  store i64 %lda, ptr %lda.addr, align 8, !tbaa !11
  store i64 %ldb, ptr %ldb.addr, align 8, !tbaa !11
  store i64 %ldc, ptr %ldc.addr, align 8, !tbaa !11
  store ptr %A, ptr %A.addr, align 8, !tbaa !13
  store ptr %B, ptr %B.addr, align 8, !tbaa !13
  store ptr %C, ptr %C.addr, align 8, !tbaa !13
  store ptr %bias, ptr %bias.addr, align 8, !tbaa !13
  %0 = load i64, ptr %M.addr, align 8, !tbaa !11
  %cmp = icmp ule i64 %0, 0
  br i1 %cmp, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %1 = load i64, ptr %K.addr, align 8, !tbaa !11
  %cmp1 = icmp ule i64 %1, 0
  br i1 %cmp1, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %entry
  br label %for.end46

if.end:                                           ; preds = %lor.lhs.false
  call void @llvm.lifetime.start.p0(ptr %i) #3
  store i64 0, ptr %i, align 8, !tbaa !11
  br label %for.cond

for.cond:                                         ; preds = %for.inc8, %if.end
  %2 = load i64, ptr %i, align 8, !tbaa !11
  %3 = load i64, ptr %M.addr, align 8, !tbaa !11
  %cmp2 = icmp ult i64 %2, %3
  br i1 %cmp2, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond
  store i32 2, ptr %cleanup.dest.slot, align 4
  call void @llvm.lifetime.end.p0(ptr %i) #3
  br label %for.end10

for.body:                                         ; preds = %for.cond
  call void @llvm.lifetime.start.p0(ptr %j) #3
  store i64 0, ptr %j, align 8, !tbaa !11
  br label %for.cond3

for.cond3:                                        ; preds = %for.inc, %for.body
  %4 = load i64, ptr %j, align 8, !tbaa !11
  %5 = load i64, ptr %N.addr, align 8, !tbaa !11
  %cmp4 = icmp ult i64 %4, %5
  br i1 %cmp4, label %for.body6, label %for.cond.cleanup5

for.cond.cleanup5:                                ; preds = %for.cond3
  store i32 5, ptr %cleanup.dest.slot, align 4
  call void @llvm.lifetime.end.p0(ptr %j) #3
  br label %for.end

for.body6:                                        ; preds = %for.cond3
  %6 = load ptr, ptr %bias.addr, align 8, !tbaa !13
  %7 = load i64, ptr %j, align 8, !tbaa !11
  %arrayidx = getelementptr inbounds nuw float, ptr %6, i64 %7
  %8 = load float, ptr %arrayidx, align 4, !tbaa !9
  %9 = load ptr, ptr %C.addr, align 8, !tbaa !13
  %10 = load i64, ptr %i, align 8, !tbaa !11
  %11 = load i64, ptr %ldc.addr, align 8, !tbaa !11
  %mul = mul i64 %10, %11
  %12 = load i64, ptr %j, align 8, !tbaa !11
  %add = add i64 %mul, %12
  %arrayidx7 = getelementptr inbounds nuw float, ptr %9, i64 %add
  store float %8, ptr %arrayidx7, align 4, !tbaa !9
  br label %for.inc

for.inc:                                          ; preds = %for.body6
  %13 = load i64, ptr %j, align 8, !tbaa !11
  %inc = add i64 %13, 1
  store i64 %inc, ptr %j, align 8, !tbaa !11
  br label %for.cond3, !llvm.loop !16

for.end:                                          ; preds = %for.cond.cleanup5
  br label %for.inc8

for.inc8:                                         ; preds = %for.end
  %14 = load i64, ptr %i, align 8, !tbaa !11
  %inc9 = add i64 %14, 1
  store i64 %inc9, ptr %i, align 8, !tbaa !11
  br label %for.cond, !llvm.loop !18

for.end10:                                        ; preds = %for.cond.cleanup
  call void @llvm.lifetime.start.p0(ptr %k) #3
  store i64 0, ptr %k, align 8, !tbaa !11
  br label %for.cond11

for.cond11:                                       ; preds = %for.inc44, %for.end10
  %15 = load i64, ptr %k, align 8, !tbaa !11
  %16 = load i64, ptr %K.addr, align 8, !tbaa !11
  %cmp12 = icmp ult i64 %15, %16
  br i1 %cmp12, label %for.body14, label %for.cond.cleanup13

for.cond.cleanup13:                               ; preds = %for.cond11
  store i32 8, ptr %cleanup.dest.slot, align 4
  call void @llvm.lifetime.end.p0(ptr %k) #3
  br label %for.end46

for.body14:                                       ; preds = %for.cond11
  call void @llvm.lifetime.start.p0(ptr %j15) #3
  store i64 0, ptr %j15, align 8, !tbaa !11
  br label %for.cond16

for.cond16:                                       ; preds = %for.inc41, %for.body14
  %17 = load i64, ptr %j15, align 8, !tbaa !11
  %18 = load i64, ptr %N.addr, align 8, !tbaa !11
  %cmp17 = icmp ult i64 %17, %18
  br i1 %cmp17, label %for.body19, label %for.cond.cleanup18

for.cond.cleanup18:                               ; preds = %for.cond16
  store i32 11, ptr %cleanup.dest.slot, align 4
  call void @llvm.lifetime.end.p0(ptr %j15) #3
  br label %for.end43

for.body19:                                       ; preds = %for.cond16
  call void @llvm.lifetime.start.p0(ptr %i20) #3
  store i64 0, ptr %i20, align 8, !tbaa !11
  br label %for.cond21

for.cond21:                                       ; preds = %for.inc38, %for.body19
  %19 = load i64, ptr %i20, align 8, !tbaa !11
  %20 = load i64, ptr %M.addr, align 8, !tbaa !11
  %cmp22 = icmp ult i64 %19, %20
  br i1 %cmp22, label %for.body24, label %for.cond.cleanup23

for.cond.cleanup23:                               ; preds = %for.cond21
  store i32 14, ptr %cleanup.dest.slot, align 4
  call void @llvm.lifetime.end.p0(ptr %i20) #3
  br label %for.end40

for.body24:                                       ; preds = %for.cond21
  %21 = load i64, ptr %k, align 8, !tbaa !11
  %cmp25 = icmp eq i64 %21, 3
  br i1 %cmp25, label %if.then26, label %if.end27

if.then26:                                        ; preds = %for.body24
  %22 = load i64, ptr %K.addr, align 8, !tbaa !11
  %dec = add i64 %22, -1
  store i64 %dec, ptr %K.addr, align 8, !tbaa !11
  br label %if.end27

if.end27:                                         ; preds = %if.then26, %for.body24
  %23 = load ptr, ptr %A.addr, align 8, !tbaa !13
  %24 = load i64, ptr %i20, align 8, !tbaa !11
  %25 = load i64, ptr %lda.addr, align 8, !tbaa !11
  %mul28 = mul i64 %24, %25
  %26 = load i64, ptr %k, align 8, !tbaa !11
  %add29 = add i64 %mul28, %26
  %arrayidx30 = getelementptr inbounds nuw float, ptr %23, i64 %add29
  %27 = load float, ptr %arrayidx30, align 4, !tbaa !9
  %28 = load ptr, ptr %B.addr, align 8, !tbaa !13
  %29 = load i64, ptr %k, align 8, !tbaa !11
  %30 = load i64, ptr %ldb.addr, align 8, !tbaa !11
  %mul31 = mul i64 %29, %30
  %31 = load i64, ptr %j15, align 8, !tbaa !11
  %add32 = add i64 %mul31, %31
  %arrayidx33 = getelementptr inbounds nuw float, ptr %28, i64 %add32
  %32 = load float, ptr %arrayidx33, align 4, !tbaa !9
  %33 = load ptr, ptr %C.addr, align 8, !tbaa !13
  %34 = load i64, ptr %i20, align 8, !tbaa !11
  %35 = load i64, ptr %ldc.addr, align 8, !tbaa !11
  %mul35 = mul i64 %34, %35
  %36 = load i64, ptr %j15, align 8, !tbaa !11
  %add36 = add i64 %mul35, %36
  %arrayidx37 = getelementptr inbounds nuw float, ptr %33, i64 %add36
  %37 = load float, ptr %arrayidx37, align 4, !tbaa !9
  %38 = call float @llvm.fmuladd.f32(float %27, float %32, float %37)
  store float %38, ptr %arrayidx37, align 4, !tbaa !9
  br label %for.inc38

for.inc38:                                        ; preds = %if.end27
  %39 = load i64, ptr %i20, align 8, !tbaa !11
  %inc39 = add i64 %39, 1
  store i64 %inc39, ptr %i20, align 8, !tbaa !11
  br label %for.cond21, !llvm.loop !19

for.end40:                                        ; preds = %for.cond.cleanup23
  br label %for.inc41

for.inc41:                                        ; preds = %for.end40
  %40 = load i64, ptr %j15, align 8, !tbaa !11
  %inc42 = add i64 %40, 1
  store i64 %inc42, ptr %j15, align 8, !tbaa !11
  br label %for.cond16, !llvm.loop !20

for.end43:                                        ; preds = %for.cond.cleanup18
  br label %for.inc44

for.inc44:                                        ; preds = %for.end43
  %41 = load i64, ptr %k, align 8, !tbaa !11
  %inc45 = add i64 %41, 1
  store i64 %inc45, ptr %k, align 8, !tbaa !11
  br label %for.cond11, !llvm.loop !21

for.end46:                                        ; preds = %if.then, %for.cond.cleanup13
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #2

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}
!llvm.errno.tbaa = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"float", !7, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"long", !7, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 float", !15, i64 0}
!15 = !{!"any pointer", !7, i64 0}
!16 = distinct !{!16, !17}
!17 = !{!"llvm.loop.mustprogress"}
!18 = distinct !{!18, !17}
!19 = distinct !{!19, !17}
!20 = distinct !{!20, !17}
!21 = distinct !{!21, !17}
