! User-defined derived-type output, non-advancing reads that wait for other ranks in the middle of a record.
! ranks: 8 64
include 'checks.inc'

module temperatures
  implicit none
  type celsius
    real :: degrees = 20
  contains
    procedure :: print => print_celsius
    generic :: write(formatted) => print
  end type
  integer :: printed = 0
contains
  subroutine print_celsius(this, unit, iotype, v_list, iostat, iomsg)
    class(celsius), intent(in) :: this
    integer, intent(in) :: unit, v_list(:)
    character(len=*), intent(in) :: iotype
    integer, intent(out) :: iostat
    character(len=*), intent(inout) :: iomsg
    write (unit, '(f0.1, a)', iostat=iostat, iomsg=iomsg) this%degrees, ' C'
    printed = printed + 1
  end subroutine
end module

program derived_io
  use checks
  use temperatures
  implicit none
  character(len=40) :: text
  character :: c
  integer :: i, unit, length, status
  call start()
  call check_equal(printed, 0, 'nothing printed yet')
  write (text, '(dt)') celsius(rank + 0.5)
  call check(index(text, '.5 C') > 0 .and. printed == 1, 'printed by my subroutine')
  open (newunit=unit, status='scratch')
  write (unit, '(i5.5, a, a)') rank, ',', repeat('y', rank)
  write (unit, '(a)') 'second'
  rewind (unit)
  read (unit, '(i5)', advance='no') i
  call meet()
  call check_equal(i, rank, 'the first field of the record')
  read (unit, '(a)', advance='no') c
  call check(c == ',', 'the next character')
  call meet()
  read (unit, '(a)', advance='no', size=length, iostat=status) text
  call check(length == min(rank, 40), 'the rest of the record')
  if (rank >= 40) read (unit, '()') ! the rest of the rest
  call meet()
  read (unit, '(a)') text
  call check(text == 'second', 'the second record')
  close (unit)
  call finish()
end program
