! Sizes and extents of the Fortran datatypes are the compiler's; MPI_Sizeof; MPI_Type_match_size;
! MPI_Type_create_f90_real and its like where they are there.
! ranks: 2
include 'checks.inc'

program sizes
  use checks
  use, intrinsic :: iso_fortran_env
  implicit none
  integer :: datatype, n
  double precision :: matrix(3, 4)
  complex(16) :: wide
  logical(1) :: narrow
  character(len=9) :: word
  integer(int16), allocatable :: shorts(:)
  integer(kind=MPI_ADDRESS_KIND) :: lb, extent
  call start()
  call expect(MPI_INTEGER, storage_size(1), 'MPI_INTEGER')
  call expect(MPI_REAL, storage_size(1.0), 'MPI_REAL')
  call expect(MPI_DOUBLE_PRECISION, storage_size(1d0), 'MPI_DOUBLE_PRECISION')
  call expect(MPI_COMPLEX, storage_size((1.0, 1.0)), 'MPI_COMPLEX')
  call expect(MPI_DOUBLE_COMPLEX, storage_size((1d0, 1d0)), 'MPI_DOUBLE_COMPLEX')
  call expect(MPI_LOGICAL, storage_size(.true.), 'MPI_LOGICAL')
  call expect(MPI_CHARACTER, storage_size('x'), 'MPI_CHARACTER')
  call expect(MPI_INTEGER1, 8, 'MPI_INTEGER1')
  call expect(MPI_INTEGER2, 16, 'MPI_INTEGER2')
  call expect(MPI_INTEGER4, 32, 'MPI_INTEGER4')
  call expect(MPI_INTEGER8, 64, 'MPI_INTEGER8')
  call expect(MPI_REAL4, 32, 'MPI_REAL4')
  call expect(MPI_REAL8, 64, 'MPI_REAL8')
  call expect(MPI_REAL16, storage_size(1.0_real128), 'MPI_REAL16')
  call expect(MPI_COMPLEX8, 64, 'MPI_COMPLEX8')
  call expect(MPI_COMPLEX16, 128, 'MPI_COMPLEX16')
  call expect(MPI_COMPLEX32, storage_size(wide), 'MPI_COMPLEX32')
  call expect(MPI_2INTEGER, 64, 'MPI_2INTEGER')
  call expect(MPI_2REAL, 64, 'MPI_2REAL')
  call expect(MPI_2DOUBLE_PRECISION, 128, 'MPI_2DOUBLE_PRECISION')
  call expect(MPI_AINT, 8 * MPI_ADDRESS_KIND, 'MPI_AINT')
  call expect(MPI_COUNT, 8 * MPI_COUNT_KIND, 'MPI_COUNT')
  call expect(MPI_OFFSET, 8 * MPI_OFFSET_KIND, 'MPI_OFFSET')

  call MPI_Sizeof(matrix, n, ierr)
  call check(n == 8 .and. ierr == MPI_SUCCESS, 'MPI_Sizeof of a matrix')
  call MPI_Sizeof(wide, n, ierr)
  call check_equal(n, 32, 'MPI_Sizeof of a complex number')
  call MPI_Sizeof(narrow, n, ierr)
  call check_equal(n, 1, 'MPI_Sizeof of a narrow logical')
  call MPI_Sizeof(word(1:1), n, ierr)
  call check_equal(n, 1, 'MPI_Sizeof of a character')
  allocate (shorts(7))
  call MPI_Sizeof(shorts, n, ierr)
  call check_equal(n, 2, 'MPI_Sizeof of an allocatable array')
  call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, datatype, ierr)
  call MPI_Type_get_extent(datatype, lb, extent, ierr)
  call check(lb == 0 .and. extent == 8, 'Type_match_size')
  call finish()

contains

  subroutine expect(type, bits, name)
    integer, intent(in) :: type, bits
    character(len=*), intent(in) :: name
    integer :: bytes
    call MPI_Type_size(type, bytes, ierr)
    call check_equal(bytes * 8, bits, name)
  end subroutine
end program
