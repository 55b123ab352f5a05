! MPI_Type_match_size, MPI_Type_create_f90_real, MPI_Type_create_f90_integer and MPI_Type_create_f90_complex.
! ranks: 1
#include "interfaces.inc"

program types_are_found_by_size_and_precision
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n, combiner, ni, na, nd, integers(2)
  integer(kind=MPI_ADDRESS_KIND) :: addresses(1)
  integer, parameter :: short = selected_int_kind(4), long = selected_real_kind(15, 300)
  integer(kind=short) :: small(3), got_small(3)
  real(kind=long) :: precise(2), got(2)
  complex(kind=long) :: z
  HANDLE(MPI_Datatype) :: found, types(1)
  call start()
  call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, found, ierr)
  call MPI_Type_size(found, n, ierr)
  call check_equal(n, 8, 'size of a REAL')
  call MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, found, ierr)
  call MPI_Type_size(found, n, ierr)
  call check_equal(n, 2, 'size of an INTEGER')
  call MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, found, ierr)
  call MPI_Type_size(found, n, ierr)
  call check_equal(n, 16, 'size of a COMPLEX')
  call MPI_Type_create_f90_real(15, 300, found, ierr)
  call MPI_Type_get_envelope(found, ni, na, nd, combiner, ierr)
  call check_equal(combiner, MPI_COMBINER_F90_REAL, 'combiner')
  call MPI_Type_get_contents(found, ni, na, nd, integers, addresses, types, ierr)
  call check(all(integers == [15, 300]), 'precision and range')
  precise = [0.1_long, 1e200_long]
  call MPI_Sendrecv(precise, 2, found, 0, 0, got, 2, found, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(got == precise), 'precise values')
  call MPI_Type_create_f90_integer(4, found, ierr)
  small = [1_short, 2_short, -3_short]
  call MPI_Sendrecv(small, 3, found, 0, 0, got_small, 3, found, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(got_small == small), 'small values')
  call MPI_Type_create_f90_complex(15, MPI_UNDEFINED, found, ierr)
  z = cmplx(1, 2, long)
  call MPI_Allreduce(MPI_IN_PLACE, z, 1, found, MPI_PROD, MPI_COMM_WORLD, ierr)
  call check(z == cmplx(1, 2, long), 'a complex value')
  call MPI_Type_size(found, n, ierr)
  call check_equal(n, 16, 'size of a precise COMPLEX')
  call finish()
end program
