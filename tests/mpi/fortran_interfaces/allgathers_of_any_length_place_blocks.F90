! MPI_Allgatherv, MPI_Iallgatherv and MPI_Allgatherv_init.
! ranks: 3
#include "interfaces.inc"

program allgathers_of_any_length_place_blocks
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine(3), all_values(7)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  mine = rank
  do form = 1, 3
    all_values = -1
    select case (form)
    case (1)
      call MPI_Allgatherv(mine, 3 - rank, MPI_INTEGER, all_values, [3, 2, 1], [4, 1, 0], MPI_INTEGER, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Iallgatherv(mine, 3 - rank, MPI_INTEGER, all_values, [3, 2, 1], [4, 1, 0], MPI_INTEGER, MPI_COMM_WORLD, &
                           request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Allgatherv_init(mine, 3 - rank, MPI_INTEGER, all_values, [3, 2, 1], [4, 1, 0], MPI_INTEGER, MPI_COMM_WORLD, &
                               MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    end select
    call check(all(all_values == [2, 1, 1, -1, 0, 0, 0]), 'blocks')
  end do
  call finish()
end program
