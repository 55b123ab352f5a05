! MPI_Session_create_errhandler, MPI_Session_set_errhandler, MPI_Session_get_errhandler and MPI_Session_call_errhandler.
! ranks: 1
#include "interfaces.inc"

module own_session_errors
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  private
  public :: seen, last, note
  integer :: seen = 0, last = 0
contains
  subroutine note(session, error_code)
    HANDLE(MPI_Session) :: session
    integer :: error_code, class
    if (session /= MPI_SESSION_NULL) seen = seen + 1
    call MPI_Error_class(error_code, class, ierr)
    last = class
  end subroutine
end module

program errors_of_sessions_call_handlers
  use checks
  use own_session_errors
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  HANDLE(MPI_Session) :: session
  HANDLE(MPI_Errhandler) :: handler, found
  call start()
  call MPI_Session_create_errhandler(note, handler, ierr)
  call MPI_Session_init(MPI_INFO_NULL, handler, session, ierr)
  call MPI_Session_get_errhandler(session, found, ierr)
  call check(found == handler, 'the handler')
  call MPI_Errhandler_free(found, ierr)
  call MPI_Session_call_errhandler(session, MPI_ERR_ARG, ierr)
  call check_equal(seen, 1, 'called')
  call check_equal(last, MPI_ERR_ARG, 'class')
  call MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN, ierr)
  call MPI_Session_call_errhandler(session, MPI_ERR_ARG, ierr)
  call check_equal(seen, 1, 'not called')
  call MPI_Session_finalize(session, ierr)
  call finish()
end program
