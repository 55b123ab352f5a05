! Unformatted files of the three kinds of access (sequential, direct, stream) on one unit number.
! ranks: 8 64
include 'checks.inc'

program unformatted
  use checks
  implicit none
  double precision :: out(100), in(100)
  integer :: i, n, length, position
  character(len=60) :: file
  call start()
  out = [(rank + i / 128d0, i = 1, 100)]
  file = file_of('unformatted', rank)

  open (11, file=file, form='unformatted', status='replace')
  do i = 1, 20
    write (11) i, rank, out(1:i)
  end do
  call meet()
  rewind (11)
  do i = 1, 20
    in = 0
    read (11) n, length, in(1:i)
    call check(n == i .and. length == rank .and. all(in(1:i) == out(1:i)), 'my record')
  end do
  close (11, status='delete')

  inquire (iolength=length) out
  open (11, file=file, form='unformatted', access='direct', recl=length, status='replace')
  do i = 5, 1, -1
    write (11, rec=i) out + i
  end do
  call meet()
  read (11, rec=3) in
  call check(all(in == out + 3), 'my record by number')
  close (11, status='delete')

  open (11, file=file, form='unformatted', access='stream', status='replace')
  write (11) 'head', out
  inquire (11, pos=position)
  call check_equal(position, 4 + 800 + 1, 'the position')
  call meet()
  read (11, pos=5 + 8 * 49) in(1)
  call check(in(1) == out(50), 'my stream')
  close (11, status='delete')
  call finish()
end program
