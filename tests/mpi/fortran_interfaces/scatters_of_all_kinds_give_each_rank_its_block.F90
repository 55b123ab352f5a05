! MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, also MPI_IN_PLACE.
! ranks: 3
#include "interfaces.inc"

program scatters_of_all_kinds_give_each_rank_its_block
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine(2), all_values(6)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  all_values = -1
  if (rank == 2) all_values = [0, 1, 10, 11, 20, 21]
  do form = 1, 4
    mine = -1
    select case (form)
    case (1)
      call MPI_Scatter(all_values, 2, MPI_INTEGER, mine, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Iscatter(all_values, 2, MPI_INTEGER, mine, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Scatter_init(all_values, 2, MPI_INTEGER, mine, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    case (4)
      if (rank == 2) then
        call MPI_Scatter(all_values, 2, MPI_INTEGER, MPI_IN_PLACE, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, ierr)
        mine = all_values(5:6)
      else
        call MPI_Scatter(all_values, 2, MPI_INTEGER, mine, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, ierr)
      end if
    end select
    call check(all(mine == [10 * rank, 10 * rank + 1]), 'block')
  end do
  call finish()
end program
