! A message of reals is received as integers (MPI 5.0 section 3.3.1).
! ranks: 2
! modes: fibers-1 fibers-2 os-threads
! expect: rank 1: MPI_Recv: the message from rank 0 has 3 MPI_REAL, but the receive expects MPI_INTEGER
! expect: \(sent by MPI_Send at .*types_of_fortran_differ.f90:[0-9]+ in types_of_fortran_differ; received at
program types_of_fortran_differ
  use mpi
  implicit none
  integer :: ierr, rank, numbers(3)
  real :: values(3)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  values = 1
  if (rank == 0) call MPI_Send(values, 3, MPI_REAL, 1, 5, MPI_COMM_WORLD, ierr)
  if (rank == 1) call MPI_Recv(numbers, 3, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program
