! MPI_Request_get_status and its forms for any, some and all requests leave the requests as they are.
! ranks: 2
#include "interfaces.inc"

program state_of_requests_is_read_without_completing_them
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: in(2)
  integer :: n, indices(2)
  logical :: flag
  HANDLE(MPI_Request) :: requests(2)
  STATUS :: status
  STATUSES(2) :: statuses
  call start()
  call MPI_Irecv(in(1), 1, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Irecv(in(2), 1, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Request_get_status(requests(1), flag, MPI_STATUS_IGNORE, ierr)
  call check(.not. flag, 'not yet')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, ierr)
  flag = .false.
  do while (.not. flag)
    call MPI_Request_get_status_any(2, requests, n, flag, status, ierr)
  end do
  call check_equal(n, 2, 'index of any')
  call check_equal(TAG_OF(status), 2, 'tag of any')
  call MPI_Request_get_status_some(2, requests, n, indices, statuses, ierr)
  call check_equal(n, 1, 'number of some')
  call check_equal(indices(1), 2, 'index of some')
  call check_equal(TAG_OF_NTH(statuses, 1), 2, 'tag of some')
  call MPI_Request_get_status_all(2, requests, flag, statuses, ierr)
  call check(.not. flag, 'not all')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, ierr)
  do while (.not. flag)
    call MPI_Request_get_status_all(2, requests, flag, statuses, ierr)
  end do
  call check_equal(TAG_OF_NTH(statuses, 1), 1, 'tag of the first')
  call check(all(requests /= MPI_REQUEST_NULL), 'the requests stay')
  call MPI_Waitall(2, requests, statuses, ierr)
  call check_equal(sum(in), 2 * (1 - rank), 'sum')
  call finish()
end program
