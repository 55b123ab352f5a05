! MPI_MAXLOC and MPI_MINLOC with Fortran's pairs, and MPI_Type_get_value_index.
! ranks: 3
#include "interfaces.inc"

program places_of_extremes_are_found
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  double precision :: pair(2)
  integer :: numbers(2)
  HANDLE(MPI_Datatype) :: found
  call start()
  pair = [abs(rank - 1d0), 1d0 * rank]
  call MPI_Allreduce(MPI_IN_PLACE, pair, 1, MPI_2DOUBLE_PRECISION, MPI_MINLOC, MPI_COMM_WORLD, ierr)
  call check(all(pair == [0d0, 1d0]), 'place of the minimum')
  numbers = [mod(rank + 1, 3), rank]
  call MPI_Allreduce(MPI_IN_PLACE, numbers, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
  call check(all(numbers == [2, 1]), 'place of the maximum')
  call MPI_Type_get_value_index(MPI_INTEGER, MPI_INTEGER, found, ierr)
  call check(found /= MPI_DATATYPE_NULL, 'a type of pairs')
  numbers = [5, rank]
  call MPI_Allreduce(MPI_IN_PLACE, numbers, 1, found, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
  call check(all(numbers == [5, 0]), 'the lowest of equal places')
  call finish()
end program
