! COMMON as a C struct, BIND(C) variables of C in Fortran and of Fortran in C, C calling Fortran back.
! ranks: 8 64
! with: weather.c
include 'checks.inc'

module weather
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), bind(C, name='weather_days') :: days ! defined in C
  real(c_double), bind(C, name='weather_warmest') :: warmest = -273.15d0 ! defined here
  interface
    subroutine weather_report(each) bind(C)
      import
      type(c_funptr), value :: each
    end subroutine
  end interface
  integer :: called = 0
contains
  subroutine each_day(day) bind(C)
    integer(c_int), value :: day
    called = called + day
  end subroutine
end module

program with_c
  use checks
  use weather
  implicit none
  integer :: rain(2)
  double precision :: wind
  common /clouds/ wind, rain
  call start()
  call check(days == 3 .and. warmest == -273.15d0 .and. called == 0, 'fresh')
  call check(wind == 0 .and. all(rain == 0), 'a fresh COMMON')
  days = rank
  call meet()
  call weather_report(c_funloc(each_day)) ! counts days, changes COMMON and warmest
  call meet()
  call check_equal(called, rank * (rank + 1) / 2, 'called back for each of my days')
  call check(wind == rank / 2d0 .and. all(rain == [rank, -rank]), 'what C wrote to my COMMON')
  call check(warmest == rank .and. days == rank, 'what C wrote to my variable')
  call finish()
end program
