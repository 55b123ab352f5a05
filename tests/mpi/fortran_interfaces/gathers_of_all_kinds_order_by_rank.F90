! MPI_Gather, MPI_Igather, MPI_Gather_init, also MPI_IN_PLACE.
! ranks: 3
#include "interfaces.inc"

program gathers_of_all_kinds_order_by_rank
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine(2), all_values(6)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  mine = [10 * rank, 10 * rank + 1]
  do form = 1, 4
    all_values = -1
    select case (form)
    case (1)
      call MPI_Gather(mine, 2, MPI_INTEGER, all_values, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Igather(mine, 2, MPI_INTEGER, all_values, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Gather_init(mine, 2, MPI_INTEGER, all_values, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    case (4)
      if (rank == 1) then
        all_values(3:4) = mine
        call MPI_Gather(MPI_IN_PLACE, 2, MPI_INTEGER, all_values, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
      else
        call MPI_Gather(mine, 2, MPI_INTEGER, all_values, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
      end if
    end select
    if (rank == 1) call check(all(all_values == [0, 1, 10, 11, 20, 21]), 'all values')
    if (rank == 0) call check(all(all_values == -1), 'only at the root')
  end do
  call finish()
end program
