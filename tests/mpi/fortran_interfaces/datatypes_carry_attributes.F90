! MPI_Type_create_keyval, MPI_Type_set_attr, MPI_Type_get_attr, MPI_Type_delete_attr and MPI_Type_free_keyval with subroutines of
! the program.
! ranks: 1
#include "interfaces.inc"

module own_type_attributes
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  private
  public :: deleted, copy, delete
  integer :: deleted = 0
contains
  subroutine copy(oldtype, type_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    HANDLE(MPI_Datatype) :: oldtype
    integer :: type_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in * extra_state
    flag = oldtype /= MPI_DATATYPE_NULL
    ierror = MPI_SUCCESS
  end subroutine
  subroutine delete(datatype, type_keyval, attribute_val, extra_state, ierror)
    HANDLE(MPI_Datatype) :: datatype
    integer :: type_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deleted = deleted + int(attribute_val)
    ierror = MPI_SUCCESS
  end subroutine
end module

program datatypes_carry_attributes
  use checks
  use own_type_attributes
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: keyval, not_copied
  integer(kind=MPI_ADDRESS_KIND) :: extra, value
  logical :: flag
  HANDLE(MPI_Datatype) :: pair, again
  call start()
  extra = 3
  call MPI_Type_create_keyval(copy, delete, keyval, extra, ierr)
  call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, not_copied, extra, ierr)
  call MPI_Type_contiguous(2, MPI_REAL, pair, ierr)
  value = 7
  call MPI_Type_set_attr(pair, keyval, value, ierr)
  call MPI_Type_set_attr(pair, not_copied, value, ierr)
  call MPI_Type_dup(pair, again, ierr)
  call MPI_Type_get_attr(again, keyval, value, flag, ierr)
  call check(flag, 'copied')
  call check_equal(value, 21, 'value of the copy')
  call MPI_Type_get_attr(again, not_copied, value, flag, ierr)
  call check(.not. flag, 'not copied')
  call MPI_Type_delete_attr(again, keyval, ierr)
  call check_equal(deleted, 21, 'deleted')
  call MPI_Type_free(pair, ierr)
  call check_equal(deleted, 28, 'deleted with the type')
  call MPI_Type_free(again, ierr)
  call MPI_Type_free_keyval(keyval, ierr)
  call MPI_Type_free_keyval(not_copied, ierr)
  call check_equal(keyval, MPI_KEYVAL_INVALID, 'free keys are invalid')
  call finish()
end program
