! MPI_Wtime and MPI_Wtick are functions, as are MPI_Aint_add and MPI_Aint_diff.
! ranks: 1
#include "interfaces.inc"

program clocks_go_on
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  double precision :: begun, ended
  call start()
  begun = MPI_Wtime()
  do
    ended = MPI_Wtime()
    if (ended > begun) exit
  end do
  call check(ended - begun < 100, 'a short time')
  call check(MPI_Wtick() > 0 .and. MPI_Wtick() < 1, 'resolution')
  call check(kind(MPI_Wtime()) == kind(1d0), 'DOUBLE PRECISION')
  call finish()
end program
