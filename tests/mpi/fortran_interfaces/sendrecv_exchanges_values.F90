! MPI_Sendrecv and MPI_Sendrecv_replace send and receive in one call.
! ranks: 3
#include "interfaces.inc"

program sendrecv_exchanges_values
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: value, left, right, got(2)
  STATUS :: status
  call start()
  left = mod(rank + nranks - 1, nranks)
  right = mod(rank + 1, nranks)
  got = 0
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, 5, got, 2, MPI_INTEGER, left, 5, MPI_COMM_WORLD, status, ierr)
  call check_equal(got(1), left, 'from the left')
  call check_equal(SOURCE_OF(status), left, 'source')
  call MPI_Get_count(status, MPI_INTEGER, value, ierr)
  call check_equal(value, 1, 'count')
  value = 10 * rank
  call MPI_Sendrecv_replace(value, 1, MPI_INTEGER, left, 6, right, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 10 * right, 'from the right')
  call finish()
end program
