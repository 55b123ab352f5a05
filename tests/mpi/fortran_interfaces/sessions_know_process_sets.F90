! MPI_Session_init, MPI_Session_get_info, MPI_Session_get_num_psets, MPI_Session_get_nth_pset, MPI_Session_get_pset_info,
! MPI_Group_from_session_pset, MPI_Comm_create_from_group and MPI_Session_finalize.
! ranks: 2
#include "interfaces.inc"

program sessions_know_process_sets
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: i, n, length, value
  character(len=MPI_MAX_PSET_NAME_LEN) :: name
  character(len=20) :: text
  logical :: flag, found
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Group) :: group
  HANDLE(MPI_Info) :: info
  HANDLE(MPI_Session) :: session
  call start()
  call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session, ierr)
  call MPI_Session_get_info(session, info, ierr)
  length = 20
  call MPI_Info_get_string(info, 'thread_level', length, text, flag, ierr)
  call check(flag, 'the thread level is known')
  call MPI_Info_free(info, ierr)
  call MPI_Session_get_num_psets(session, MPI_INFO_NULL, n, ierr)
  call check(n >= 2, 'sets')
  found = .false.
  do i = 0, n - 1
    length = MPI_MAX_PSET_NAME_LEN
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, length, name, ierr)
    if (name == 'mpi://SELF') found = .true.
  end do
  call check(found, 'SELF is one of them')
  call MPI_Session_get_pset_info(session, 'mpi://WORLD', info, ierr)
  length = 20
  call MPI_Info_get_string(info, 'mpi_size', length, text, flag, ierr)
  call check_equal(text, '2', 'size of the world')
  call MPI_Info_free(info, ierr)
  call MPI_Group_from_session_pset(session, 'mpi://WORLD', group, ierr)
  call MPI_Comm_create_from_group(group, 'world', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm, ierr)
  call MPI_Allreduce(rank, value, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
  call check_equal(value, 1, 'sum')
  call MPI_Comm_free(comm, ierr)
  call MPI_Group_free(group, ierr)
  call MPI_Session_finalize(session, ierr)
  call check(session == MPI_SESSION_NULL, 'the session is null')
  call finish()
end program
