! MPI_Gatherv, MPI_Igatherv and MPI_Gatherv_init; displacements count from 0.
! ranks: 3
#include "interfaces.inc"

program gathers_of_any_length_place_blocks
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine(3), all_values(8)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  mine = rank + 1
  do form = 1, 3
    all_values = 0
    select case (form)
    case (1)
      call MPI_Gatherv(mine, rank + 1, MPI_INTEGER, all_values, [1, 2, 3], [7, 0, 3], MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Igatherv(mine, rank + 1, MPI_INTEGER, all_values, [1, 2, 3], [7, 0, 3], MPI_INTEGER, 0, MPI_COMM_WORLD, &
                        request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Gatherv_init(mine, rank + 1, MPI_INTEGER, all_values, [1, 2, 3], [7, 0, 3], MPI_INTEGER, 0, MPI_COMM_WORLD, &
                            MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    end select
    if (rank == 0) call check(all(all_values == [2, 2, 0, 3, 3, 3, 0, 1]), 'blocks')
  end do
  call finish()
end program
