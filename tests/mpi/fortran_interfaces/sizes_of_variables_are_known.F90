! MPI_Sizeof, which mpif.h does not have: there STORAGE_SIZE tells the sizes.
! ranks: 1
#include "interfaces.inc"

program sizes_of_variables_are_known
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n
  integer(kind=selected_int_kind(18)) :: long
  complex :: z(3)
  real :: x
  double precision :: d(2, 2)
  call start()
  long = 0
  z = 0
  x = 0
  d = 0
#if INTERFACE == 77
#define SIZE_OF(name) n = storage_size(name) / 8
#else
#define SIZE_OF(name) call MPI_Sizeof(name, n, ierr)
#endif
  SIZE_OF(n)
  call check(n == integer_bytes, 'an INTEGER')
  SIZE_OF(long)
  call check_equal(n, 8, 'a long INTEGER')
  SIZE_OF(x)
  call check_equal(n, 4, 'a REAL')
  SIZE_OF(d)
  call check_equal(n, 8, 'DOUBLE PRECISION')
  SIZE_OF(z)
  call check_equal(n, 8, 'COMPLEX')
  call finish()
end program
