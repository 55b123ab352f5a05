! A module with state for modules_in_other_files_are_private.f90.
module stock
  implicit none
  integer :: amount = 12
  integer :: items(3) = [1, 2, 3]
  integer, allocatable :: orders(:)
contains
  subroutine restock(by)
    integer, intent(in) :: by
    amount = amount + by
    allocate (orders(by + 1))
    orders = by
  end subroutine
end module
