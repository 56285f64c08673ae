! Arrays of assumed shape have a stride in bytes for every dimension. Where the
! first one is the size of an element, products are those of other arrays;
! other sections, and reversed ones, take the loops of the source.
!
! RUN: %flang_dl -O2 -march=haswell -Rpass=dl-vectorize -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck %s --check-prefix=REMARK
! RUN: FileCheck %s --input-file=%t.ll
! RUN: %flang_dl -O3 -march=haswell -Rpass-missed=dl-recognize -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=VERSIONS
! RUN: %flang_dl -O3 -fno-version-loops-for-stride -march=native -c -o %t.dl.o %s
! RUN: %flang -O2 -DMAIN -cpp %s %t.dl.o -o %t && %t | FileCheck %s --check-prefix=OUT
! REQUIRES: native-x86, flang
#ifndef MAIN

! REMARK: matmul.nn f32{{.*}}kernel number 1
! CHECK-LABEL: define {{.*}}@sum_in_memory_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine sum_in_memory(a, b, c)
  real, intent(in) :: a(:, :), b(:, :)
  real, intent(inout) :: c(:, :)
  integer :: i, j, l
  do j = 1, size(c, 2)
    do i = 1, size(c, 1)
      c(i, j) = 0.0
      do l = 1, size(a, 2)
        ! At -O3 flang tests the strides inside the loops, and has loops for both.
        ! VERSIONS: [[@LINE+1]]:{{.*}} left alone: an address that is not a polynomial
        c(i, j) = c(i, j) + a(i, l) * b(l, j)
      end do
    end do
  end do
end subroutine

! REMARK: matmul.nn f32{{.*}}kernel number 2
! CHECK-LABEL: define {{.*}}@columns_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine columns(a, b, c)
  real, intent(in) :: a(:, :), b(:, :)
  real, intent(inout) :: c(:, :)
  integer :: i, j, l
  do j = 1, size(c, 2)
    do l = 1, size(a, 2)
      do i = 1, size(c, 1)
        c(i, j) = c(i, j) + a(i, l) * b(l, j)
      end do
    end do
  end do
end subroutine

#else

program main
  interface
    subroutine sum_in_memory(a, b, c)
      real, intent(in) :: a(:, :), b(:, :)
      real, intent(inout) :: c(:, :)
    end subroutine
    subroutine columns(a, b, c)
      real, intent(in) :: a(:, :), b(:, :)
      real, intent(inout) :: c(:, :)
    end subroutine
  end interface
  type pair
    real :: x, y
  end type
  real, allocatable :: a(:, :), b(:, :), c(:, :), d(:, :)
  type(pair), allocatable :: p(:, :)
  integer :: n, different
  different = 0
  do n = 1, 70, 23
    allocate(a(n, n + 3), b(n + 3, n + 1), c(n, n + 1))
    allocate(d(2 * n, 2 * n + 2), p(n, n + 3))
    call random_number(a)
    call random_number(b)
    p%x = a
    p%y = -a
    d = -1
    call sum_in_memory(a, b, c)
    call sum_in_memory(a, b, d(1::2, 1::2))
    different = different + count(c /= d(1::2, 1::2)) + &
                count(d(2::2, :) /= -1) + count(d(:, 2::2) /= -1)
    call sum_in_memory(a(n:1:-1, :), b, d(1:n, 1:n + 1))
    different = different + count(c(n:1:-1, :) /= d(1:n, 1:n + 1))
    call sum_in_memory(p%x, b, d(1:n, 1:n + 1))
    different = different + count(c /= d(1:n, 1:n + 1))
    d(1:n, 1:n + 1) = 0
    call columns(a, b, d(1:n, 1:n + 1))
    different = different + count(c /= d(1:n, 1:n + 1))
    deallocate(a, b, c, d, p)
  end do
  print *, different, 'different'
end program
#endif
! OUT: {{ 0 different}}
