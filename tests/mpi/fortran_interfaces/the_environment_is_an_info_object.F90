! MPI_Info_create_env and MPI_INFO_ENV.
! ranks: 2
#include "interfaces.inc"

program the_environment_is_an_info_object
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  HANDLE(MPI_Info) :: info
  character(len=200) :: text
  integer :: n
  logical :: flag
  call start()
  call MPI_Info_create_env(info, ierr)
  call check(info /= MPI_INFO_NULL, 'an info object')
  n = 200
  call MPI_Info_get_string(MPI_INFO_ENV, 'maxprocs', n, text, flag, ierr)
  if (flag) call check_equal(text, '2', 'number of ranks')
  n = 200
  call MPI_Info_get_string(info, 'command', n, text, flag, ierr)
  call check(.not. flag .or. n > 0, 'command')
  call MPI_Info_free(info, ierr)
  call finish()
end program
