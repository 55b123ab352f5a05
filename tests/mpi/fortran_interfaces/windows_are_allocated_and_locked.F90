! MPI_Win_allocate, MPI_Win_lock, MPI_Win_unlock, MPI_Win_flush, MPI_Win_flush_local and MPI_Win_sync.
! ranks: 3
#include "interfaces.inc"

program windows_are_allocated_and_locked
  use checks
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
#include "mpi_declarations.inc"
  POINTER :: address
  integer, pointer :: memory(:)
  ASYNC(integer) :: one, got
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place
  HANDLE(MPI_Win) :: win
  call start()
  bytes = 10 * integer_bytes
  call MPI_Win_allocate(bytes, integer_bytes, MPI_INFO_NULL, MPI_COMM_WORLD, address, win, ierr)
  call c_f_pointer(C_POINTER(address), memory, [10])
  memory = 0
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  place = 5
  one = rank + 1
  call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win, ierr)
  call MPI_Accumulate(one, 1, MPI_INTEGER, 0, place, 1, MPI_INTEGER, MPI_SUM, win, ierr)
  call MPI_Win_flush_local(0, win, ierr)
  call MPI_Win_flush(0, win, ierr)
  call MPI_Win_unlock(0, win, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win, ierr)
  call MPI_Win_sync(win, ierr)
  call MPI_Get(got, 1, MPI_INTEGER, 0, place, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_unlock(0, win, ierr)
  call check_equal(got, 6, 'sum')
  call MPI_Win_free(win, ierr)
  call finish()
end program
