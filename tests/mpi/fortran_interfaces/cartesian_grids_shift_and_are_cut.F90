! MPI_Cart_shift, MPI_Cart_sub and MPI_Cart_map.
! ranks: 6
#include "interfaces.inc"

program cartesian_grids_shift_and_are_cut
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: from, to, n, place
  HANDLE(MPI_Comm) :: grid, row
  call start()
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [3, 2], [.true., .false.], .false., grid, ierr)
  call MPI_Cart_shift(grid, 0, 1, from, to, ierr)
  call check_equal(to, mod(rank + 2, 6), 'below')
  call check_equal(from, mod(rank + 4, 6), 'above')
  call MPI_Cart_shift(grid, 1, 1, from, to, ierr)
  call check_equal(to, merge(rank + 1, MPI_PROC_NULL, mod(rank, 2) == 0), 'right')
  call check_equal(from, merge(MPI_PROC_NULL, rank - 1, mod(rank, 2) == 0), 'left')
  call MPI_Cart_sub(grid, [.false., .true.], row, ierr)
  call MPI_Comm_size(row, n, ierr)
  call MPI_Comm_rank(row, place, ierr)
  call check_equal(n, 2, 'length of a row')
  call check_equal(place, mod(rank, 2), 'place in the row')
  call MPI_Cart_map(MPI_COMM_WORLD, 2, [2, 2], [.false., .false.], n, ierr)
  call check((n == MPI_UNDEFINED) .or. (n >= 0 .and. n < 4), 'mapped')
  call MPI_Comm_free(row, ierr)
  call MPI_Comm_free(grid, ierr)
  call finish()
end program
