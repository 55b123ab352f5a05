! STOP with a text, or without anything, in some ranks after MPI_Finalize: exit code 0.
! ranks: 8 64
! expect: ^STOP well done 3$
! expect-not: STOP well done [^3]
include 'checks.inc'

program stops
  use checks
  implicit none
  call start()
  call finish()
  if (rank == 3) stop 'well done 3'
  if (rank == 4) stop
end program
