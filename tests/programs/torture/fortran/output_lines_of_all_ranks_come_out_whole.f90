! PRINT and WRITE(*): lines of different ranks do not mix; output without FLUSH or newline is not lost.
! ranks: 8 64
! expect: ^rank +7 line +1 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz end$
! expect: ^rank +0 line +50 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz end$
! expect: ^no newline of rank 7 *$
! expect-not: ^rank.*(rank|end.)
! expect-not: ^[^rnu]
include 'checks.inc'

program output
  use checks
  use, intrinsic :: iso_fortran_env, only: output_unit
  implicit none
  integer :: i
  call start()
  do i = 1, 50
    print '(a, i4, a, i4, 3a)', 'rank', rank, ' line', i, ' abcdefghijklmnopqrstuvwxyz', &
      'abcdefghijklmnopqrstuvwxyz', ' end'
    if (mod(i, 20) == 0) call meet()
  end do
  flush (output_unit)
  call meet()
  if (rank == 7) write (*, '(a, i0)', advance='no') 'no newline of rank ', rank
  call finish()
end program
