! MPI_Isend, MPI_Ibsend, MPI_Issend and MPI_Irsend with MPI_Irecv; MPI_Waitall returns a status each.
! ranks: 2
#include "interfaces.inc"

program nonblocking_sends_of_all_modes_arrive
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: out(4), in(4)
  integer, target :: room(300)
  integer :: i, n
  HANDLE(MPI_Request) :: requests(8)
  STATUSES(8) :: statuses
  call start()
  out = [10, 20, 30, 40] + rank
  do i = 1, 4
    call MPI_Irecv(in(i), 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, requests(i), ierr)
  end do
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Buffer_attach(room, 1200, ierr)
  call MPI_Isend(out(1), 1, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(5), ierr)
  call MPI_Ibsend(out(2), 1, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, requests(6), ierr)
  call MPI_Issend(out(3), 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, requests(7), ierr)
  call MPI_Irsend(out(4), 1, MPI_INTEGER, 1 - rank, 4, MPI_COMM_WORLD, requests(8), ierr)
  call MPI_Waitall(8, requests, statuses, ierr)
  do i = 1, 4
    call check_equal(in(i), 10 * i + 1 - rank, 'value')
    call check_equal(SOURCE_OF_NTH(statuses, i), 1 - rank, 'source')
    call check_equal(TAG_OF_NTH(statuses, i), i, 'tag')
    call MPI_Get_count(NTH(statuses, i), MPI_INTEGER, n, ierr)
    call check_equal(n, 1, 'count')
  end do
  call check(all(requests == MPI_REQUEST_NULL), 'all requests are null')
  call finish()
end program
