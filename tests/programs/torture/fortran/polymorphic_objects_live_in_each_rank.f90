! Type-bound procedures, allocatable polymorphic module variables, finalizers, procedure pointers:
! dispatch tables and procedure addresses belong to the rank's own image.
! ranks: 8 64
include 'checks.inc'

module shapes
  implicit none
  type, abstract :: shape
    integer :: owner = -1
  contains
    procedure(area_of), deferred :: area
    procedure :: double_area
  end type
  abstract interface
    double precision function area_of(this)
      import
      class(shape), intent(in) :: this
    end function
  end interface
  type, extends(shape) :: square
    double precision :: side = 1
  contains
    procedure :: area => area_of_square
    final :: square_is_gone
  end type
  type, extends(shape) :: circle
    double precision :: radius = 1
  contains
    procedure :: area => area_of_circle
  end type
  class(shape), allocatable :: current
  integer :: finalized = 0
  procedure(area_of), pointer :: measure => null()
contains
  double precision function area_of_square(this)
    class(square), intent(in) :: this
    area_of_square = this%side**2
  end function
  double precision function area_of_circle(this)
    class(circle), intent(in) :: this
    area_of_circle = 3 * this%radius**2
  end function
  double precision function double_area(this)
    class(shape), intent(in) :: this
    double_area = 2 * this%area()
  end function
  double precision function twice(this)
    class(shape), intent(in) :: this
    twice = 2 * this%area()
  end function
  double precision function thrice(this)
    class(shape), intent(in) :: this
    thrice = 3 * this%area()
  end function
  subroutine square_is_gone(this)
    type(square), intent(inout) :: this
    finalized = finalized + 1
    this%side = -1
  end subroutine
end module

program polymorphic
  use checks
  use shapes
  implicit none
  class(shape), allocatable :: copy
  integer :: before
  call start()
  call check(.not. allocated(current) .and. .not. associated(measure) .and. finalized == 0, 'fresh')
  if (mod(rank, 2) == 0) then
    allocate (current, source=square(rank, dble(rank)))
  else
    allocate (current, source=circle(rank, dble(rank)))
  end if
  call meet()
  select type (current)
  type is (square)
    call check(mod(rank, 2) == 0 .and. current%side == rank, 'a square in even ranks')
    measure => twice
  type is (circle)
    call check(mod(rank, 2) == 1 .and. current%radius == rank, 'a circle in odd ranks')
    measure => thrice
  end select
  call check(current%owner == rank, 'my shape')
  call check(current%double_area() == merge(2, 6, mod(rank, 2) == 0) * dble(rank)**2, 'its area')
  call meet()
  call check(measure(current) == merge(2, 3, mod(rank, 2) == 0) * current%area(), 'through a procedure pointer')
  allocate (copy, source=current)
  before = finalized
  deallocate (copy)
  call check_equal(finalized - before, merge(1, 0, mod(rank, 2) == 0), 'squares finalized')
  call finish()
end program
