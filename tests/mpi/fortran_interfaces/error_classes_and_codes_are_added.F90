! MPI_Add_error_class, MPI_Add_error_code, MPI_Add_error_string, MPI_Error_class, MPI_Error_string and the functions that remove them.
! ranks: 1
#include "interfaces.inc"

program error_classes_and_codes_are_added
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: class, code, found, n
  character(len=MPI_MAX_ERROR_STRING) :: text
  call start()
  call MPI_Error_class(MPI_ERR_TAG, class, ierr)
  call check_equal(class, MPI_ERR_TAG, 'class of a class')
  call MPI_Error_string(MPI_ERR_TAG, text, n, ierr)
  call check(n > 0 .and. len_trim(text) == n, 'text of a class')
  call result('text', text(:n))
  call MPI_Add_error_class(class, ierr)
  call MPI_Add_error_code(class, code, ierr)
  call check(class > MPI_ERR_LASTCODE .and. code > class, 'new codes')
  call MPI_Add_error_string(code, 'the stack is empty  ', ierr)
  call MPI_Error_string(code, text, n, ierr)
  call check_equal(text, 'the stack is empty', 'text of a new code')
  call check_equal(n, 18, 'length')
  call MPI_Error_class(code, found, ierr)
  call check_equal(found, class, 'class of a new code')
  call MPI_Remove_error_string(code, ierr)
  call MPI_Error_string(code, text, n, ierr)
  call check_equal(n, 0, 'no text')
  call MPI_Remove_error_code(code, ierr)
  call MPI_Remove_error_class(class, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'removed')
  call finish()
end program
