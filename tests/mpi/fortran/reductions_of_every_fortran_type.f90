! MPI 5.0 section 6.9.2: reductions on the Fortran types, of default and of named sizes.
! flags: -cpp -ffree-line-length-none
! ranks: 2 8
include 'checks.inc'

program reductions
  use checks
  use, intrinsic :: iso_fortran_env
  implicit none
  integer :: n
  integer(int8) :: i1
  integer(int16) :: i2
  integer(int32) :: i4
  integer(int64) :: i8
  integer(16) :: i16
  real :: r
  real(real32) :: r4
  real(real64) :: r8
  real(16) :: r16
  double precision :: d
  complex :: c
  complex(real32) :: c8
  complex(real64) :: c16
  complex(16) :: c32
  double complex :: dc
  logical :: l
  logical(1) :: l1
  logical(8) :: l8
  integer :: two_integers(2)
  real :: two_reals(2)
  double precision :: two_doubles(2)
  call start()
  n = nranks * (nranks + 1) / 2
#define SUM_OF(x, type) \
  x = rank + 1; call MPI_Allreduce(MPI_IN_PLACE, x, 1, type, MPI_SUM, MPI_COMM_WORLD, ierr); call check(x == n, 'type')
  SUM_OF(i1, MPI_INTEGER1)
  SUM_OF(i2, MPI_INTEGER2)
  SUM_OF(i4, MPI_INTEGER4)
  SUM_OF(i8, MPI_INTEGER8)
  SUM_OF(i16, MPI_INTEGER16)
  SUM_OF(r, MPI_REAL)
  SUM_OF(r4, MPI_REAL4)
  SUM_OF(r8, MPI_REAL8)
  SUM_OF(r16, MPI_REAL16)
  SUM_OF(d, MPI_DOUBLE_PRECISION)
#define SUM_OF_COMPLEX(x, type) \
  x = (1, 2); x = x * (rank + 1); call MPI_Allreduce(MPI_IN_PLACE, x, 1, type, MPI_SUM, MPI_COMM_WORLD, ierr); \
  call check(x == n * (1, 2), 'type')
  SUM_OF_COMPLEX(c, MPI_COMPLEX)
  SUM_OF_COMPLEX(c8, MPI_COMPLEX8)
  SUM_OF_COMPLEX(c16, MPI_COMPLEX16)
  SUM_OF_COMPLEX(c32, MPI_COMPLEX32)
  SUM_OF_COMPLEX(dc, MPI_DOUBLE_COMPLEX)
  c = (0, 1)
  call MPI_Allreduce(MPI_IN_PLACE, c, 1, MPI_COMPLEX, MPI_PROD, MPI_COMM_WORLD, ierr)
  call check(c == (0, 1)**nranks, 'product of complex numbers')
  l = rank == 0
  call MPI_Allreduce(MPI_IN_PLACE, l, 1, MPI_LOGICAL, MPI_LXOR, MPI_COMM_WORLD, ierr)
  call check(l, 'MPI_LXOR')
  l1 = .true.
  call MPI_Allreduce(MPI_IN_PLACE, l1, 1, MPI_LOGICAL1, MPI_LAND, MPI_COMM_WORLD, ierr)
  call check(logical(l1), 'MPI_LOGICAL1')
  l8 = rank == 1
  call MPI_Allreduce(MPI_IN_PLACE, l8, 1, MPI_LOGICAL8, MPI_LOR, MPI_COMM_WORLD, ierr)
  call check(logical(l8), 'MPI_LOGICAL8')
  i8 = ishft(1_int64, rank)
  call MPI_Allreduce(MPI_IN_PLACE, i8, 1, MPI_INTEGER8, MPI_BOR, MPI_COMM_WORLD, ierr)
  call check(i8 == ishft(1_int64, nranks) - 1, 'MPI_BOR')
  two_integers = [abs(rank - 1), rank]
  call MPI_Allreduce(MPI_IN_PLACE, two_integers, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, ierr)
  call check(all(two_integers == [0, 1]), 'MPI_2INTEGER')
  two_reals = [abs(rank - 1) * 0.5, real(rank)]
  call MPI_Allreduce(MPI_IN_PLACE, two_reals, 1, MPI_2REAL, MPI_MINLOC, MPI_COMM_WORLD, ierr)
  call check(all(two_reals == [0.0, 1.0]), 'MPI_2REAL')
  two_doubles = [-abs(rank - 1) * 0.5d0, dble(rank)]
  call MPI_Allreduce(MPI_IN_PLACE, two_doubles, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
  call check(all(two_doubles == [0d0, 1d0]), 'MPI_2DOUBLE_PRECISION')
  call finish()
end program
