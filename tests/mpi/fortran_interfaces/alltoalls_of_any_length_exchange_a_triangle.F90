! MPI_Alltoallv, MPI_Ialltoallv and MPI_Alltoallv_init: rank r sends r + 1 values to each.
! ranks: 3
#include "interfaces.inc"

program alltoalls_of_any_length_exchange_a_triangle
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: out(9), in(6)
  HANDLE(MPI_Request) :: request
  integer :: form, i, n(3), places(3)
  call start()
  out = [(100 * rank + i, i=0, 8)]
  n = rank + 1
  places = [(3 * i, i=0, 2)]
  do form = 1, 3
    in = -1
    select case (form)
    case (1)
      call MPI_Alltoallv(out, n, places, MPI_INTEGER, in, [1, 2, 3], [5, 3, 0], MPI_INTEGER, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Ialltoallv(out, n, places, MPI_INTEGER, in, [1, 2, 3], [5, 3, 0], MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Alltoallv_init(out, n, places, MPI_INTEGER, in, [1, 2, 3], [5, 3, 0], MPI_INTEGER, MPI_COMM_WORLD, &
                              MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    end select
    i = 3 * rank
    call check(all(in == [200 + i, 201 + i, 202 + i, 100 + i, 101 + i, i]), 'blocks')
  end do
  call finish()
end program
