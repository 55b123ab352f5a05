! MPI_Comm_create_keyval, MPI_Comm_set_attr, MPI_Comm_get_attr, MPI_Comm_delete_attr and MPI_Comm_free_keyval with subroutines of
! the program.
! ranks: 2
#include "interfaces.inc"

module own_comm_attributes
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  private
  public :: copied, deleted, copy, delete
  integer :: copied = 0, deleted = 0
contains
  subroutine copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    HANDLE(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    copied = copied + 1
    attribute_val_out = attribute_val_in + extra_state
    flag = oldcomm == MPI_COMM_WORLD
    ierror = MPI_SUCCESS
  end subroutine
  subroutine delete(comm, comm_keyval, attribute_val, extra_state, ierror)
    HANDLE(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deleted = deleted + int(attribute_val)
    ierror = MPI_SUCCESS
  end subroutine
end module

program communicators_carry_attributes
  use checks
  use own_comm_attributes
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: keyval, simple
  integer(kind=MPI_ADDRESS_KIND) :: extra, value
  logical :: flag
  HANDLE(MPI_Comm) :: comm
  call start()
  extra = 100
  call MPI_Comm_create_keyval(copy, delete, keyval, extra, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, simple, extra, ierr)
  value = 5_MPI_ADDRESS_KIND
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value, ierr)
  value = 5000000000_MPI_ADDRESS_KIND
  call MPI_Comm_set_attr(MPI_COMM_WORLD, simple, value, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call check_equal(copied, 1, 'copies')
  call MPI_Comm_get_attr(comm, keyval, value, flag, ierr)
  call check(flag, 'copied')
  call check_equal(value, 105, 'value of the copy')
  call MPI_Comm_get_attr(comm, simple, value, flag, ierr)
  call check(flag .and. value == 5000000000_MPI_ADDRESS_KIND, 'a large value')
  call MPI_Comm_free(comm, ierr)
  call check_equal(deleted, 105, 'deleted with the communicator')
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval, ierr)
  call check_equal(deleted, 110, 'deleted')
  call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag, ierr)
  call check(.not. flag, 'no value')
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, simple, ierr)
  call MPI_Comm_free_keyval(keyval, ierr)
  call MPI_Comm_free_keyval(simple, ierr)
  call check_equal(keyval, MPI_KEYVAL_INVALID, 'free keys are invalid')
  call finish()
end program
