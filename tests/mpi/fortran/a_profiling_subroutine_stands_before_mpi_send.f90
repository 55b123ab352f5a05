! MPI 5.0 section 15.2: a program may define MPI_SEND itself and reach the library by PMPI_SEND.
! ranks: 2 8
subroutine MPI_Send(buf, count, datatype, dest, tag, comm, ierror)
  implicit none
  include 'mpif.h'
  integer :: buf(*), count, datatype, dest, tag, comm, ierror, sends
  common /profile/ sends
  sends = sends + 1
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
end subroutine

program profiled
  implicit none
  include 'mpif.h'
  integer :: rank, size, ierr, got, sends
  common /profile/ sends
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call PMPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  if (mod(rank, 2) == 0) then
    call MPI_Send(rank, 1, MPI_INTEGER, rank + 1, 0, MPI_COMM_WORLD, ierr)
    call PMPI_Send(rank, 1, MPI_INTEGER, rank + 1, 0, MPI_COMM_WORLD, ierr)
    if (sends /= 1) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  else
    call MPI_Recv(got, 1, MPI_INTEGER, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call PMPI_Recv(got, 1, MPI_INTEGER, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (got /= rank - 1 .or. sends /= 0) call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
  end if
  call MPI_Finalize(ierr)
end program
