! MPI_Cancel ends a receive without a message; MPI_Test_cancelled returns it.
! ranks: 2
#include "interfaces.inc"

program receives_are_cancelled
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: value
  logical :: flag
  HANDLE(MPI_Request) :: request
  STATUS :: status
  call start()
  value = 7
  call MPI_Irecv(value, 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, request, ierr)
  call MPI_Cancel(request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call check(flag, 'cancelled')
  call check_equal(value, 7, 'value')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 3, value, 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, status, ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call check(.not. flag, 'not cancelled')
  call check_equal(value, 1 - rank, 'value')
  call finish()
end program
