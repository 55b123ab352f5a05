! MPI_Session_attach_buffer serves the communicators of its session.
! ranks: 2
#include "interfaces.inc"

program sessions_have_buffers_of_their_own
  use checks
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
#include "mpi_declarations.inc"
  integer, target :: room(500)
  integer :: value, n
  POINTER :: address
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Group) :: group
  HANDLE(MPI_Request) :: request
  HANDLE(MPI_Session) :: session
  call start()
  call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session, ierr)
  call MPI_Group_from_session_pset(session, 'mpi://WORLD', group, ierr)
  call MPI_Comm_create_from_group(group, 'fortran', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm, ierr)
  call MPI_Session_attach_buffer(session, room, 2000, ierr)
  value = 5 + rank
  call MPI_Bsend(value, 1, MPI_INTEGER, 1 - rank, 0, comm, ierr)
  call MPI_Recv(value, 1, MPI_INTEGER, 1 - rank, 0, comm, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 6 - rank, 'value')
  call MPI_Session_flush_buffer(session, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'flush')
  call MPI_Session_iflush_buffer(session, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Session_detach_buffer(session, address, n, ierr)
  call check_equal(n, 2000, 'size')
  call MPI_Comm_free(comm, ierr)
  call MPI_Group_free(group, ierr)
  call MPI_Session_finalize(session, ierr)
  call check(session == MPI_SESSION_NULL, 'the session is null')
  call finish()
end program
