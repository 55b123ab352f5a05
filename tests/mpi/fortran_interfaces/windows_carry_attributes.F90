! MPI_Win_create_keyval, MPI_Win_set_attr, MPI_Win_get_attr, MPI_Win_delete_attr and MPI_Win_free_keyval, and the predefined attributes.
! ranks: 2
#include "interfaces.inc"

module own_win_attributes
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  private
  public :: deleted, delete
  integer :: deleted = 0
contains
  subroutine delete(win, win_keyval, attribute_val, extra_state, ierror)
    HANDLE(MPI_Win) :: win
    integer :: win_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (win /= MPI_WIN_NULL) deleted = deleted + int(attribute_val + extra_state)
    ierror = MPI_SUCCESS
  end subroutine
end module

program windows_carry_attributes
  use checks
  use own_win_attributes
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: keyval
  ASYNC(integer), target :: memory(10)
  integer(kind=MPI_ADDRESS_KIND) :: extra, value, place
  logical :: flag
  HANDLE(MPI_Win) :: win
  call start()
  extra = 1
  call MPI_Win_create(memory, 40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete, keyval, extra, ierr)
  value = 30
  call MPI_Win_set_attr(win, keyval, value, ierr)
  value = 0
  call MPI_Win_get_attr(win, keyval, value, flag, ierr)
  call check(flag, 'an attribute')
  call check_equal(value, 30, 'value')
  call MPI_Win_delete_attr(win, keyval, ierr)
  call check_equal(deleted, 31, 'deleted')
  value = 40
  call MPI_Win_set_attr(win, keyval, value, ierr)
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierr)
  call check_equal(value, 40, 'size')
  call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierr)
  call check_equal(value, 4, 'unit')
  call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierr)
  call MPI_Get_address(memory, place, ierr)
  call check(flag .and. value == place, 'base')
  call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierr)
  call check_equal(value, MPI_WIN_FLAVOR_CREATE, 'flavor')
  call MPI_Win_get_attr(win, MPI_WIN_MODEL, value, flag, ierr)
  call check_equal(value, MPI_WIN_UNIFIED, 'model')
  call MPI_Win_free(win, ierr)
  call check_equal(deleted, 72, 'deleted with the window')
  call MPI_Win_free_keyval(keyval, ierr)
  call check_equal(keyval, MPI_KEYVAL_INVALID, 'free keys are invalid')
  call finish()
end program
