! MPI 5.0 section 18.1: ten subroutines were removed in MPI 3.0. Old programs call them; addresses, extents and
! displacements are INTEGERs.
! flags: -w -Wl,--no-warnings
! ranks: 1 3
include 'checks.inc'

module counted
  implicit none
  integer :: handled = 0
end module

subroutine handle(comm, code)
  use mpi
  use counted
  implicit none
  integer :: comm, code, class, ierr
  call MPI_ERROR_CLASS(code, class, ierr)
  if (comm == MPI_COMM_SELF .and. class == MPI_ERR_TAG) handled = handled + 1
end subroutine

subroutine check_bounds(datatype, lower, upper)
  use checks
  implicit none
  integer, intent(in) :: datatype, lower, upper
  integer :: lb, ub, extent
  call MPI_TYPE_LB(datatype, lb, ierr)
  call MPI_TYPE_UB(datatype, ub, ierr)
  call MPI_TYPE_EXTENT(datatype, extent, ierr)
  call check_equal(lb, lower, 'lower bound')
  call check_equal(ub, upper, 'upper bound')
  call check_equal(extent, upper - lower, 'extent')
end subroutine

! A COMMON block goes round as one message.
subroutine common_blocks_are_sent()
  use checks
  implicit none
  integer :: number, left, datatype, lengths(2), places(2), types(2), first
  double precision :: values(3)
  common /particle/ values, number
  left = mod(rank + nranks - 1, nranks)
  values = rank + 0.5d0
  number = rank
  lengths = [1, 3]
  types = [MPI_INTEGER, MPI_DOUBLE_PRECISION]
  call MPI_ADDRESS(number, places(1), ierr)
  call MPI_ADDRESS(values, places(2), ierr)
  first = places(1)
  places = places - first
  call check_equal(places(1), 0, 'displacement of the number')
  call check_equal(places(2), -24, 'displacement of the values')
  call MPI_TYPE_STRUCT(2, lengths, places, types, datatype, ierr)
  call MPI_TYPE_COMMIT(datatype, ierr)
  call MPI_SENDRECV_REPLACE(number, 1, datatype, mod(rank + 1, nranks), 0, left, 0, MPI_COMM_WORLD, &
                            MPI_STATUS_IGNORE, ierr)
  call check_equal(number, left, 'number')
  call check(all(values == left + 0.5d0), 'values')
  call MPI_TYPE_FREE(datatype, ierr)
end subroutine

subroutine bounds_are_members()
  use checks
  implicit none
  integer :: datatype
  call MPI_TYPE_STRUCT(3, [1, 1, 1], [-8, 4, 40], [MPI_LB, MPI_INTEGER, MPI_UB], datatype, ierr)
  call check_bounds(datatype, -8, 40)
  call MPI_TYPE_FREE(datatype, ierr)
  call MPI_TYPE_HVECTOR(3, 2, 20, MPI_INTEGER, datatype, ierr)
  call check_bounds(datatype, 0, 48)
  call MPI_TYPE_FREE(datatype, ierr)
  call MPI_TYPE_HINDEXED(2, [1, 2], [16, 32], MPI_INTEGER, datatype, ierr)
  call check_bounds(datatype, 16, 40)
  call MPI_TYPE_FREE(datatype, ierr)
end subroutine

subroutine error_handlers_are_subroutines()
  use checks
  use counted
  implicit none
  external :: handle
  integer :: handler, got
  call MPI_ERRHANDLER_CREATE(handle, handler, ierr)
  call MPI_ERRHANDLER_SET(MPI_COMM_SELF, handler, ierr)
  call MPI_ERRHANDLER_GET(MPI_COMM_SELF, got, ierr)
  call MPI_SEND(rank, 1, MPI_INTEGER, 0, -9, MPI_COMM_SELF, ierr)
  call check_equal(handled, 1, 'calls of the error handler')
  call MPI_ERRHANDLER_FREE(got, ierr)
  call MPI_ERRHANDLER_FREE(handler, ierr)
end subroutine

! An extent that an INTEGER cannot hold is refused, not truncated.
subroutine large_extents_are_refused()
  use checks
  implicit none
  integer :: datatype, extent, class, code
  call MPI_ERRHANDLER_SET(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_TYPE_CONTIGUOUS(2**30, MPI_INTEGER, datatype, ierr)
  extent = -1
  call MPI_TYPE_EXTENT(datatype, extent, code)
  call MPI_ERROR_CLASS(code, class, ierr)
  call check_equal(class, MPI_ERR_VALUE_TOO_LARGE, 'error class')
  call check_equal(extent, -1, 'extent')
  call MPI_TYPE_UB(datatype, extent, ierr)
  call check(ierr /= MPI_SUCCESS, 'the upper bound is refused')
  call MPI_TYPE_LB(datatype, extent, ierr)
  call check_equal(extent, 0, 'lower bound')
  call MPI_TYPE_FREE(datatype, ierr)
  call MPI_TYPE_STRUCT(1, [1], [0], [MPI_DATATYPE_NULL], datatype, code)
  call MPI_ERROR_CLASS(code, class, ierr)
  call check_equal(class, MPI_ERR_TYPE, 'error class')
end subroutine

program removed
  use checks
  implicit none
  call start()
  call common_blocks_are_sent()
  call bounds_are_members()
  call error_handlers_are_subroutines()
  call large_extents_are_refused()
  call finish()
end program
