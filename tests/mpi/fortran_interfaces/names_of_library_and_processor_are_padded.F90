! MPI_Get_library_version and MPI_Get_processor_name return a length; the rest of the string is blank.
! ranks: 1
#include "interfaces.inc"

program names_of_library_and_processor_are_padded
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: library
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  integer :: n
  call start()
  call MPI_Get_library_version(library, n, ierr)
  call check(n > 0 .and. len_trim(library) == n, 'library')
  call check(index(library, 'Thrum') > 0, 'is this one')
  call MPI_Get_processor_name(name, n, ierr)
  call check(n > 0 .and. len_trim(name) == n, 'processor')
  call finish()
end program
