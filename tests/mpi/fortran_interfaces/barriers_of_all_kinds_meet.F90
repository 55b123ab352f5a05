! MPI_Barrier, MPI_Ibarrier and MPI_Barrier_init.
! ranks: 3
#include "interfaces.inc"

program barriers_of_all_kinds_meet
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  HANDLE(MPI_Request) :: request
  integer :: i
  call start()
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'blocking')
  call MPI_Ibarrier(MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(request == MPI_REQUEST_NULL, 'nonblocking')
  call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
  do i = 1, 2
    call MPI_Start(request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(request /= MPI_REQUEST_NULL, 'persistent')
  end do
  call MPI_Request_free(request, ierr)
  call finish()
end program
