! Blank and named COMMON, initialised by BLOCK DATA or not, are each rank's own.
! ranks: 8 64
include 'checks.inc'

block data initial
  implicit none
  integer :: counters(4)
  real :: scale
  character(len=8) :: word
  common /named/ counters, scale, word
  data counters /1, 2, 3, 4/, scale /0.5/, word /'fresh'/
end block data

subroutine change(by)
  implicit none
  integer, intent(in) :: by
  integer :: numbers(4), blank(1000)
  real :: factor
  character(len=8) :: text
  common /named/ numbers, factor, text
  common blank
  numbers = numbers + by
  factor = factor * real(by + 1)
  write (text, '(i8.8)') by
  blank = blank + by
end subroutine

program common_blocks
  use checks
  implicit none
  integer :: counters(4), first, rest(999), bss(100000)
  real :: scale
  character(len=8) :: word, expected
  common /named/ counters, scale, word
  common first, rest
  common /uninitialised/ bss
  call start()
  call check(all(counters == [1, 2, 3, 4]), 'counters are fresh')
  call check(scale == 0.5 .and. word == 'fresh', 'scale and word are fresh')
  call check(first == 0 .and. all(rest == 0) .and. all(bss == 0), 'uninitialised blocks are zero')
  call change(rank)
  bss = rank
  call meet()
  call check(all(counters == [1, 2, 3, 4] + rank), 'counters are mine')
  write (expected, '(i8.8)') rank
  call check(scale == 0.5 * real(rank + 1) .and. word == expected, 'scale and word are mine')
  call check(first == rank .and. all(rest == rank) .and. all(bss == rank), 'blank COMMON is mine')
  call finish()
end program
