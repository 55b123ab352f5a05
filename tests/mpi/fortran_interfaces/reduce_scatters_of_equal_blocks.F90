! MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block and MPI_Reduce_scatter_block_init.
! ranks: 3
#include "interfaces.inc"

program reduce_scatters_of_equal_blocks
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine(6), part(2)
  HANDLE(MPI_Request) :: request
  integer :: form, i
  call start()
  mine = [(i * (rank + 1), i=1, 6)]
  do form = 1, 3
    part = 0
    select case (form)
    case (1)
      call MPI_Reduce_scatter_block(mine, part, 2, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Ireduce_scatter_block(mine, part, 2, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Reduce_scatter_block_init(mine, part, 2, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    end select
    call check(all(part == [6 * rank + 3, 6 * rank + 6]), 'part')
  end do
  call finish()
end program
