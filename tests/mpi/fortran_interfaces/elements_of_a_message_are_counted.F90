! MPI_Get_elements, MPI_Get_elements_x, MPI_Get_count, MPI_Status_set_elements and MPI_Status_set_elements_x.
! integers: 4
! ranks: 1
#include "interfaces.inc"

program elements_of_a_message_are_counted
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: values(6), got(6), n
  integer(kind=MPI_COUNT_KIND) :: big
  HANDLE(MPI_Datatype) :: pair
  STATUS :: status
  call start()
  call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr)
  call MPI_Type_commit(pair, ierr)
  values = 1
  call MPI_Sendrecv(values, 5, MPI_INTEGER, 0, 0, got, 3, pair, 0, 0, MPI_COMM_WORLD, status, ierr)
  call MPI_Get_count(status, pair, n, ierr)
  call check_equal(n, MPI_UNDEFINED, 'count')
  call MPI_Get_elements(status, pair, n, ierr)
  call check_equal(n, 5, 'elements')
  call MPI_Get_elements_x(status, pair, big, ierr)
  call check_equal(big, 5, 'elements')
  call MPI_Status_set_elements(status, pair, 4, ierr)
  call MPI_Get_count(status, pair, n, ierr)
  call check_equal(n, 2, 'count')
  call MPI_Get_elements(status, pair, n, ierr)
  call check_equal(n, 4, 'elements')
  big = 3000000000_MPI_COUNT_KIND
  call MPI_Status_set_elements_x(status, MPI_INTEGER, big, ierr)
  call MPI_Get_elements_x(status, MPI_INTEGER, big, ierr)
  call check(big == 3000000000_MPI_COUNT_KIND, 'many elements')
  call MPI_Get_elements(status, MPI_INTEGER, n, ierr)
  call check_equal(n, MPI_UNDEFINED, 'too many for an INTEGER')
  call MPI_Type_free(pair, ierr)
  call finish()
end program
