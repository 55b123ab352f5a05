! MPI_Isendrecv and MPI_Isendrecv_replace are complete when their request is.
! ranks: 3
#include "interfaces.inc"

program nonblocking_sendrecv_exchanges_values
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine, got, value
  integer :: left, right
  HANDLE(MPI_Request) :: requests(2)
  STATUSES(2) :: statuses
  call start()
  left = mod(rank + nranks - 1, nranks)
  right = mod(rank + 1, nranks)
  mine = rank
  value = 10 * rank
  call MPI_Isendrecv(mine, 1, MPI_INTEGER, right, 5, got, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isendrecv_replace(value, 1, MPI_INTEGER, left, 6, right, 6, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, statuses, ierr)
  call check_equal(got, left, 'from the left')
  call check_equal(value, 10 * right, 'from the right')
  call check_equal(SOURCE_OF_NTH(statuses, 1), left, 'source')
  call check_equal(TAG_OF_NTH(statuses, 2), 6, 'tag')
  call finish()
end program
