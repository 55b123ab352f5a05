! MPI_Psend_init, MPI_Precv_init, MPI_Pready, MPI_Pready_range, MPI_Pready_list and MPI_Parrived; partitions are counted from 0.
! ranks: 2
#include "interfaces.inc"

program partitions_are_sent_one_by_one
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: values(12)
  integer :: i, round
  integer(kind=MPI_COUNT_KIND) :: n
  logical :: flag
  HANDLE(MPI_Request) :: request
  call start()
  n = 2
  if (rank == 0) then
    call MPI_Psend_init(values, 6, n, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
  else
    call MPI_Precv_init(values, 6, n, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
  end if
  do round = 1, 2
    values = 0
    if (rank == 0) values = [(100 * round + i, i=1, 12)]
    call MPI_Start(request, ierr)
    if (rank == 0) then
      call MPI_Pready(3, request, ierr)
      call MPI_Pready_range(0, 2, request, ierr)
      call MPI_Pready_list(2, [5, 4], request, ierr)
    else
      flag = .false.
      do while (.not. flag)
        call MPI_Parrived(request, 3, flag, ierr)
      end do
      call check_equal(values(7), 100 * round + 7, 'value of the fourth partition')
    end if
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check_equal(sum(values), 1200 * round + 78, 'sum')
  end do
  call MPI_Request_free(request, ierr)
  call finish()
end program
