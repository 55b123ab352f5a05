! MPI_Pcontrol has no IERROR; PMPI names exist.
! ranks: 1
#include "interfaces.inc"

program profiling_is_controlled
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n
  call start()
  call MPI_Pcontrol(1)
  call MPI_Pcontrol(0)
  call PMPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  call check_equal(n, 1, 'size')
  call check(PMPI_Wtime() > 0, 'time')
  call finish()
end program
