! Allocatable module variables: unallocated at first, of another size in each rank, moved and freed.
! ranks: 8 64
include 'checks.inc'

module fields
  implicit none
  type cell
    integer, allocatable :: members(:)
  end type
  double precision, allocatable :: grid(:, :)
  type(cell), allocatable :: cells(:)
  character(len=:), allocatable :: label
  integer, allocatable, target :: anchored(:)
  integer, pointer :: view(:) => null()
end module

program allocatable_arrays
  use checks
  use fields
  implicit none
  double precision, allocatable :: taken(:, :)
  integer :: i, round
  call start()
  do round = 1, 2
    call check(.not. (allocated(grid) .or. allocated(cells) .or. allocated(label)), 'unallocated')
    allocate (grid(rank + 1, 3), cells(rank + 2))
    grid = rank
    do i = 1, size(cells)
      cells(i)%members = [(i * rank, i = 1, rank)]
    end do
    label = repeat('x', rank)
    call meet()
    call check(all(shape(grid) == [rank + 1, 3]) .and. all(grid == rank), 'my grid')
    call check(size(cells) == rank + 2 .and. size(cells(1)%members) == rank, 'my cells')
    call check(sum(cells(2)%members) == rank * (rank * (rank + 1)) / 2, 'their members')
    call check(len(label) == rank, 'my label')
    call move_alloc(grid, taken)
    call meet()
    call check(.not. allocated(grid) .and. size(taken) == 3 * (rank + 1), 'moved')
    deallocate (taken, cells, label)
  end do
  allocate (anchored(rank + 1))
  anchored = rank
  view => anchored
  call meet()
  call check(associated(view, anchored) .and. all(view == rank), 'my view')
  ! Growing by assignment reallocates, to other sizes in other ranks.
  do i = 1, 50
    anchored = [anchored, i]
  end do
  call check(size(anchored) == rank + 51 .and. anchored(rank + 51) == 50, 'grown')
  call finish()
end program
