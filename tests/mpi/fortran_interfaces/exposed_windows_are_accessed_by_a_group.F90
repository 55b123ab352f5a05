! MPI_Win_post, MPI_Win_start, MPI_Win_complete, MPI_Win_wait and MPI_Win_test.
! ranks: 2
#include "interfaces.inc"

program exposed_windows_are_accessed_by_a_group
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer), target :: memory(2)
  ASYNC(integer) :: value
  integer(kind=MPI_ADDRESS_KIND) :: place
  integer :: i
  logical :: flag
  HANDLE(MPI_Group) :: world, other
  HANDLE(MPI_Win) :: win
  call start()
  memory = -1
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  call MPI_Group_incl(world, 1, [1 - rank], other, ierr)
  call MPI_Win_create(memory, 2_MPI_ADDRESS_KIND * integer_bytes, integer_bytes, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  do i = 0, 1
    value = 100 * i + rank
    place = i
    call MPI_Win_post(other, 0, win, ierr)
    call MPI_Win_start(other, 0, win, ierr)
    call MPI_Put(value, 1, MPI_INTEGER, 1 - rank, place, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_complete(win, ierr)
    if (i == 0) then
      call MPI_Win_wait(win, ierr)
    else
      flag = .false.
      do while (.not. flag)
        call MPI_Win_test(win, flag, ierr)
      end do
    end if
    call MPI_F_sync_reg(memory)
    call check_equal(memory(i + 1), 100 * i + 1 - rank, 'value')
  end do
  call MPI_Win_free(win, ierr)
  call MPI_Group_free(other, ierr)
  call MPI_Group_free(world, ierr)
  call finish()
end program
