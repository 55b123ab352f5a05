! Formatted files on the same unit numbers at the same time; NEWUNIT; INQUIRE; BACKSPACE; ENDFILE.
! ranks: 8 64
include 'checks.inc'

program units
  use checks
  implicit none
  character(len=200) :: file, name
  character(len=80) :: line
  integer :: i, number, unit, status
  logical :: opened
  call start()
  inquire (10, opened=opened)
  call check(.not. opened, 'unit 10 is not connected yet')
  file = file_of('units', rank)
  open (10, file=file, status='replace')
  do i = 1, 50
    write (10, '(a, i6, f10.3, 1x, es12.4)') 'line', i * 1000 + rank, i / 8.0, 1d0 / (rank + 1)
    if (mod(i, 10) == 0) call meet()
  end do
  inquire (10, opened=opened, name=name)
  call check(opened .and. index(name, trim(file)) > 0, 'unit 10 is my file')
  open (newunit=unit, status='scratch')
  call check(unit < 0, 'newunit is negative')
  write (unit, *) 'scratch of', rank
  call meet()
  rewind (10)
  do i = 1, 50
    read (10, '(a4, i6)') line, number
    call check(line == 'line' .and. number == i * 1000 + rank, 'my line')
  end do
  read (10, '(a)', iostat=status) line
  call check(is_iostat_end(status), 'end of my file')
  backspace (10)
  backspace (10)
  read (10, '(a4, i6)') line, number
  call check_equal(number, 50000 + rank, 'the last line again')
  rewind (unit)
  read (unit, '(a)') line
  read (line(12:), *) number
  call check_equal(number, rank, 'my scratch file')
  close (unit)
  close (10, status='delete')
  inquire (file=file, exist=opened)
  call check(.not. opened, 'my file is deleted')
  open (10, file='no/such/directory', status='old', iostat=status)
  call check(status /= 0, 'errors are told')
  call finish()
end program
