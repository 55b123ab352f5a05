! MPI_Reduce_scatter, MPI_Ireduce_scatter and MPI_Reduce_scatter_init.
! ranks: 3
#include "interfaces.inc"

program reduce_scatters_of_all_kinds_give_each_rank_its_part
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine(6), part(3)
  HANDLE(MPI_Request) :: request
  integer :: form, i
  call start()
  mine = [(i * (rank + 1), i=1, 6)]
  do form = 1, 3
    part = 0
    select case (form)
    case (1)
      call MPI_Reduce_scatter(mine, part, [1, 2, 3], MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Ireduce_scatter(mine, part, [1, 2, 3], MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Reduce_scatter_init(mine, part, [1, 2, 3], MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    end select
    if (rank == 0) call check(all(part == [6, 0, 0]), 'part of rank 0')
    if (rank == 1) call check(all(part == [12, 18, 0]), 'part of rank 1')
    if (rank == 2) call check(all(part == [24, 30, 36]), 'part of rank 2')
  end do
  call finish()
end program
