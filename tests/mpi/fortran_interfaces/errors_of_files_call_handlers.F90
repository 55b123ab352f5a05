! MPI_File_create_errhandler, MPI_File_set_errhandler, MPI_File_get_errhandler and MPI_File_call_errhandler, also of MPI_FILE_NULL.
! ranks: 1
#include "interfaces.inc"

module own_file_errors
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  private
  public :: seen, last, note
  integer :: seen = 0, last = 0
contains
  subroutine note(file, error_code)
    HANDLE(MPI_File) :: file
    integer :: error_code, class
    if (file == MPI_FILE_NULL) seen = seen + 1
    call MPI_Error_class(error_code, class, ierr)
    last = class
  end subroutine
end module

program errors_of_files_call_handlers
  use checks
  use own_file_errors
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: code, class
  HANDLE(MPI_File) :: file
  HANDLE(MPI_Errhandler) :: handler, found
  call start()
  call MPI_File_get_errhandler(MPI_FILE_NULL, found, ierr)
  call check(found == MPI_ERRORS_RETURN, 'at first errors are returned')
  call MPI_File_open(MPI_COMM_WORLD, '/no such folder/file', MPI_MODE_RDONLY, MPI_INFO_NULL, file, code)
  call MPI_Error_class(code, class, ierr)
  call check_equal(class, MPI_ERR_NO_SUCH_FILE, 'class')
  call MPI_File_create_errhandler(note, handler, ierr)
  call MPI_File_set_errhandler(MPI_FILE_NULL, handler, ierr)
  call MPI_File_open(MPI_COMM_WORLD, '/no such folder/file', MPI_MODE_RDONLY, MPI_INFO_NULL, file, code)
  call check_equal(seen, 1, 'called')
  call check_equal(last, MPI_ERR_NO_SUCH_FILE, 'class')
  call MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_OTHER, ierr)
  call check_equal(seen, 2, 'called by the program')
  call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierr)
  call MPI_Errhandler_free(handler, ierr)
  call finish()
end program
