; Two branches in front of the loops, the tests of sizes first: what every test
; is for. The loops behind them are the source's, marked; the call takes what was
; tested.
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -S %S/../Inputs/matmul.ll -o %t.ll \
; RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)'
; RUN: FileCheck %s --input-file=%t.ll
; RUN: grep -c '!dl.guard' %t.ll | FileCheck %s --check-prefix=ONE
; ONE: {{^}}1{{$}}

; CHECK-LABEL: define void @matmul(
; CHECK:       entry:
; The inputs are frozen: a leading dimension may be undefined if no row runs.
; CHECK:         [[M:%m.*]] = freeze i64 %m
; CHECK:         [[N:%n.*]] = freeze i64 %n
; CHECK:         [[K:%l.*]] = freeze i64 %l
; Every axis runs, and the work pays.
; CHECK:         [[M_RUNS:%.*]] = icmp ne i64 [[M]], 0
; CHECK:         [[N_RUNS:%.*]] = icmp ne i64 [[N]], 0
; CHECK:         [[K_RUNS:%.*]] = icmp ne i64 [[K]], 0
; CHECK:         [[MN:%.*]] = mul i64 [[M]], [[N]]
; CHECK:         [[CAPPED:%.*]] = call i64 @llvm.umin.i64(i64 [[MN]], i64 4294967296)
; CHECK:         [[MNK:%.*]] = mul i64 [[CAPPED]], [[K]]
; CHECK:         [[PAYS:%.*]] = icmp uge i64 [[MNK]], {{[1-9][0-9]*}}
; All numbers are below 2^29: no arithmetic of the tests overflows.
; CHECK:         [[OR1:%.*]] = or i64 [[M]], [[N]]
; CHECK:         [[OR2:%.*]] = or i64 [[OR1]], [[K]]
; CHECK:         [[SMALL:%dl.small.*]] = icmp ult i64 [[OR2]], 536870912
; CHECK:         and i1 [[M_RUNS]], [[N_RUNS]]
; CHECK:         and i1 {{.*}}, [[K_RUNS]]
; CHECK:         and i1 {{.*}}, [[PAYS]]
; CHECK:         and i1 {{.*}}, [[SMALL]]
; CHECK:         br i1 {{%.*}}, label %[[TESTS:dl.guard.*]], label %dl.original

; CHECK:       [[TESTS]]:
; CHECK:         [[LDC:%ldc.*]] = freeze i64 %ldc
; CHECK:         [[C:%c.*]] = freeze ptr %c
; CHECK:         [[LDA:%lda.*]] = freeze i64 %lda
; CHECK:         [[A:%a.*]] = freeze ptr %a
; CHECK:         [[LDB:%ldb.*]] = freeze i64 %ldb
; CHECK:         [[B:%b.*]] = freeze ptr %b
; Rows of C do not overlap each other.
; CHECK:         [[ROWS:%.*]] = icmp uge i64 [[LDC]], [[N]]
; The bytes up to the last element of C, (m-1)*ldc + n-1, and of A.
; CHECK:         [[M1:%.*]] = sub i64 [[M]], 1
; CHECK:         [[ROW_C:%.*]] = mul i64 [[M1]], [[LDC]]
; CHECK:         [[N1:%.*]] = sub i64 [[N]], 1
; CHECK:         [[LAST_C:%.*]] = add i64 [[ROW_C]], [[N1]]
; CHECK:         [[C_INT:%.*]] = ptrtoint ptr [[C]] to i64
; CHECK:         [[NUM_C:%.*]] = add i64 [[LAST_C]], 1
; CHECK:         [[BYTES_C:%.*]] = mul i64 [[NUM_C]], 4
; CHECK:         [[ROW_A:%.*]] = mul i64 [[M1]], [[LDA]]
; CHECK:         [[K1:%.*]] = sub i64 [[K]], 1
; CHECK:         [[LAST_A:%.*]] = add i64 [[ROW_A]], [[K1]]
; CHECK:         [[A_INT:%.*]] = ptrtoint ptr [[A]] to i64
; CHECK:         [[NUM_A:%.*]] = add i64 [[LAST_A]], 1
; CHECK:         [[BYTES_A:%.*]] = mul i64 [[NUM_A]], 4
; C and A are disjoint: each starts behind the end of the other, modulo 2^64.
; CHECK:         [[CA:%.*]] = sub i64 [[C_INT]], [[A_INT]]
; CHECK:         icmp uge i64 [[CA]], [[BYTES_A]]
; CHECK:         [[AC:%.*]] = sub i64 [[A_INT]], [[C_INT]]
; CHECK:         icmp uge i64 [[AC]], [[BYTES_C]]
; C and B likewise; A and B may overlap.
; CHECK:         [[ROW_B:%.*]] = mul i64 [[K1]], [[LDB]]
; CHECK:         [[B_INT:%.*]] = ptrtoint ptr [[B]] to i64
; CHECK:         [[CB:%.*]] = sub i64 [[C_INT]], [[B_INT]]
; CHECK:         icmp uge i64 [[CB]],
; CHECK:         [[BC:%.*]] = sub i64 [[B_INT]], [[C_INT]]
; CHECK:         icmp uge i64 [[BC]], [[BYTES_C]]
; CHECK-NOT:     icmp uge i64
; CHECK:         [[OR3:%.*]] = or i64 [[LDC]], [[LDA]]
; CHECK:         [[OR4:%.*]] = or i64 [[OR3]], [[LDB]]
; CHECK:         %dl.small{{.*}} = icmp ult i64 {{.*}}, 536870912
; CHECK:         and i1 [[ROWS]],
; CHECK:         br i1 {{%.*}}, label %dl.fast, label %dl.original, !dl.guard

; CHECK:       dl.fast:
; CHECK-NEXT:    call void @[[MATMUL:dl.matmul.nn.f32.0]](ptr [[C]], i64 [[LDC]], ptr [[A]], i64 [[LDA]], ptr [[B]], i64 [[LDB]], ptr @dl.start.0.f32, i64 0, i64 0, i64 [[M]], i64 [[N]], i64 [[K]])
; CHECK-NEXT:    br label %dl.join

; CHECK:       dl.original:
; CHECK:         icmp slt i64 %i, %m
; CHECK:         icmp slt i64 %j, %n
; CHECK:         icmp slt i64 %k, %l
; CHECK:         call float @llvm.fmuladd.f32(
; CHECK:         br label %k.head, !llvm.loop [[K_LOOP:![0-9]+]]
; CHECK:         store float
; CHECK:         br label %j.head, !llvm.loop [[J_LOOP:![0-9]+]]
; CHECK:         br label %i.head, !llvm.loop [[I_LOOP:![0-9]+]]
; CHECK:         ret void

; CHECK:       define internal void @[[MATMUL]](
; CHECK:       [[K_LOOP]] = distinct !{[[K_LOOP]], [[ORIGINAL:![0-9]+]]}
; CHECK:       [[ORIGINAL]] = !{!"dl.original"}
; CHECK:       [[J_LOOP]] = distinct !{[[J_LOOP]], [[ORIGINAL]]}
; CHECK:       [[I_LOOP]] = distinct !{[[I_LOOP]], [[ORIGINAL]]}
