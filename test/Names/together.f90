! Whole arrays, whose loops and scalars are named together.
! TEETH: dl-prepare
! RUN: %flang_dl -O2 -g -Rpass-analysis=dl-recognize -S -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s
! flang 19 leaves sums and maxima to functions of their own.
! REQUIRES: flang, llvm-22
! CHECK-DAG: kernel: softmax f32
subroutine softmax(n, x, y)
  integer :: n
  real :: x(n), y(n)
  y = exp(x - maxval(x))
  y = y / sum(y)
end subroutine
! CHECK-DAG: kernel: mse f32
real function mse(n, a, b)
  integer :: n
  real :: a(n), b(n)
  mse = sum((a - b)**2) / n
end function
! CHECK-DAG: kernel: rmsnorm f32, loop 2 of 2
subroutine rmsnorm(n, x, w, y)
  integer :: n
  real :: x(n), w(n), y(n)
  y = x * w / sqrt(sum(x * x) / n + 1e-5)
end subroutine
! CHECK-DAG: kernel: layernorm f32, loop 3 of 3
subroutine layernorm(n, x, g, b, y)
  integer :: n
  real :: x(n), g(n), b(n), y(n), mu, var
  mu = sum(x) / n
  var = sum((x - mu)**2) / n
  y = (x - mu) / sqrt(var + 1e-5) * g + b
end subroutine
