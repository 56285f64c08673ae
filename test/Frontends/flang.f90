! Fortran is column-major: C = A*B is the row-major product of the transposed
! matrices, and the same generated function.
!
! RUN: %flang_dl -O3 -march=haswell -Rpass=dl-vectorize -Rpass-missed=dl-recognize -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck %s --check-prefixes=REMARK%if llvm-22 %{,INLINE-REMARK%}
! RUN: FileCheck %s --input-file=%t.ll --check-prefixes=CHECK%if llvm-22 %{,INLINE%}
! RUN: %flang_dl -O1 -march=haswell -S -emit-llvm -o - %s | FileCheck %s --check-prefixes=CHECK%if llvm-22 %{,INLINE%}
! RUN: %flang_dl -O0 -march=haswell -S -emit-llvm -o %t.dl.ll %s
! RUN: %flang -O0 -march=haswell -S -emit-llvm -o %t.plain.ll %s
! RUN: cmp %t.dl.ll %t.plain.ll
! REQUIRES: native-x86, flang

! CHECK-LABEL: define {{.*}}@explicit_shape_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine explicit_shape(m, n, k, a, b, c)
  integer, intent(in) :: m, n, k
  real, intent(in) :: a(m, k), b(k, n)
  real, intent(out) :: c(m, n)
  integer :: i, j, l
  real :: s
  do j = 1, n
    do i = 1, m
      s = 0.0
      do l = 1, k
        s = s + a(i, l) * b(l, j)
      end do
      c(i, j) = s
    end do
  end do
end subroutine

! CHECK-LABEL: define {{.*}}@memory_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine memory(m, n, k, a, b, c)
  integer, intent(in) :: m, n, k
  real, intent(in) :: a(m, k), b(k, n)
  real, intent(inout) :: c(m, n)
  integer :: i, j, l
  do j = 1, n
    do l = 1, k
      do i = 1, m
        c(i, j) = c(i, j) + a(i, l) * b(l, j)
      end do
    end do
  end do
end subroutine

! CHECK-LABEL: define {{.*}}@leading_dimensions_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine leading_dimensions(m, n, k, a, lda, b, ldb, c, ldc)
  integer, intent(in) :: m, n, k, lda, ldb, ldc
  real, intent(in) :: a(lda, *), b(ldb, *)
  real, intent(inout) :: c(ldc, *)
  integer :: i, j, l
  do i = 1, m
    do j = 1, n
      do l = 1, k
        c(i, j) = c(i, j) + a(i, l) * b(l, j)
      end do
    end do
  end do
end subroutine

! CHECK-LABEL: define {{.*}}@constant_shape_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine constant_shape(a, b, c)
  real, intent(in) :: a(64, 48), b(48, 32)
  real, intent(out) :: c(64, 32)
  integer :: i, j, l
  do j = 1, 32
    do i = 1, 64
      c(i, j) = 0.0
      do l = 1, 48
        c(i, j) = c(i, j) + a(i, l) * b(l, j)
      end do
    end do
  end do
end subroutine

! CHECK-LABEL: define {{.*}}@allocated_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine allocated(m, n, k, a, b, c)
  integer, intent(in) :: m, n, k
  real, allocatable, intent(in) :: a(:, :), b(:, :)
  real, allocatable, intent(inout) :: c(:, :)
  integer :: i, j, l
  do j = 1, n
    do l = 1, k
      do i = 1, m
        c(i, j) = c(i, j) + a(i, l) * b(l, j)
      end do
    end do
  end do
end subroutine

! CHECK-LABEL: define {{.*}}@contiguous_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine contiguous(a, b, c)
  real, intent(in), contiguous :: a(:, :), b(:, :)
  real, intent(out), contiguous :: c(:, :)
  integer :: i, j, l
  real :: s
  do j = 1, size(c, 2)
    do i = 1, size(c, 1)
      s = 0.0
      do l = 1, size(a, 2)
        s = s + a(i, l) * b(l, j)
      end do
      c(i, j) = s
    end do
  end do
end subroutine

! CHECK-LABEL: define {{.*}}@concurrent_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine concurrent(m, n, k, a, b, c)
  integer, intent(in) :: m, n, k
  real, intent(in) :: a(m, k), b(k, n)
  real, intent(out) :: c(m, n)
  integer :: i, j, l
  real :: s
  do concurrent (j = 1:n, i = 1:m) local(s)
    s = 0.0
    do l = 1, k
      s = s + a(i, l) * b(l, j)
    end do
    c(i, j) = s
  end do
end subroutine

! Whole columns, and matmul where it is expanded.
!
! CHECK-LABEL: define {{.*}}@columns_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine columns(m, n, k, a, b, c)
  integer, intent(in) :: m, n, k
  real, intent(in) :: a(m, k), b(k, n)
  real, intent(out) :: c(m, n)
  integer :: j, l
  do j = 1, n
    c(:, j) = 0.0
    do l = 1, k
      c(:, j) = c(:, j) + a(:, l) * b(l, j)
    end do
  end do
end subroutine

! LLVM 19's flang calls its library for it.
! INLINE-LABEL: define {{.*}}@intrinsic_(
! INLINE:         call {{.*}}@dl.matmul.nn.f32.0
subroutine intrinsic(a, b, c)
  real, intent(in) :: a(64, 48), b(48, 32)
  real, intent(out) :: c(64, 32)
  c = matmul(a, b)
end subroutine

! REMARK: kernel number 8
! INLINE-REMARK: kernel number 9
! CHECK:     define internal {{.*}}@dl.matmul.nn.f32.0
! CHECK-NOT: define internal {{.*}}@dl.matmul.nn.f32.1
