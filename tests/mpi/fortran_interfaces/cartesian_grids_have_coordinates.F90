! MPI_Dims_create, MPI_Cart_create, MPI_Cartdim_get, MPI_Cart_get, MPI_Cart_coords and MPI_Cart_rank.
! ranks: 6
#include "interfaces.inc"

program cartesian_grids_have_coordinates
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: dims(2), coords(2), n
  logical :: periods(2)
  HANDLE(MPI_Comm) :: grid
  call start()
  dims = [0, 2]
  call MPI_Dims_create(nranks, 2, dims, ierr)
  call check(all(dims == [3, 2]), 'dimensions')
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid, ierr)
  call MPI_Cartdim_get(grid, n, ierr)
  call check_equal(n, 2, 'number of dimensions')
  dims = 0
  call MPI_Cart_get(grid, 2, dims, periods, coords, ierr)
  call check(all(dims == [3, 2]), 'dimensions of the grid')
  call check(all(periods .eqv. [.true., .false.]), 'periods')
  call check(all(coords == [rank / 2, mod(rank, 2)]), 'coordinates')
  call MPI_Cart_coords(grid, 5, 2, coords, ierr)
  call check(all(coords == [2, 1]), 'coordinates of rank 5')
  call MPI_Cart_rank(grid, [4, 1], n, ierr)
  call check_equal(n, 3, 'rank in a periodic dimension')
  call MPI_Comm_free(grid, ierr)
  call finish()
end program
