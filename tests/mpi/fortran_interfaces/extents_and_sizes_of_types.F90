! MPI_Type_size, MPI_Type_get_extent, MPI_Type_get_true_extent and their forms with MPI_COUNT_KIND.
! ranks: 1
#include "interfaces.inc"

program extents_and_sizes_of_types
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n
  integer(kind=MPI_ADDRESS_KIND) :: lb, extent
  integer(kind=MPI_COUNT_KIND) :: big, wide_lb
  HANDLE(MPI_Datatype) :: indexed, resized
  call start()
  call MPI_Type_indexed(2, [1, 2], [2, 5], MPI_INTEGER, indexed, ierr)
  lb = 0
  extent = 10 * integer_bytes
  call MPI_Type_create_resized(indexed, lb, extent, resized, ierr)
  call MPI_Type_size(resized, n, ierr)
  call check(n == 3 * integer_bytes, 'size')
  call MPI_Type_get_extent(resized, lb, extent, ierr)
  call check_equal(lb, 0, 'lower bound')
  call check(extent == 10 * integer_bytes, 'extent')
  call MPI_Type_get_true_extent(resized, lb, extent, ierr)
  call check(lb == 2 * integer_bytes, 'true lower bound')
  call check(extent == 5 * integer_bytes, 'true extent')
  call MPI_Type_size_x(resized, big, ierr)
  call check(big == 3 * integer_bytes, 'size')
  call MPI_Type_get_extent_x(indexed, wide_lb, big, ierr)
  call check(wide_lb == 2 * integer_bytes, 'lower bound of the old type')
  call check(big == 5 * integer_bytes, 'extent of the old type')
  call MPI_Type_get_true_extent_x(resized, wide_lb, big, ierr)
  call check(wide_lb + big == 7 * integer_bytes, 'true upper bound')
  call MPI_Type_free(indexed, ierr)
  call MPI_Type_free(resized, ierr)
  call finish()
end program
