! ERROR STOP in one rank, while the others wait for it, ends the job with its code; the backtrace tells the line.
! ranks: 8 64
! exit: 7
! expect: ^ERROR STOP 7$
! expect: at .*error_stop_ends_the_job_with_its_code.f90:14
! expect: rank 2 ended with exit code 7 without calling MPI_Finalize
! timeout: 30
include 'checks.inc'

program error_stops
  use checks
  implicit none
  call start()
  if (rank == 2) error stop 7
  call meet()
  call finish()
end program
