! mpif.h in free form, in several program units, with its constants, functions and callbacks.
! ranks: 4
module constants
  implicit none
  include 'mpif.h'
end module

subroutine send_one(value, dest)
  implicit none
  include 'mpif.h'
  real :: value
  integer :: dest, ierr
  call MPI_Send(value, 1, MPI_REAL, dest, 0, MPI_COMM_WORLD, ierr)
end subroutine

program free_form
  use constants
  implicit none
  integer :: rank, size, ierr, request(2), keyval, comm, status(MPI_STATUS_SIZE, 2)
  integer(kind=MPI_ADDRESS_KIND) :: address, extra
  real :: got
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  call MPI_Init(ierr)
  if (ierr /= MPI_SUCCESS) stop 1
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call MPI_Irecv(got, 1, MPI_REAL, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request(1), ierr)
  request(2) = MPI_REQUEST_NULL
  call send_one(real(rank), mod(rank + 1, size))
  call MPI_Waitall(2, request, status, ierr)
  if (got /= real(mod(rank + size - 1, size)) .or. status(MPI_SOURCE, 1) /= nint(got)) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  if (request(1) /= MPI_REQUEST_NULL) call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
  extra = 0
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Comm_free_keyval(keyval, ierr)
  call MPI_Get_address(got, address, ierr)
  if (MPI_Aint_diff(MPI_Aint_add(address, 8_MPI_ADDRESS_KIND), address) /= 8) call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
  call MPI_Get_processor_name(name, size, ierr)
  if (len_trim(name) /= size) call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
  call MPI_Finalize(ierr)
end program
