! MPI_Keyval_create, MPI_Attr_put, MPI_Attr_get, MPI_Attr_delete and MPI_Keyval_free. Module mpi_f08 does not have them: there their
! successors do the same.
! ranks: 1
#include "interfaces.inc"

program attributes_of_mpi_1_are_integers
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: keyval
  logical :: flag
  HANDLE(MPI_Comm) :: comm
#if INTERFACE == 8
  integer(kind=MPI_ADDRESS_KIND) :: value
  call start()
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, ierr)
  value = -5
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_get_attr(comm, keyval, value, flag, ierr)
  call check(flag, 'copied')
  call check_equal(value, -5, 'value')
  call MPI_Comm_delete_attr(comm, keyval, ierr)
  call MPI_Comm_get_attr(comm, keyval, value, flag, ierr)
  call check(.not. flag, 'deleted')
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval, ierr)
  call MPI_Comm_free_keyval(keyval, ierr)
#else
  integer :: value
  call start()
  call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, ierr)
  value = -5
  call MPI_Attr_put(MPI_COMM_WORLD, keyval, value, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Attr_get(comm, keyval, value, flag, ierr)
  call check(flag, 'copied')
  call check_equal(value, -5, 'value')
  call MPI_Attr_delete(comm, keyval, ierr)
  call MPI_Attr_get(comm, keyval, value, flag, ierr)
  call check(.not. flag, 'deleted')
  call MPI_Attr_delete(MPI_COMM_WORLD, keyval, ierr)
  call MPI_Keyval_free(keyval, ierr)
#endif
  call check_equal(keyval, MPI_KEYVAL_INVALID, 'a free key is invalid')
  call MPI_Comm_free(comm, ierr)
  call finish()
end program
