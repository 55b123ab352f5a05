! IEEE rounding modes and exception flags survive the switches between ranks and are the rank's own.
! ranks: 8 64
include 'checks.inc'

program ieee
  use checks
  use, intrinsic :: ieee_arithmetic
  implicit none
  type(ieee_round_type) :: mode
  double precision, volatile :: one = 1, three = 3, third, zero = 0
  double precision :: expected
  logical :: raised
  integer :: i
  call start()
  call ieee_get_rounding_mode(mode)
  call check(mode == ieee_nearest, 'the first mode')
  call ieee_get_flag(ieee_divide_by_zero, raised)
  call check(.not. raised, 'no flag at first')
  if (mod(rank, 2) == 1) call ieee_set_rounding_mode(ieee_up)
  third = one / three
  expected = third
  if (rank == 3) third = one / zero
  do i = 1, 20
    call meet()
    third = one / three
    call check(third == expected, 'one third as before')
  end do
  call ieee_get_rounding_mode(mode)
  if (mod(rank, 2) == 1) then
    call check(mode == ieee_up, 'my mode')
  else
    call check(mode == ieee_nearest, 'the mode that I have left')
  end if
  call ieee_get_flag(ieee_divide_by_zero, raised)
  call check(raised .eqv. rank == 3, 'my flag')
  call ieee_set_flag(ieee_all, .false.)
  call finish()
end program
