! The five routines of ScaLAPACK and its BLACS that ELPA and its validation programs call in our tests: grids of
! processes, and how many rows a process owns. A context is the position of a grid in the rank's own table.
module process_grids
  use mpi
  implicit none
  type :: Grid
    integer :: rows = -1, columns = -1, row = -1, column = -1
  end type
  integer, parameter :: grids_max = 100
  type(Grid) :: grids(grids_max)
  integer :: grid_count = 0
end module

! On entry `context` is the communicator whose ranks form the grid.
subroutine blacs_gridinit(context, layout, rows, columns)
  use process_grids
  implicit none
  integer, intent(inout) :: context
  character, intent(in) :: layout
  integer, intent(in) :: rows, columns
  integer :: rank, ierror
  call MPI_Comm_rank(context, rank, ierror)
  if (grid_count == grids_max) error stop 'too many grids'
  grid_count = grid_count + 1
  context = grid_count
  if (rank >= rows * columns) return ! it is not in the grid
  if (layout == 'C' .or. layout == 'c') then
    grids(context) = Grid(rows, columns, mod(rank, rows), rank / rows)
  else
    grids(context) = Grid(rows, columns, rank / columns, mod(rank, columns))
  end if
end subroutine

subroutine blacs_gridinfo(context, rows, columns, row, column)
  use process_grids
  implicit none
  integer, intent(in) :: context
  integer, intent(out) :: rows, columns, row, column
  rows = grids(context)%rows
  columns = grids(context)%columns
  row = grids(context)%row
  column = grids(context)%column
end subroutine

subroutine blacs_gridexit(context)
  use process_grids
  implicit none
  integer, intent(in) :: context
  grids(context) = Grid()
end subroutine

! The number of rows of an n-row matrix that process `coordinate` of `processes` owns; the first block is at `first`.
integer function numroc(n, block, coordinate, first, processes)
  implicit none
  integer, intent(in) :: n, block, coordinate, first, processes
  integer :: i
  numroc = count([(mod((i - 1) / block + first, processes) == coordinate, i=1, n)])
end function

! The dense type of descriptor. `info` is minus the position of the first invalid argument.
subroutine descinit(descriptor, m, n, row_block, column_block, first_row, first_column, context, leading, info)
  use process_grids
  implicit none
  integer, intent(out) :: descriptor(9), info
  integer, intent(in) :: m, n, row_block, column_block, first_row, first_column, context, leading
  integer, external :: numroc
  info = 0
  if (leading < max(1, numroc(m, row_block, grids(context)%row, first_row, grids(context)%rows))) info = -9
  descriptor = [1, context, m, n, row_block, column_block, first_row, first_column, leading]
end subroutine
