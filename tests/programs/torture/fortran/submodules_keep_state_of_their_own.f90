! Submodules, module procedures, and generic operators that count in module variables.
! ranks: 8 64
include 'checks.inc'

module money
  implicit none
  type amount
    integer :: cents = 0
  end type
  interface operator(+)
    module procedure add
  end interface
  interface
    module integer function next_number()
    end function
  end interface
  integer, protected :: additions = 0
contains
  type(amount) function add(a, b)
    type(amount), intent(in) :: a, b
    additions = additions + 1
    add%cents = a%cents + b%cents
  end function
end module

submodule (money) numbering
  implicit none
  integer :: last = 1000
contains
  module procedure next_number
    last = last + 1
    next_number = last
  end procedure
end submodule

program submodules
  use checks
  use money
  implicit none
  type(amount), save :: total = amount(5)
  integer :: i, number
  call start()
  call check(additions == 0 .and. total%cents == 5 .and. next_number() == 1001, 'fresh')
  do i = 1, rank
    total = total + amount(rank)
    number = next_number()
  end do
  call meet()
  call check(additions == rank .and. total%cents == 5 + rank**2, 'my total')
  call check_equal(next_number(), 1002 + rank, 'my number')
  call finish()
end program
