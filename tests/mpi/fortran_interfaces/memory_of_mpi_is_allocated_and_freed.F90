! MPI_Alloc_mem returns an address, which becomes a Fortran pointer; MPI_Free_mem gets the memory.
! ranks: 2
#include "interfaces.inc"

program memory_of_mpi_is_allocated_and_freed
  use checks
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
#include "mpi_declarations.inc"
  POINTER :: address
  integer, pointer :: values(:)
  integer(kind=MPI_ADDRESS_KIND) :: bytes
  call start()
  bytes = 1000 * integer_bytes
  call MPI_Alloc_mem(bytes, MPI_INFO_NULL, address, ierr)
  call c_f_pointer(C_POINTER(address), values, [1000])
  values = rank
  call MPI_Allreduce(MPI_IN_PLACE, values, 1000, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(all(values == 1), 'sums')
  call MPI_Free_mem(values, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'freed')
  call finish()
end program
