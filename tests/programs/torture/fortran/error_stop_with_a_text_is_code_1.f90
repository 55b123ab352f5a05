! ERROR STOP with a text prints it and ends with exit code 1.
! ranks: 8 64
! exit: 1
! expect: ^ERROR STOP no such luck$
! timeout: 30
include 'checks.inc'

program error_stops
  use checks
  implicit none
  call start()
  if (rank == 6) error stop 'no such luck'
  call meet()
  call finish()
end program
