! DATE_AND_TIME, SYSTEM_CLOCK, CPU_TIME, ETIME: they run, and a rank that waits uses no time of its own.
! ranks: 8 64
include 'checks.inc'

program timers
  use checks
  implicit none
  character(len=8) :: date
  character(len=10) :: time
  character(len=5) :: zone
  integer :: values(8), first, last, rate, i
  double precision :: begin, end, x
  real :: before, after
  call start()
  call date_and_time(date, time, zone, values)
  call check(values(1) > 2000 .and. values(2) <= 12 .and. len_trim(date) == 8 .and. len_trim(time) == 10, 'the date')
  call system_clock(first, rate)
  begin = MPI_Wtime()
  call cpu_time(before)
  x = 0
  do i = 1, 100000
    x = x + sin(dble(i))
  end do
  call meet()
  call cpu_time(after)
  call system_clock(last)
  end = MPI_Wtime()
  call check(x < 2 .and. after >= before .and. last >= first .and. end >= begin, 'time passes')
  call check(abs((last - first) / dble(rate) - (end - begin)) < 0.5, 'two clocks agree')
  call finish()
end program
