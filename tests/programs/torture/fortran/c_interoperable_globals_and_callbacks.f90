! BIND(C) module variables and callbacks from the C library (qsort) into the rank's own code.
! ranks: 8 64
include 'checks.inc'

module sorting
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), bind(C, name='fortran_comparisons') :: comparisons = 0
  integer :: direction = 1
  interface
    subroutine qsort(base, count, width, compare) bind(C)
      import
      type(c_ptr), value :: base
      integer(c_size_t), value :: count, width
      type(c_funptr), value :: compare
    end subroutine
  end interface
contains
  integer(c_int) function compare(a, b) bind(C)
    integer(c_int), intent(in) :: a, b
    comparisons = comparisons + 1
    compare = direction * (merge(1, 0, a > b) - merge(1, 0, a < b))
  end function
end module

program interoperable
  use checks
  use sorting
  implicit none
  integer(c_int), target :: numbers(100)
  integer :: i
  call start()
  call check(comparisons == 0, 'fresh')
  direction = merge(1, -1, mod(rank, 2) == 0)
  call meet()
  numbers = [(mod(i * 37, 101), i = 1, 100)]
  call qsort(c_loc(numbers), 100_c_size_t, c_sizeof(numbers(1)), c_funloc(compare))
  if (mod(rank, 2) == 0) then
    call check(all(numbers == [(i, i = 1, 100)]), 'ascending in even ranks')
  else
    call check(all(numbers == [(i, i = 100, 1, -1)]), 'descending in odd ranks')
  end if
  call check(comparisons > 99, 'compared')
  call finish()
end program
