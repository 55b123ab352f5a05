! MPI_Bcast, MPI_Ibcast and MPI_Bcast_init.
! ranks: 3
#include "interfaces.inc"

program broadcasts_of_all_kinds_reach_every_rank
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: values(2)
  character(len=5) :: word
  HANDLE(MPI_Request) :: request
  integer :: i
  call start()
  word = 'empty'
  if (rank == 1) word = 'hello'
  call MPI_Bcast(word, 5, MPI_CHARACTER, 1, MPI_COMM_WORLD, ierr)
  call check_equal(word, 'hello', 'blocking')
  values = [rank, 2 * rank]
  call MPI_Ibcast(values, 2, MPI_INTEGER, 2, MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check_equal(sum(values), 6, 'nonblocking')
  call MPI_Bcast_init(values, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
  do i = 1, 2
    values = 10 * i + rank
    call MPI_Start(request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check_equal(sum(values), 20 * i, 'persistent')
  end do
  call MPI_Request_free(request, ierr)
  call finish()
end program
