! MPI_TAG_UB, MPI_WTIME_IS_GLOBAL, MPI_IO, MPI_HOST, MPI_APPNUM and MPI_LASTUSEDCODE are integers, not addresses.
! ranks: 2
#include "interfaces.inc"

program predefined_attributes_of_the_world_are_values
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer(kind=MPI_ADDRESS_KIND) :: value
  logical :: flag
  call start()
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
  call check(flag .and. value >= 32767 .and. value <= huge(1), 'largest tag')
  call result('largest tag', int(value))
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, value, flag, ierr)
  call check(flag .and. (value == 0 .or. value == 1), 'clocks')
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, value, flag, ierr)
  call check(flag, 'MPI_IO')
  call result('MPI_IO', int(value))
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, value, flag, ierr)
  call check(flag, 'MPI_HOST')
  call result('MPI_HOST', int(value))
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, value, flag, ierr)
  call check(flag .and. value >= MPI_ERR_LASTCODE, 'last used code')
  call result('last used code', int(value))
  call finish()
end program
