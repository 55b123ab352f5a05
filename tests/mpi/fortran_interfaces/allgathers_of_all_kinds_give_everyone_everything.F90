! MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, also MPI_IN_PLACE.
! ranks: 3
#include "interfaces.inc"

program allgathers_of_all_kinds_give_everyone_everything
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine, all_values(3)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  mine = 5 * rank
  do form = 1, 4
    all_values = -1
    select case (form)
    case (1)
      call MPI_Allgather(mine, 1, MPI_INTEGER, all_values, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Iallgather(mine, 1, MPI_INTEGER, all_values, 1, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Allgather_init(mine, 1, MPI_INTEGER, all_values, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    case (4)
      all_values(rank + 1) = mine
      call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all_values, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    end select
    call check(all(all_values == [0, 5, 10]), 'all values')
  end do
  call finish()
end program
