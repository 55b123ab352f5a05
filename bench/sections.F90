! What a Fortran program waits for, with the interface that it is compiled for: INTERFACE is 77 (mpif.h), 90 (mpi) or 8 (mpi_f08).
!
! Prints lines as bench.h does. With 2 ranks, "pingpong": half a round trip of 8 B. With 1 rank, for each number of elements n, a
! message of row 3 of a matrix (8, n), 8 B each, to oneself: "section" gives the row to MPI_Sendrecv; "by_hand" copies it first in a
! loop; "loop" only copies.
program sections
#if INTERFACE == 8
  use mpi_f08
#elif INTERFACE == 90
  use mpi
#endif
  implicit none
#if INTERFACE == 77
  include 'mpif.h'
#endif
  integer, parameter :: dp = kind(1d0), samples = 5
  integer :: rank, ranks, ierr, i
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  if (ranks == 2) then
    call pingpong()
  else
    do i = 0, 6
      call rows(10**i)
      if (i < 6) call rows(3 * 10**i)
    end do
  end if
  call MPI_Finalize(ierr)

contains

  subroutine print_figure(name, number, seconds)
    character(len=*), intent(in) :: name
    integer, intent(in) :: number
    real(dp), intent(inout) :: seconds(samples)
    real(dp) :: least
    integer :: first, place
    do first = 1, samples
      place = first - 1 + minloc(seconds(first:), 1)
      least = seconds(place)
      seconds(place) = seconds(first)
      seconds(first) = least
    end do
    print '(3a, i0, 3(1x, es12.6), 1x, i0)', '@ ', name, ' ', number, &
      seconds((samples + 1) / 2), seconds(1), seconds(samples), samples
  end subroutine

  subroutine pingpong()
    integer, parameter :: trips = 100000
    real(dp) :: seconds(samples), begin, out, in
    integer :: sample, trip
    out = rank
    do sample = 0, samples ! the first warms up
      begin = MPI_Wtime()
      do trip = 1, trips
        if (rank == 0) then
          call MPI_Send(out, 1, MPI_DOUBLE_PRECISION, 1, 1, MPI_COMM_WORLD, ierr)
          call MPI_Recv(in, 1, MPI_DOUBLE_PRECISION, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        else
          call MPI_Recv(in, 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
          call MPI_Send(out, 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, ierr)
        end if
      end do
      if (sample > 0) seconds(sample) = (MPI_Wtime() - begin) / trips / 2
    end do
    if (in /= 1 - rank) error stop 'wrong value'
    if (rank == 0) call print_figure('pingpong', 8, seconds)
  end subroutine

  subroutine rows(n)
    integer, intent(in) :: n
    real(dp), allocatable :: matrix(:, :), out(:), in(:)
    real(dp) :: section(samples), by_hand(samples), loop(samples), begin
    integer :: sample, time, times, j
    allocate (matrix(8, n), out(n), in(n))
    matrix = 1
    matrix(3, :) = [(j, j=1, n)]
    out = 0
    in = 0
    times = max(3, 2000000 / max(n, 20))
    do sample = 0, samples
      begin = MPI_Wtime()
      do time = 1, times
        call MPI_Sendrecv(matrix(3, :), n, MPI_DOUBLE_PRECISION, 0, 1, in, n, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, &
                          MPI_STATUS_IGNORE, ierr)
      end do
      if (sample > 0) section(sample) = (MPI_Wtime() - begin) / times
      if (any(in /= matrix(3, :))) error stop 'wrong values'
      begin = MPI_Wtime()
      do time = 1, times
        call copy_row(matrix, out, n)
        call MPI_Sendrecv(out, n, MPI_DOUBLE_PRECISION, 0, 1, in, n, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, &
                          MPI_STATUS_IGNORE, ierr)
      end do
      if (sample > 0) by_hand(sample) = (MPI_Wtime() - begin) / times
      begin = MPI_Wtime()
      do time = 1, times
        call copy_row(matrix, out, n)
      end do
      if (sample > 0) loop(sample) = (MPI_Wtime() - begin) / times
    end do
    call print_figure('section', n, section)
    call print_figure('by_hand', n, by_hand)
    call print_figure('loop', n, loop)
  end subroutine

  ! Compiled with -fno-inline: otherwise a loop that is made many times may be made once.
  subroutine copy_row(matrix, out, n)
    real(dp), intent(in) :: matrix(8, *)
    real(dp), intent(inout) :: out(*)
    integer, intent(in) :: n
    integer :: j
    do j = 1, n
      out(j) = matrix(3, j)
    end do
  end subroutine
end program
