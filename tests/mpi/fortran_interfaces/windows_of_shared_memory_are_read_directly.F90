! MPI_Win_allocate_shared and MPI_Win_shared_query.
! ranks: 2
#include "interfaces.inc"

program windows_of_shared_memory_are_read_directly
  use checks
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
#include "mpi_declarations.inc"
  POINTER :: address
  integer, pointer :: mine(:), theirs(:)
  integer(kind=MPI_ADDRESS_KIND) :: bytes
  integer :: unit
  HANDLE(MPI_Comm) :: node
  HANDLE(MPI_Win) :: win
  call start()
  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node, ierr)
  bytes = integer_bytes * (rank + 1)
  call MPI_Win_allocate_shared(bytes, integer_bytes, MPI_INFO_NULL, node, address, win, ierr)
  call c_f_pointer(C_POINTER(address), mine, [rank + 1])
  call MPI_Win_fence(0, win, ierr)
  mine = 10 * rank + 5
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_shared_query(win, 1 - rank, bytes, unit, address, ierr)
  call check_equal(bytes / integer_bytes, 2 - rank, 'size')
  call check_equal(unit / integer_bytes, 1, 'unit')
  call c_f_pointer(C_POINTER(address), theirs, [2 - rank])
  call check_equal(theirs(2 - rank), 15 - 10 * rank, 'value of the other')
  call MPI_Win_free(win, ierr)
  call MPI_Comm_free(node, ierr)
  call finish()
end program
