! Initial values that are addresses: pointers to variables and procedures, in modules, types and DATA.
! ranks: 8 64
include 'checks.inc'

module targets
  implicit none
  integer, target :: numbers(4) = [10, 20, 30, 40]
  integer, target, save :: one = 1
  integer, pointer :: to_one => one
  integer, pointer :: to_third => numbers(3)
  type handle
    integer, pointer :: value => one
    procedure(doubled), pointer, nopass :: change => doubled
  end type
  type(handle) :: handles(2)
  procedure(doubled), pointer :: operation => doubled
contains
  integer function doubled(n)
    integer, intent(in) :: n
    doubled = 2 * n + one - 1
  end function
end module

program initial_addresses
  use checks
  use targets
  implicit none
  call start()
  call check(associated(to_one, one) .and. associated(to_third, numbers(3)), 'pointers to my variables')
  call check(associated(handles(2)%value, one) .and. handles(1)%change(4) == 8, 'in types')
  call check(associated(operation, doubled) .and. operation(3) == 6, 'pointer to my procedure')
  one = rank + 1
  numbers = rank
  call meet()
  call check(to_one == rank + 1 .and. to_third == rank .and. handles(1)%value == rank + 1, 'my values')
  call check(handles(2)%change(4) == 8 + rank .and. operation(3) == 6 + rank, 'my procedure sees my values')
  call finish()
end program
