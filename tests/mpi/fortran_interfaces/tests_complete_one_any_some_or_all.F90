! MPI_Test, MPI_Testany, MPI_Testsome and MPI_Testall return a LOGICAL; indices begin with 1.
! ranks: 2
#include "interfaces.inc"

program tests_complete_one_any_some_or_all
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: in(4)
  integer :: i, n, indices(4)
  logical :: flag
  HANDLE(MPI_Request) :: requests(4)
  STATUS :: status
  STATUSES(4) :: statuses
  call start()
  do i = 1, 4
    call MPI_Irecv(in(i), 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, requests(i), ierr)
  end do
  call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE, ierr)
  call check(.not. flag, 'not yet one')
  call MPI_Testany(4, requests, n, flag, MPI_STATUS_IGNORE, ierr)
  call check(.not. flag .and. n == MPI_UNDEFINED, 'not yet any')
  call MPI_Testsome(4, requests, n, indices, MPI_STATUSES_IGNORE, ierr)
  call check_equal(n, 0, 'not yet some')
  call MPI_Testall(4, requests, flag, MPI_STATUSES_IGNORE, ierr)
  call check(.not. flag, 'not yet all')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, ierr)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(2), flag, status, ierr)
  end do
  call check_equal(TAG_OF(status), 2, 'tag of the one')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, ierr)
  flag = .false.
  do while (.not. flag)
    call MPI_Testany(4, requests, n, flag, status, ierr)
  end do
  call check_equal(n, 3, 'index of any')
  call check_equal(SOURCE_OF(status), 1 - rank, 'source of any')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 4, MPI_COMM_WORLD, ierr)
  n = 0
  do while (n == 0)
    call MPI_Testsome(4, requests, n, indices, statuses, ierr)
  end do
  call check_equal(indices(1), 4, 'index of some')
  call check_equal(TAG_OF_NTH(statuses, 1), 4, 'tag of some')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, ierr)
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(4, requests, flag, statuses, ierr)
  end do
  call check_equal(TAG_OF_NTH(statuses, 1), 1, 'tag of the first')
  call check_equal(sum(in), 4 * (1 - rank), 'sum')
  call MPI_Testany(4, requests, n, flag, status, ierr)
  call check(flag .and. n == MPI_UNDEFINED, 'no active request')
  call finish()
end program
