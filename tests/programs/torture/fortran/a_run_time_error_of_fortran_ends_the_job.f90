! gfortran's own checks: the message is the rank's, exit code 2 the job's.
! ranks: 8 64
! flags: -fcheck=all
! exit: 2
! timeout: 30
! expect: ^Fortran runtime error: Index '11' of dimension 1 of array 'table' above upper bound of 10
! expect: rank 3 ended with exit code 2 without calling MPI_Finalize
include 'checks.inc'

program wrong
  use checks
  implicit none
  integer :: table(10), i
  call start()
  table = 1
  i = 10
  if (rank == 3) i = 11
  if (table(i) == 1) call meet()
  call finish()
end program
