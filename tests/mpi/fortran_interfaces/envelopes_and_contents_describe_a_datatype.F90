! MPI_Type_get_envelope and MPI_Type_get_contents return the arguments of the constructor.
! ranks: 1
#include "interfaces.inc"

program envelopes_and_contents_describe_a_datatype
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: ni, na, nd, combiner, integers(5)
  integer(kind=MPI_ADDRESS_KIND) :: places(2), addresses(5)
  HANDLE(MPI_Datatype) :: structure, vector, parts(2)
  call start()
  call MPI_Type_get_envelope(MPI_REAL, ni, na, nd, combiner, ierr)
  call check_equal(combiner, MPI_COMBINER_NAMED, 'combiner of MPI_REAL')
  call MPI_Type_vector(3, 2, 4, MPI_INTEGER, vector, ierr)
  call MPI_Type_get_envelope(vector, ni, na, nd, combiner, ierr)
  call check_equal(combiner, MPI_COMBINER_VECTOR, 'combiner')
  call check(ni == 3 .and. na == 0 .and. nd == 1, 'envelope of a vector')
  call MPI_Type_get_contents(vector, ni, na, nd, integers, addresses, parts, ierr)
  call check(all(integers(:3) == [3, 2, 4]), 'integers')
  call check(parts(1) == MPI_INTEGER, 'type')
  parts(1) = vector
  parts(2) = MPI_DOUBLE_PRECISION
  places = [0, 64]
  call MPI_Type_create_struct(2, [5, 6], places, parts, structure, ierr)
  call MPI_Type_get_envelope(structure, ni, na, nd, combiner, ierr)
  call check_equal(combiner, MPI_COMBINER_STRUCT, 'combiner')
  call check(ni == 3 .and. na == 2 .and. nd == 2, 'envelope of a structure')
  call MPI_Type_get_contents(structure, ni, na, nd, integers, addresses, parts, ierr)
  call check(all(integers(:3) == [2, 5, 6]), 'integers')
  call check(all(addresses(:2) == places), 'addresses')
  call check(parts(2) == MPI_DOUBLE_PRECISION, 'type')
  call MPI_Type_get_envelope(parts(1), ni, na, nd, combiner, ierr)
  call check_equal(combiner, MPI_COMBINER_VECTOR, 'combiner')
  call MPI_Type_free(parts(1), ierr)
  call MPI_Type_free(structure, ierr)
  call MPI_Type_free(vector, ierr)
  call finish()
end program
