! MPI_Get_hw_resource_info.
! ranks: 2
#include "interfaces.inc"

program resources_of_the_hardware_are_described
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  HANDLE(MPI_Info) :: info
  integer :: n
  call start()
  call MPI_Get_hw_resource_info(info, ierr)
  call check(info /= MPI_INFO_NULL, 'an info object')
  call MPI_Info_get_nkeys(info, n, ierr)
  call check(n >= 0, 'keys')
  call MPI_Info_free(info, ierr)
  call finish()
end program
