! gemm.f90 - multiplies two matrices, the way it is taught.
!
! Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Prints the time, the speed and the sum of the result.

! C = A * B; A is m x k, B is k x n, all column by column.
subroutine matmul_by_loops(m, n, k, a, b, c)
  implicit none
  integer, intent(in) :: m, n, k
  real, intent(in) :: a(m, k), b(k, n)
  real, intent(out) :: c(m, n)
  integer :: i, j, l
  real :: s
  do j = 1, n
    do i = 1, m
      s = 0
      do l = 1, k
        s = s + a(i, l) * b(l, j)
      end do
      c(i, j) = s
    end do
  end do
end subroutine

program gemm
  implicit none
  integer, parameter :: m = 512, n = 480, k = 448
  real, allocatable :: a(:, :), b(:, :), c(:, :)
  real :: start, finish
  integer :: i, j
  allocate (a(m, k), b(k, n), c(m, n))
  do j = 1, k
    do i = 1, m
      a(i, j) = real(mod(7 * i + 3 * j, 17) - 8) / 8
    end do
  end do
  do j = 1, n
    do i = 1, k
      b(i, j) = real(mod(5 * i + 11 * j, 19) - 9) / 8
    end do
  end do
  call cpu_time(start)
  call matmul_by_loops(m, n, k, a, b, c)
  call cpu_time(finish)
  print '(a, 3(1x, i0))', 'shape   ', m, n, k
  print '(a, f14.4)', 'sum     ', sum(c)
  print '(a, f10.3)', 'ms      ', (finish - start) * 1e3
  print '(a, f10.2)', 'GFLOP/s ', 2e-9 * m * n * k / max(finish - start, 1e-6)
end program
