! MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, also MPI_IN_PLACE.
! ranks: 3
#include "interfaces.inc"

program alltoalls_of_all_kinds_transpose
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: out(3), in(3)
  HANDLE(MPI_Request) :: request
  integer :: form, i
  call start()
  out = [(10 * rank + i, i=0, 2)]
  do form = 1, 4
    in = -1
    select case (form)
    case (1)
      call MPI_Alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Ialltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Alltoall_init(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    case (4)
      in = out
      call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    end select
    call check(all(in == [(10 * i + rank, i=0, 2)]), 'a column')
  end do
  call finish()
end program
