! MPI_Win_create, MPI_Win_fence, MPI_Put, MPI_Get, MPI_Accumulate, MPI_Win_get_group and MPI_Win_free.
! ranks: 3
#include "interfaces.inc"

program windows_are_created_and_fenced
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer), target :: memory(4)
  ASYNC(integer) :: origin(2), got
  integer(kind=MPI_ADDRESS_KIND) :: place
  integer :: right, n
  HANDLE(MPI_Group) :: group
  HANDLE(MPI_Win) :: win
  call start()
  right = mod(rank + 1, 3)
  memory = [0, 0, 100 * rank, 1]
  call MPI_Win_create(memory, 4_MPI_ADDRESS_KIND * integer_bytes, integer_bytes, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_get_group(win, group, ierr)
  call MPI_Group_size(group, n, ierr)
  call check_equal(n, 3, 'size of the group')
  call MPI_Group_free(group, ierr)
  origin = [rank, 10 * rank]
  call MPI_Win_fence(MPI_MODE_NOPRECEDE, win, ierr)
  place = 0
  call MPI_Put(origin, 2, MPI_INTEGER, right, place, 2, MPI_INTEGER, win, ierr)
  place = 2
  call MPI_Get(got, 1, MPI_INTEGER, right, place, 1, MPI_INTEGER, win, ierr)
  place = 3
  call MPI_Accumulate(origin, 1, MPI_INTEGER, 0, place, 1, MPI_INTEGER, MPI_SUM, win, ierr)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr)
  call check_equal(memory(2), 10 * mod(rank + 2, 3), 'put')
  call check_equal(got, 100 * right, 'got')
  call check_equal(memory(4), merge(4, 1, rank == 0), 'accumulated')
  call MPI_Win_free(win, ierr)
  call check(win == MPI_WIN_NULL, 'a free window is null')
  call finish()
end program
