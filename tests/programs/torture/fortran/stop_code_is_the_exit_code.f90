! STOP with a number, after MPI_Finalize: the exit code of that rank, hence of the job.
! ranks: 8 64
! exit: 3
! expect: ^STOP 3$
include 'checks.inc'

program stops
  use checks
  implicit none
  call start()
  call finish()
  if (rank == 5) stop 3
end program
