! MPI_Scan, MPI_Iscan, MPI_Scan_init, MPI_Exscan, MPI_Iexscan and MPI_Exscan_init.
! ranks: 3
#include "interfaces.inc"

program scans_of_all_kinds_combine_the_ranks_before
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: mine, sums(2)
  HANDLE(MPI_Request) :: requests(2)
  integer :: form
  call start()
  mine = rank + 1
  do form = 1, 3
    sums = -1
    select case (form)
    case (1)
      call MPI_Scan(mine, sums(1), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
      call MPI_Exscan(mine, sums(2), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Iscan(mine, sums(1), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Iexscan(mine, sums(2), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(2), ierr)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    case (3)
      call MPI_Scan_init(mine, sums(1), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), ierr)
      call MPI_Exscan_init(mine, sums(2), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), ierr)
      call MPI_Startall(2, requests, ierr)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
      call MPI_Request_free(requests(1), ierr)
      call MPI_Request_free(requests(2), ierr)
    end select
    call check_equal(sums(1), (rank + 1) * (rank + 2) / 2, 'inclusive')
    if (rank > 0) call check_equal(sums(2), rank * (rank + 1) / 2, 'exclusive')
  end do
  call finish()
end program
