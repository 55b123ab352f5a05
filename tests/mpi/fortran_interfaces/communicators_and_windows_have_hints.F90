! MPI_Comm_set_info, MPI_Comm_get_info, MPI_Win_set_info and MPI_Win_get_info.
! ranks: 2
#include "interfaces.inc"

program communicators_and_windows_have_hints
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n
  ASYNC(integer), target :: values(4)
  logical :: flag
  character(len=10) :: text
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Info) :: info, used
  HANDLE(MPI_Win) :: win
  call start()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'mpi_assert_no_any_source', 'true', ierr)
  call MPI_Comm_set_info(comm, info, ierr)
  call MPI_Comm_get_info(comm, used, ierr)
  n = 10
  call MPI_Info_get_string(used, 'mpi_assert_no_any_source', n, text, flag, ierr)
  call check(flag, 'the hint of a communicator is known')
  call check_equal(text, 'true', 'its value')
  call MPI_Info_free(used, ierr)
  call MPI_Win_create(values, 16_MPI_ADDRESS_KIND, 4, info, comm, win, ierr)
  call MPI_Info_set(info, 'no_locks', 'true', ierr)
  call MPI_Win_set_info(win, info, ierr)
  call MPI_Win_get_info(win, used, ierr)
  call check(used /= MPI_INFO_NULL, 'hints of a window')
  call MPI_Info_get_nkeys(used, n, ierr)
  call check(n > 0, 'a window knows hints')
  call MPI_Info_free(used, ierr)
  call MPI_Info_free(info, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Comm_free(comm, ierr)
  call finish()
end program
