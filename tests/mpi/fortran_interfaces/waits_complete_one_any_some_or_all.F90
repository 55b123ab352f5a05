! MPI_Wait, MPI_Waitany, MPI_Waitsome and MPI_Waitall; indices begin with 1.
! ranks: 2
#include "interfaces.inc"

program waits_complete_one_any_some_or_all
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: in(5)
  integer :: i, n, indices(5)
  HANDLE(MPI_Request) :: requests(5)
  STATUS :: status
  STATUSES(5) :: statuses
  call start()
  if (rank == 0) then
    do i = 1, 5
      call MPI_Recv(n, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call MPI_Send(10 * n, 1, MPI_INTEGER, 1, n, MPI_COMM_WORLD, ierr)
    end do
  else
    do i = 1, 5
      call MPI_Irecv(in(i), 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, requests(i), ierr)
    end do
    call MPI_Send(2, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    call MPI_Wait(requests(2), status, ierr)
    call check_equal(TAG_OF(status), 2, 'tag of the one')
    call MPI_Send(4, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    call MPI_Waitany(5, requests, n, status, ierr)
    call check_equal(n, 4, 'index of any')
    call check_equal(TAG_OF(status), 4, 'tag of any')
    call MPI_Send(5, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    call MPI_Waitsome(5, requests, n, indices, statuses, ierr)
    call check_equal(n, 1, 'number of some')
    call check_equal(indices(1), 5, 'index of some')
    call check_equal(TAG_OF_NTH(statuses, 1), 5, 'tag of some')
    call MPI_Send(1, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    call MPI_Send(3, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    call MPI_Waitall(5, requests, statuses, ierr)
    call check_equal(TAG_OF_NTH(statuses, 3), 3, 'tag of the third')
    call check_equal(TAG_OF_NTH(statuses, 4), MPI_ANY_TAG, 'tag of a null request')
    call check_equal(sum(in), 150, 'sum')
    call MPI_Waitany(5, requests, n, status, ierr)
    call check_equal(n, MPI_UNDEFINED, 'index without requests')
    call MPI_Waitsome(5, requests, n, indices, MPI_STATUSES_IGNORE, ierr)
    call check_equal(n, MPI_UNDEFINED, 'number without requests')
  end if
  call finish()
end program
