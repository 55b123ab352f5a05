! call exit(): units that are still open are flushed and closed by that rank's own library.
! ranks: 8 64
include 'checks.inc'

program exits
  use checks
  implicit none
  character(len=60) :: file
  integer :: number
  logical :: there
  call start()
  file = file_of('exit', rank)
  open (15, file=file, status='replace')
  write (15, *) rank
  call finish()
  if (mod(rank, 2) == 0) call exit(0)
  ! The even neighbour ends at once, its unit 15 still open; its file must get its line.
  file = file_of('exit', rank - 1)
  do
    inquire (file=file, exist=there, size=number)
    if (there .and. number > 0) exit
    call sleep(1)
  end do
  open (16, file=file, status='old')
  read (16, *) number
  call check_equal(number, rank - 1, 'what my neighbour left')
  close (16, status='delete')
  close (15, status='delete')
end program
