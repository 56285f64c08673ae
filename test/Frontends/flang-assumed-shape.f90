! Arrays of assumed shape have a stride in bytes for every dimension. Where the
! first one is the size of an element, products are those of other arrays;
! other sections, and reversed ones, take the loops of the source.
!
! RUN: %flang_dl -O2 -march=haswell -Rpass=dl-vectorize -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck %s --check-prefixes=REMARK%if llvm-22 %{,INLINE-REMARK%}
! RUN: FileCheck %s --input-file=%t.ll
! At -O3 flang tests the strides inside the loops, and has loops for both.
! RUN: %flang_dl -O3 -march=haswell -Rpass=dl-vectorize -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck %s --check-prefixes=REMARK%if llvm-22 %{,INLINE-REMARK%}
! RUN: FileCheck %s --input-file=%t.ll
! RUN: %flang_dl -O3 -march=native -c -o %t.dl.o %s
! RUN: %flang -O2 -DMAIN %if llvm-22 %{%} %else %{-DLIBRARY%} -cpp %s %t.dl.o -o %t && %t | FileCheck %s --check-prefix=OUT
! Code for wider vectors is chosen when the program runs, by assembly that flang by itself does not take.
! RUN: %flang_dl -O3 -c -o %t.dl.o %s
! RUN: %flang -O2 -DMAIN %if llvm-22 %{%} %else %{-DLIBRARY%} -cpp %s %t.dl.o -o %t && %t | FileCheck %s --check-prefix=OUT
! RUN: %flang_dl -O3 -fno-version-loops-for-stride -march=native -c -o %t.dl.o %s
! RUN: %flang -O2 -DMAIN %if llvm-22 %{%} %else %{-DLIBRARY%} -cpp %s %t.dl.o -o %t && %t | FileCheck %s --check-prefix=OUT
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

! REMARK: matmul.nn f64{{.*}}kernel number 3
! CHECK-LABEL: define {{.*}}@local_sum(
! CHECK:         call {{.*}}@dl.matmul.nn.f64.
subroutine local_sum(a, b, c) bind(c)
  real(8), intent(in) :: a(:, :), b(:, :)
  real(8), intent(inout) :: c(:, :)
  real(8) :: s
  integer :: i, j, l
  do i = 1, size(c, 1)
    do j = 1, size(c, 2)
      s = 0
      do l = 1, size(a, 2)
        s = s + a(i, l) * b(l, j)
      end do
      c(i, j) = s
    end do
  end do
end subroutine

! REMARK: matmul.nn f32{{.*}}kernel number 4
! CHECK-LABEL: define {{.*}}@concurrent_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine concurrent(a, b, c)
  real, intent(in) :: a(:, :), b(:, :)
  real, intent(inout) :: c(:, :)
  integer :: i, j, l
  do concurrent (j = 1:size(c, 2), i = 1:size(c, 1))
    c(i, j) = 0
    do l = 1, size(a, 2)
      c(i, j) = c(i, j) + a(i, l) * b(l, j)
    end do
  end do
end subroutine

! The bounds of sections are maxima that are computed in the loops.
! REMARK: matmul.nn f32{{.*}}kernel number 5
! CHECK-LABEL: define {{.*}}@sections_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.0
subroutine sections(a, b, c)
  real, intent(in) :: a(:, :), b(:, :)
  real, intent(inout) :: c(:, :)
  integer :: j, l
  do j = 1, size(c, 2)
    do l = 1, size(a, 2)
      c(:, j) = c(:, j) + a(:, l) * b(l, j)
    end do
  end do
end subroutine

! REMARK: matmul.nn f32{{.*}}kernel number 6
! CHECK-LABEL: define {{.*}}@dots_(
! CHECK:         call {{.*}}@dl.matmul.nn.f32.
subroutine dots(a, b, c)
  real, intent(in) :: a(:, :), b(:, :)
  real, intent(inout) :: c(:, :)
  integer :: i, j
  do j = 1, size(c, 2)
    do i = 1, size(c, 1)
      c(i, j) = dot_product(a(i, :), b(:, j))
    end do
  end do
end subroutine

! matmul of the language is such loops, too.
! (LLVM 19's flang calls its library for it, which adds in another order.)
! INLINE-REMARK: matmul.nn f32{{.*}}kernel number 7
! CHECK-LABEL: define {{.*}}@intrinsic_(
subroutine intrinsic(a, b, c)
  real, intent(in) :: a(:, :), b(:, :)
  real, intent(inout) :: c(:, :)
  c = matmul(a, b)
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
    subroutine local_sum(a, b, c) bind(c)
      real(8), intent(in) :: a(:, :), b(:, :)
      real(8), intent(inout) :: c(:, :)
    end subroutine
    subroutine concurrent(a, b, c)
      real, intent(in) :: a(:, :), b(:, :)
      real, intent(inout) :: c(:, :)
    end subroutine
    subroutine sections(a, b, c)
      real, intent(in) :: a(:, :), b(:, :)
      real, intent(inout) :: c(:, :)
    end subroutine
    subroutine dots(a, b, c)
      real, intent(in) :: a(:, :), b(:, :)
      real, intent(inout) :: c(:, :)
    end subroutine
    subroutine intrinsic(a, b, c)
      real, intent(in) :: a(:, :), b(:, :)
      real, intent(inout) :: c(:, :)
    end subroutine
  end interface
  type pair
    real :: x, y
  end type
  real, allocatable :: a(:, :), b(:, :), c(:, :), d(:, :)
  real, allocatable :: e(:, :), f(:, :)
  real(8), allocatable :: a8(:, :), b8(:, :), c8(:, :), d8(:, :)
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
    ! Columns of a and rows of b in descending order: the sums are others.
    allocate(e(n, n + 3), f(n + 3, n + 1))
    e = a(:, n + 3:1:-1)
    f = b(n + 3:1:-1, :)
    call sum_in_memory(e, f, c)
    call sum_in_memory(a(:, n + 3:1:-1), b(n + 3:1:-1, :), d(1:n, 1:n + 1))
    different = different + count(c /= d(1:n, 1:n + 1))
    call sum_in_memory(e, b(n + 3:1:-1, :), d(1:n, n + 1:1:-1))
    different = different + count(c /= d(1:n, n + 1:1:-1))
    call concurrent(e, f, d(1:n, 1:n + 1))
    different = different + count(c /= d(1:n, 1:n + 1))
    call dots(e, f, d(1:n, 1:n + 1))
    different = different + count(c /= d(1:n, 1:n + 1))
    call dots(a(:, n + 3:1:-1), f, d(1::2, 1::2))
    different = different + count(c /= d(1::2, 1::2))
    d = 0
    call sections(e, f, d(1:n, 1:n + 1))
    different = different + count(c /= d(1:n, 1:n + 1))
#ifndef LIBRARY
    call intrinsic(e, f, d(1:n, 1:n + 1))
    different = different + count(c /= d(1:n, 1:n + 1))
#endif
    allocate(a8(n, n + 3), b8(n + 3, n + 1), c8(n, n + 1), d8(n + 1, n + 1))
    a8 = a
    b8 = b
    call local_sum(a8, b8, c8)
    call local_sum(a8, b8, d8(1:n, :))
    different = different + count(c8 /= d8(1:n, :))
    call local_sum(a8(n:1:-1, :), b8, d8(n:1:-1, :))
    different = different + count(c8 /= d8(1:n, :))
    deallocate(a, b, c, d, e, f, p, a8, b8, c8, d8)
  end do
  print *, different, 'different'
end program
#endif
! OUT: {{ 0 different}}
