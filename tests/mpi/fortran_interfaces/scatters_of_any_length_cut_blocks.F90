! MPI_Scatterv, MPI_Iscatterv and MPI_Scatterv_init.
! ranks: 3
#include "interfaces.inc"

program scatters_of_any_length_cut_blocks
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine(3), all_values(8)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  all_values = [2, 2, 0, 3, 3, 3, 0, 1]
  do form = 1, 3
    mine = -1
    select case (form)
    case (1)
      call MPI_Scatterv(all_values, [1, 2, 3], [7, 0, 3], MPI_INTEGER, mine, rank + 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Iscatterv(all_values, [1, 2, 3], [7, 0, 3], MPI_INTEGER, mine, rank + 1, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                         request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Scatterv_init(all_values, [1, 2, 3], [7, 0, 3], MPI_INTEGER, mine, rank + 1, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                             MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    end select
    call check_equal(count(mine == rank + 1), rank + 1, 'values')
    call check_equal(count(mine == -1), 2 - rank, 'the rest')
  end do
  call finish()
end program
