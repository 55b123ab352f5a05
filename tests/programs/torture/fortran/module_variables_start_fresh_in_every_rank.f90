! Module variables: scalars, arrays in data and bss, derived types with default values, pointers.
! ranks: 8 64
include 'checks.inc'

module state
  implicit none
  type particle
    integer :: id = -7
    double precision :: position(3) = [1d0, 2d0, 3d0]
    type(particle), pointer :: next => null()
  end type
  integer, parameter :: constant(3) = [9, 8, 7]
  integer :: initialised = 42, plain
  double precision :: table(5) = [0.5d0, 1.5d0, 2.5d0, 3.5d0, 4.5d0]
  double precision :: large(200000)
  type(particle), target :: head
  type(particle), pointer :: walker => head
  integer, pointer :: loose => null()
  integer, target :: aimed_at = 5
  integer, pointer :: aim => aimed_at
  character(len=16) :: name = 'nobody'
  logical, private :: hidden = .false.
contains
  logical function was_hidden()
    was_hidden = hidden
    hidden = .true.
  end function
end module

module other
  use state, only: renamed => initialised
  implicit none
  integer :: initialised = 1 ! another variable of the same name
end module

program module_variables
  use checks
  use state
  use other, only: others_own => initialised, renamed
  implicit none
  call start()
  call check(initialised == 42 .and. plain == 0 .and. renamed == 42 .and. others_own == 1, 'scalars')
  call check(all(table == [0.5d0, 1.5d0, 2.5d0, 3.5d0, 4.5d0]), 'table')
  call check(all(large == 0), 'bss')
  call check(head%id == -7 .and. all(head%position == [1, 2, 3]), 'default values')
  call check(associated(walker, head) .and. .not. associated(head%next), 'pointer to my own head')
  call check(associated(aim, aimed_at) .and. aim == 5 .and. .not. associated(loose), 'pointers')
  call check(name == 'nobody' .and. .not. was_hidden() .and. all(constant == [9, 8, 7]), 'others')
  renamed = rank
  plain = -rank
  others_own = 2 * rank
  table = rank
  large = rank
  walker%id = rank
  allocate (head%next)
  head%next%id = rank + 1
  allocate (loose)
  loose = rank
  aim = rank
  write (name, '(a, i0)') 'rank', rank
  call meet()
  call check(initialised == rank .and. plain == -rank .and. others_own == 2 * rank, 'my scalars')
  call check(all(table == rank) .and. all(large == rank), 'my arrays')
  call check(head%id == rank .and. head%next%id == rank + 1 .and. head%next%position(3) == 3, 'my list')
  call check(loose == rank .and. aimed_at == rank .and. was_hidden(), 'my pointers')
  call finish()
end program
