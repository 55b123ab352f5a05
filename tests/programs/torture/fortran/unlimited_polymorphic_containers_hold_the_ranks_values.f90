! CLASS(*) in a saved list, SELECT TYPE over intrinsic and derived types.
! ranks: 8 64
include 'checks.inc'

module container
  implicit none
  type node
    class(*), allocatable :: value
    type(node), pointer :: next => null()
  end type
  type point
    real :: x = 0.5, y = 1.5
  end type
  type(node), pointer :: first => null()
contains
  subroutine push(value)
    class(*), intent(in) :: value
    type(node), pointer :: new
    allocate (new)
    allocate (new%value, source=value)
    new%next => first
    first => new
  end subroutine
end module

program containers
  use checks
  use container
  implicit none
  type(node), pointer :: it
  integer :: integers, points, words
  call start()
  call check(.not. associated(first), 'an empty list')
  call push(rank)
  call push(point(y=real(rank)))
  call push(repeat('w', rank + 1))
  call meet()
  call push(-rank)
  integers = 0
  points = 0
  words = 0
  it => first
  do while (associated(it))
    select type (value => it%value)
    type is (integer)
      call check(abs(value) == rank, 'my integers')
      integers = integers + 1
    type is (point)
      call check(value%x == 0.5 .and. value%y == real(rank), 'my point')
      points = points + 1
    type is (character(*))
      call check(len(value) == rank + 1, 'my word')
      words = words + 1
    class default
      call check(.false., 'a type of this list')
    end select
    it => it%next
  end do
  call check(integers == 2 .and. points == 1 .and. words == 1, 'all of them, and no others')
  call finish()
end program
