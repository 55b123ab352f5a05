! MPI_Neighbor_allgather and MPI_Neighbor_allgatherv, nonblocking and persistent, too.
! ranks: 3
#include "interfaces.inc"

program neighbours_of_a_ring_gather
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine(2), in(6)
  HANDLE(MPI_Comm) :: ring
  HANDLE(MPI_Request) :: request
  integer :: form, left, right
  call start()
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [3], [.true.], .false., ring, ierr)
  left = mod(rank + 2, 3)
  right = mod(rank + 1, 3)
  mine = [rank, 10 * rank]
  do form = 1, 6
    in = -1
    select case (form)
    case (1)
      call MPI_Neighbor_allgather(mine, 2, MPI_INTEGER, in, 2, MPI_INTEGER, ring, ierr)
    case (2)
      call MPI_Ineighbor_allgather(mine, 2, MPI_INTEGER, in, 2, MPI_INTEGER, ring, request, ierr)
    case (3)
      call MPI_Neighbor_allgather_init(mine, 2, MPI_INTEGER, in, 2, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierr)
    case (4)
      call MPI_Neighbor_allgatherv(mine, 2, MPI_INTEGER, in, [2, 2], [4, 1], MPI_INTEGER, ring, ierr)
    case (5)
      call MPI_Ineighbor_allgatherv(mine, 2, MPI_INTEGER, in, [2, 2], [4, 1], MPI_INTEGER, ring, request, ierr)
    case (6)
      call MPI_Neighbor_allgatherv_init(mine, 2, MPI_INTEGER, in, [2, 2], [4, 1], MPI_INTEGER, ring, MPI_INFO_NULL, request, ierr)
    end select
    if (mod(form, 3) == 0) call MPI_Start(request, ierr)
    if (mod(form, 3) /= 1) call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    if (mod(form, 3) == 0) call MPI_Request_free(request, ierr)
    if (form <= 3) call check(all(in == [left, 10 * left, right, 10 * right, -1, -1]), 'in order')
    if (form > 3) call check(all(in == [-1, right, 10 * right, -1, left, 10 * left]), 'at their places')
  end do
  call MPI_Comm_free(ring, ierr)
  call finish()
end program
