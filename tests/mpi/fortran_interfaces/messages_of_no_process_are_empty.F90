! MPI_PROC_NULL: sends and receives end at once, and the status is an empty one.
! ranks: 1
#include "interfaces.inc"

program messages_of_no_process_are_empty
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: value, n
  STATUS :: status
  HANDLE(MPI_Request) :: request
  call start()
  value = 6
  call MPI_Send(value, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, ierr)
  call MPI_Recv(value, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, status, ierr)
  call check_equal(SOURCE_OF(status), MPI_PROC_NULL, 'source')
  call check_equal(TAG_OF(status), MPI_ANY_TAG, 'tag')
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call check_equal(n, 0, 'count')
  call MPI_Irecv(value, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, status, ierr)
  call check_equal(SOURCE_OF(status), MPI_PROC_NULL, 'source')
  call check_equal(value, 6, 'value')
  call finish()
end program
