! MPI_Status_set_source, MPI_Status_set_tag, MPI_Status_set_error, MPI_Status_set_cancelled, MPI_Status_set_elements and the functions
! that read what they have set.
! ranks: 1
#include "interfaces.inc"

program fields_of_a_status_are_set_and_read
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n
  logical :: flag
  STATUS :: status
  call start()
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 3, n, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, status, ierr)
  call MPI_Status_set_source(status, 17, ierr)
  call MPI_Status_set_tag(status, 18, ierr)
  call MPI_Status_set_error(status, MPI_ERR_OTHER, ierr)
  call check_equal(SOURCE_OF(status), 17, 'source')
  call check_equal(TAG_OF(status), 18, 'tag')
  call check_equal(ERROR_OF(status), MPI_ERR_OTHER, 'error')
  SOURCE_OF(status) = 19
  TAG_OF(status) = 20
  ERROR_OF(status) = MPI_ERR_COUNT
  call MPI_Status_get_source(status, n, ierr)
  call check_equal(n, 19, 'source')
  call MPI_Status_get_tag(status, n, ierr)
  call check_equal(n, 20, 'tag')
  call MPI_Status_get_error(status, n, ierr)
  call check_equal(n, MPI_ERR_COUNT, 'error')
  call MPI_Status_set_elements(status, MPI_INTEGER, 11, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call check_equal(n, 11, 'count')
  call MPI_Status_set_cancelled(status, .true., ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call check(flag, 'cancelled')
  call MPI_Status_set_cancelled(status, .false., ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call check(.not. flag, 'not cancelled')
  call finish()
end program
