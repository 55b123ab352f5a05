! MPI_Buffer_attach provides room for MPI_Bsend; MPI_Buffer_flush, MPI_Buffer_iflush and MPI_Buffer_detach wait until it is empty.
! ranks: 2
#include "interfaces.inc"

program buffers_are_attached_and_detached
  use checks
  USE_MPI
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32
  implicit none
#include "mpi_declarations.inc"
  integer(int32), target :: room(500)
  integer :: value, n
#if INTERFACE == 8
  integer(kind=MPI_ADDRESS_KIND) :: place
#endif
  POINTER :: address
  HANDLE(MPI_Request) :: request
  call start()
  call MPI_Buffer_attach(room, 2000, ierr)
  value = 5 + rank
  call MPI_Bsend(value, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierr)
  call MPI_Recv(value, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 6 - rank, 'value')
  call MPI_Buffer_flush(ierr)
  call check_equal(ierr, MPI_SUCCESS, 'flush')
  call MPI_Buffer_iflush(request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(request == MPI_REQUEST_NULL, 'flushed')
  call MPI_Buffer_detach(address, n, ierr)
  call check_equal(n, 2000, 'size')
#if INTERFACE == 8
  call MPI_Get_address(room, place, ierr)
  call check(transfer(address, place) == place, 'detached')
#else
  call check(ierr == MPI_SUCCESS, 'detached')
#endif
  call MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0, ierr)
  call MPI_Bsend(value, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierr)
  call MPI_Recv(value, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 5 + rank, 'value through an automatic buffer')
  call MPI_Buffer_detach(address, n, ierr)
  call check_equal(n, 0, 'size of the automatic buffer')
  call finish()
end program
