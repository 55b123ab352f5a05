! MPI_Win_create_dynamic, MPI_Win_attach, MPI_Win_detach, MPI_Win_lock_all, MPI_Win_flush_all, MPI_Win_flush_local_all and
! MPI_Win_unlock_all.
! ranks: 2
#include "interfaces.inc"

program memory_is_attached_to_dynamic_windows
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer), target :: memory(5)
  ASYNC(integer) :: value
  integer(kind=MPI_ADDRESS_KIND) :: mine, theirs, bytes
  HANDLE(MPI_Win) :: win
  call start()
  memory = 0
  call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  bytes = 5 * integer_bytes
  call MPI_Win_attach(win, memory, bytes, ierr)
  call MPI_Get_address(memory(3), mine, ierr)
  call MPI_Sendrecv(mine, 1, MPI_AINT, 1 - rank, 0, theirs, 1, MPI_AINT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  value = 7 + rank
  call MPI_Win_lock_all(0, win, ierr)
  call MPI_Put(value, 1, MPI_INTEGER, 1 - rank, theirs, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_flush_local_all(win, ierr)
  call MPI_Win_flush_all(win, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_F_sync_reg(memory)
  call check_equal(memory(3), 8 - rank, 'value')
  call check_equal(sum(memory), 8 - rank, 'nothing else')
  call MPI_Win_detach(win, memory, ierr)
  call MPI_Win_free(win, ierr)
  call finish()
end program
