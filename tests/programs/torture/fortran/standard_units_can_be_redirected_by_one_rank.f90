! OPEN(6, FILE=...) in one rank: what it prints goes to its file, what the others print to the output.
! ranks: 8 64
! expect: ^printed by rank 0$
! expect: ^printed by rank 7$
! expect-not: printed by rank 5$
include 'checks.inc'

program redirect
  use checks
  use, intrinsic :: iso_fortran_env, only: output_unit, error_unit, input_unit
  implicit none
  character(len=60) :: file, line
  logical :: opened
  integer :: number
  call start()
  inquire (output_unit, opened=opened, number=number)
  call check(opened .and. output_unit == 6 .and. error_unit == 0 .and. input_unit == 5, 'standard units')
  file = file_of('redirected', rank)
  if (rank == 5) open (output_unit, file=file, status='replace')
  call meet()
  print '(a, i0)', 'printed by rank ', rank
  call meet()
  if (rank == 5) then
    rewind (output_unit)
    read (output_unit, '(a)') line
    call check(line == 'printed by rank 5', 'the line in the file')
    close (output_unit, status='delete')
  end if
  call finish()
end program
