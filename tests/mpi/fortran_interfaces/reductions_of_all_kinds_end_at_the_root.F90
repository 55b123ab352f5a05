! MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, also MPI_IN_PLACE.
! ranks: 3
#include "interfaces.inc"

program reductions_of_all_kinds_end_at_the_root
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(double precision) :: mine(2), total(2)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  mine = [rank + 0.5d0, -1d0 * rank]
  do form = 1, 4
    total = 0
    select case (form)
    case (1)
      call MPI_Reduce(mine, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 2, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Ireduce(mine, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 2, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Reduce_init(mine, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 2, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    case (4)
      total = mine
      if (rank == 2) then
        call MPI_Reduce(MPI_IN_PLACE, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 2, MPI_COMM_WORLD, ierr)
      else
        call MPI_Reduce(total, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 2, MPI_COMM_WORLD, ierr)
      end if
    end select
    if (rank == 2) call check(all(total == [4.5d0, -3d0]), 'sums')
    if (rank < 2 .and. form < 4) call check(all(total == 0), 'only at the root')
  end do
  call finish()
end program
