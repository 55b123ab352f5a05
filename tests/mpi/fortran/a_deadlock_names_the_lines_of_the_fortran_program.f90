! Everybody receives before it sends.
! ranks: 8
! exit: 86
! timeout: 30
! expect: DEADLOCK: all 8 ranks are blocked
! expect: ranks 0-7: MPI_Recv from .* at .*a_deadlock_names_the_lines_of_the_fortran_program.f90:13 in deadlock
program deadlock
  use mpi
  implicit none
  integer :: ierr, rank, got
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Recv(got, 1, MPI_INTEGER, mod(rank + 1, 8), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program
