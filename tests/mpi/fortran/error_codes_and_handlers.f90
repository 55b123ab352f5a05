! IERROR, error handlers that are subroutines, classes and texts (filled up with blanks).
! ranks: 2
include 'checks.inc'

module handling
  use mpi
  implicit none
  integer :: handled = 0, last_code = -1, last_comm = -1
contains
  subroutine note_error(comm, error_code)
    integer :: comm, error_code
    handled = handled + 1
    last_comm = comm
    last_code = error_code
  end subroutine
end module

program errors
  use checks
  use handling
  implicit none
  integer :: handler, previous, comm, code, class, length, value
  character(len=MPI_MAX_ERROR_STRING) :: text
  character(len=10) :: short
  call start()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_Send(value, 1, MPI_INTEGER, nranks, 0, comm, code)
  call check(code /= MPI_SUCCESS, 'a bad rank is told in IERROR')
  call MPI_Error_class(code, class, ierr)
  call check_equal(class, MPI_ERR_RANK, 'its class')
  text = repeat('#', len(text))
  call MPI_Error_string(code, text, length, ierr)
  call check(length > 5 .and. len_trim(text) == length, 'its text, filled up with blanks')
  call MPI_Error_string(code, short, length, ierr)
  call check(short == text(:10) .and. length == 10, 'cut')
  call MPI_Bcast(value, 1, MPI_DATATYPE_NULL, 0, comm, code)
  call MPI_Error_class(code, class, ierr)
  call check_equal(class, MPI_ERR_TYPE, 'class of a null datatype')

  call MPI_Comm_create_errhandler(note_error, handler, ierr)
  call MPI_Comm_set_errhandler(comm, handler, ierr)
  call MPI_Comm_get_errhandler(comm, previous, ierr)
  call check_equal(previous, handler, 'the handler that was set')
  call MPI_Send(value, -1, MPI_INTEGER, 0, 0, comm, code)
  call MPI_Error_class(code, class, ierr)
  call check(handled == 1 .and. class == MPI_ERR_COUNT, 'my subroutine was called')
  call check(last_comm == comm .and. last_code == code, 'with communicator and code')
  call MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER, ierr)
  call check(handled == 2 .and. last_code == MPI_ERR_OTHER, 'called by MPI_Comm_call_errhandler')
  call MPI_Errhandler_free(previous, ierr)
  call MPI_Errhandler_free(handler, ierr)
  call check_equal(handler, MPI_ERRHANDLER_NULL, 'freed')
  call MPI_Send(value, 1, MPI_INTEGER, 0, -5, comm, code)
  call check_equal(handled, 3, 'the communicator still has it')

  call MPI_Add_error_class(class, ierr)
  call MPI_Add_error_code(class, code, ierr)
  call MPI_Add_error_string(code, 'the third wheel fell off   ', ierr)
  call MPI_Error_string(code, text, length, ierr)
  call check(text == 'the third wheel fell off' .and. length == 24, 'my own text')
  call MPI_Comm_free(comm, ierr)
  call finish()
end program
