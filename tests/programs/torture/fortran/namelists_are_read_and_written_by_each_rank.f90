! NAMELIST input and output through files and internal files, with other values in every rank.
! ranks: 8 64
include 'checks.inc'

module settings
  implicit none
  integer :: steps = 10, sizes(3) = [1, 2, 3]
  real :: tolerance = 1e-3
  logical :: verbose = .false.
  character(len=20) :: title = 'default'
  namelist /run/ steps, sizes, tolerance, verbose, title
end module

program namelists
  use checks
  use settings
  implicit none
  character(len=200) :: text(3)
  character(len=60) :: file
  call start()
  call check(steps == 10 .and. title == 'default' .and. all(sizes == [1, 2, 3]), 'defaults')
  write (text(1), '(a, i0, a, i0, a)') "&RUN steps=", rank, ", sizes(2)=", 100 + rank, ","
  write (text(2), '(a, i0, a)') " title='run ", rank, "', verbose=T"
  text(3) = ' tolerance = 2.5E-1 /'
  read (text, nml=run)
  call check(steps == rank .and. all(sizes == [1, 100 + rank, 3]) .and. verbose, 'values as read')
  file = file_of('namelist', rank)
  open (20, file=file, status='replace', action='readwrite', delim='quote')
  write (20, nml=run)
  steps = -1
  title = ''
  sizes = 0
  call meet()
  rewind (20)
  read (20, nml=run)
  close (20, status='delete')
  call check(steps == rank .and. all(sizes == [1, 100 + rank, 3]), 'numbers read back')
  write (text(1), '(a, i0)') 'run ', rank
  call check(title == text(1)(1:20) .and. tolerance == 0.25, 'title and tolerance read back')
  call finish()
end program
