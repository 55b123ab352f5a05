! MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, also MPI_IN_PLACE.
! ranks: 3
#include "interfaces.inc"

program allreductions_of_all_kinds_end_everywhere
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine(2), total(2)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  mine = [rank + 1, 7 - rank]
  do form = 1, 4
    total = 0
    select case (form)
    case (1)
      call MPI_Allreduce(mine, total, 2, MPI_INTEGER, MPI_PROD, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Iallreduce(mine, total, 2, MPI_INTEGER, MPI_PROD, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Allreduce_init(mine, total, 2, MPI_INTEGER, MPI_PROD, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    case (4)
      total = mine
      call MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_INTEGER, MPI_PROD, MPI_COMM_WORLD, ierr)
    end select
    call check(all(total == [6, 210]), 'products')
  end do
  call finish()
end program
