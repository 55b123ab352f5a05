! MPI_Comm_create_errhandler, MPI_Comm_set_errhandler, MPI_Comm_get_errhandler, MPI_Comm_call_errhandler and MPI_Errhandler_free.
! ranks: 1
#include "interfaces.inc"

module own_comm_errors
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  private
  public :: seen, last, note
  integer :: seen = 0, last = 0
contains
  subroutine note(comm, error_code)
    HANDLE(MPI_Comm) :: comm
    integer :: error_code, class
    if (comm /= MPI_COMM_NULL) seen = seen + 1
    call MPI_Error_class(error_code, class, ierr)
    last = class
  end subroutine
end module

program errors_of_communicators_call_handlers
  use checks
  use own_comm_errors
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: code
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Errhandler) :: handler, found
  call start()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_create_errhandler(note, handler, ierr)
  call MPI_Comm_set_errhandler(comm, handler, ierr)
  call MPI_Comm_get_errhandler(comm, found, ierr)
  call check(found == handler, 'the handler')
  call MPI_Errhandler_free(found, ierr)
  call check(found == MPI_ERRHANDLER_NULL, 'a free handler is null')
  call MPI_Send(rank, 1, MPI_INTEGER, 5, 0, comm, code)
  call check_equal(seen, 1, 'called')
  call check_equal(last, MPI_ERR_RANK, 'class')
  call check(code /= MPI_SUCCESS, 'returned')
  call MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER, ierr)
  call check_equal(seen, 2, 'called by the program')
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, 0, -7, comm, code)
  call check_equal(code, MPI_ERR_TAG, 'only returned')
  call check_equal(seen, 2, 'not called')
  call MPI_Comm_free(comm, ierr)
  call finish()
end program
