! MPI_Rput, MPI_Rget, MPI_Raccumulate and MPI_Rget_accumulate.
! ranks: 2
#include "interfaces.inc"

program accesses_to_windows_have_requests
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer), target :: memory(4)
  ASYNC(integer) :: values(2), got, old
  integer(kind=MPI_ADDRESS_KIND) :: place
  HANDLE(MPI_Request) :: requests(2), request
  HANDLE(MPI_Win) :: win
  call start()
  memory = [1, 2, 3, 4]
  call MPI_Win_create(memory, 4_MPI_ADDRESS_KIND * integer_bytes, integer_bytes, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  values = [50 + rank, 7]
  place = 0
  call MPI_Rput(values, 1, MPI_INTEGER, 1 - rank, place, 1, MPI_INTEGER, win, requests(1), ierr)
  place = 1
  call MPI_Raccumulate(values(2), 1, MPI_INTEGER, 1 - rank, place, 1, MPI_INTEGER, MPI_SUM, win, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  place = 2
  call MPI_Rget(got, 1, MPI_INTEGER, 1 - rank, place, 1, MPI_INTEGER, win, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check_equal(got, 3, 'got')
  place = 3
  call MPI_Rget_accumulate(values(2), 1, MPI_INTEGER, old, 1, MPI_INTEGER, 1 - rank, place, 1, MPI_INTEGER, MPI_PROD, win, &
                           request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check_equal(old, 4, 'old value')
  call MPI_Win_unlock_all(win, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_F_sync_reg(memory)
  call check(all(memory == [51 - rank, 9, 3, 28]), 'memory')
  call MPI_Win_free(win, ierr)
  call finish()
end program
