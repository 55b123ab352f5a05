! A fatal error names the call in the program, not a place between it and the library.
! ranks: 2
! exit: 6
! timeout: 30
! expect: rank [01]: MPI_Send: MPI_ERR_RANK: .*dest is 7.* \(at .*an_error_names_the_line_of_the_fortran_program.f90:12 in send_to_nobody
include 'checks.inc'

subroutine send_to_nobody()
  use mpi
  implicit none
  integer :: ierror
  call MPI_Send(5, 1, MPI_INTEGER, 7, 0, MPI_COMM_WORLD, ierror)
end subroutine

program wrong
  use checks
  implicit none
  call start()
  call send_to_nobody()
  call finish()
end program
