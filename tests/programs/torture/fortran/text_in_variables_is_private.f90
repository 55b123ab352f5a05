! CHARACTER variables of every sort: fixed, deferred length, arrays, COMMON, internal files.
! ranks: 8 64
include 'checks.inc'

module texts
  implicit none
  character(len=10) :: fixed = 'fixed'
  character(len=:), allocatable :: deferred
  character(len=3) :: week(7) = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  character(len=:), pointer :: seen => null()
  character(len=12), target :: page(2) = ['page one    ', 'page two    ']
end module

program characters
  use checks
  use texts
  implicit none
  character(len=6) :: in_common
  common /words/ in_common
  integer :: number
  call start()
  call check(fixed == 'fixed' .and. .not. allocated(deferred) .and. week(7) == 'sun', 'fresh')
  call check(.not. associated(seen) .and. page(2) == 'page two', 'fresh, too')
  write (fixed, '(a, i0)') 'rank', rank
  deferred = repeat('ab', rank)
  week = week(mod(rank, 7) + 1)
  write (page(1), '(i12)') rank
  seen => page(1)
  in_common = fixed(1:4) // '!'
  call meet()
  read (fixed(5:), *) number
  call check_equal(number, rank, 'the number in my text')
  call check(len(deferred) == 2 * rank .and. all(week == week(1)), 'my texts')
  read (seen, *) number
  call check(number == rank .and. in_common == 'rank!', 'my page')
  call check(rank == 0 .or. index(deferred, 'ab') == 1, 'my deferred text')
  call finish()
end program
