! MPI_Win_create_errhandler, MPI_Win_set_errhandler, MPI_Win_get_errhandler and MPI_Win_call_errhandler.
! ranks: 1
#include "interfaces.inc"

module own_win_errors
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  private
  public :: seen, last, note
  integer :: seen = 0, last = 0
contains
  subroutine note(win, error_code)
    HANDLE(MPI_Win) :: win
    integer :: error_code, class
    if (win /= MPI_WIN_NULL) seen = seen + 1
    call MPI_Error_class(error_code, class, ierr)
    last = class
  end subroutine
end module

program errors_of_windows_call_handlers
  use checks
  use own_win_errors
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: code
  ASYNC(integer), target :: memory(4)
  HANDLE(MPI_Win) :: win
  HANDLE(MPI_Errhandler) :: handler, found
  call start()
  call MPI_Win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_create_errhandler(note, handler, ierr)
  call MPI_Win_set_errhandler(win, handler, ierr)
  call MPI_Win_get_errhandler(win, found, ierr)
  call check(found == handler, 'the handler')
  call MPI_Errhandler_free(found, ierr)
  call MPI_Win_fence(0, win, ierr)
  call MPI_Put(memory, 1, MPI_INTEGER, 8, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, code)
  call check_equal(seen, 1, 'called')
  call check_equal(last, MPI_ERR_RANK, 'class')
  call MPI_Win_call_errhandler(win, MPI_ERR_OTHER, ierr)
  call check_equal(seen, 2, 'called by the program')
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  call finish()
end program
