! SAVE and DATA: local variables that live on between calls, in every rank from their first value.
! ranks: 8 64
include 'checks.inc'

module counting
  implicit none
contains
  integer function next()
    integer, save :: calls = 100
    calls = calls + 1
    next = calls
  end function

  integer function sum_of_table(add)
    integer, intent(in) :: add
    integer :: table(10), i
    logical :: first
    data table /10*7/, first /.true./
    save
    if (first) then
      first = .false.
    else
      table = table + add
    end if
    sum_of_table = 0
    do i = 1, size(table)
      sum_of_table = sum_of_table + table(i)
    end do
  end function

  recursive integer function deepest(n) result(depth)
    integer, intent(in) :: n
    integer, save :: maximum = 0
    maximum = max(maximum, n)
    if (n < 5) then
      depth = deepest(n + 1)
    else
      depth = maximum
      maximum = maximum + 1000
    end if
  end function
end module

program saved_variables
  use checks
  use counting
  implicit none
  integer :: i, last
  character(len=4), save :: word = 'abcd'
  integer, save :: untouched
  call start()
  call check_equal(next(), 101, 'the first number')
  call check_equal(sum_of_table(1), 70, 'the fresh table')
  call check_equal(deepest(1), 5, 'the deepest call')
  call check(word == 'abcd' .and. untouched == 0, 'variables of the program are fresh')
  word(1:1) = achar(iachar('a') + mod(rank, 26))
  untouched = rank
  do i = 1, rank
    last = next()
  end do
  call meet()
  call check_equal(next(), 102 + rank, 'the number after mine')
  call check_equal(sum_of_table(rank), 70 + 10 * rank, 'my table')
  call check_equal(deepest(1), 1005, 'my maximum')
  call check(word == achar(iachar('a') + mod(rank, 26)) // 'bcd' .and. untouched == rank, 'mine')
  call finish()
end program
