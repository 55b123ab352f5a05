! MPI_Comm_attach_buffer, MPI_Comm_flush_buffer, MPI_Comm_iflush_buffer and MPI_Comm_detach_buffer.
! ranks: 2
#include "interfaces.inc"

program communicators_have_buffers_of_their_own
  use checks
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
#include "mpi_declarations.inc"
  integer, target :: room(500)
  integer :: value, n
  POINTER :: address
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Request) :: request
  call start()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_attach_buffer(comm, room, 2000, ierr)
  value = 5 + rank
  call MPI_Bsend(value, 1, MPI_INTEGER, 1 - rank, 0, comm, ierr)
  call MPI_Recv(value, 1, MPI_INTEGER, 1 - rank, 0, comm, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 6 - rank, 'value')
  call MPI_Comm_flush_buffer(comm, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'flush')
  call MPI_Comm_iflush_buffer(comm, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Comm_detach_buffer(comm, address, n, ierr)
  call check_equal(n, 2000, 'size')
  call MPI_Comm_free(comm, ierr)
  call finish()
end program
