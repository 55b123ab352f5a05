! MPI_Reduce_local with predefined operations and types.
! ranks: 1
#include "interfaces.inc"

program predefined_operations_combine_types_of_fortran
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: i
  real :: x
  double precision :: d
  complex :: z
  logical :: flag
  integer :: pair(2)
  real :: place(2)
  call start()
  i = 12
  call MPI_Reduce_local(10, i, 1, MPI_INTEGER, MPI_BAND, ierr)
  call check_equal(i, 8, 'and of bits')
  call MPI_Reduce_local(3, i, 1, MPI_INTEGER, MPI_BOR, ierr)
  call check_equal(i, 11, 'or of bits')
  call MPI_Reduce_local(1, i, 1, MPI_INTEGER, MPI_BXOR, ierr)
  call check_equal(i, 10, 'exclusive or of bits')
  call MPI_Reduce_local(4, i, 1, MPI_INTEGER, MPI_MIN, ierr)
  call check_equal(i, 4, 'minimum')
  x = 1.5
  call MPI_Reduce_local(2.0, x, 1, MPI_REAL, MPI_PROD, ierr)
  call check(x == 3, 'product of REALs')
  d = 1.5d0
  call MPI_Reduce_local(2.5d0, d, 1, MPI_DOUBLE_PRECISION, MPI_MAX, ierr)
  call check(d == 2.5d0, 'maximum of DOUBLE PRECISIONs')
  z = (1.0, 2.0)
  call MPI_Reduce_local((0.0, 1.0), z, 1, MPI_COMPLEX, MPI_PROD, ierr)
  call check(z == (-2.0, 1.0), 'product of COMPLEXes')
  flag = .true.
  call MPI_Reduce_local(.false., flag, 1, MPI_LOGICAL, MPI_LOR, ierr)
  call check(flag, 'or')
  call MPI_Reduce_local(.true., flag, 1, MPI_LOGICAL, MPI_LXOR, ierr)
  call check(.not. flag, 'exclusive or')
  call MPI_Reduce_local(.true., flag, 1, MPI_LOGICAL, MPI_LAND, ierr)
  call check(.not. flag, 'and')
  pair = [5, 1]
  call MPI_Reduce_local([7, 2], pair, 1, MPI_2INTEGER, MPI_MAXLOC, ierr)
  call check(all(pair == [7, 2]), 'place of a maximum')
  place = [5.0, 1.0]
  call MPI_Reduce_local([7.0, 2.0], place, 1, MPI_2REAL, MPI_MINLOC, ierr)
  call check(all(place == [5.0, 1.0]), 'place of a minimum')
  call finish()
end program
