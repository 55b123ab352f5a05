! Heat in a plate, by Jacobi's method: each rank has a block of the plate with a border of its neighbours' points. The
! borders are array sections, which go from place to place without a copy: rows are not contiguous in Fortran.
!
!   mpifort -O2 heat.f90 -o heat
!   mpiexec -n 16 ./heat [points in each direction, 256] [steps, 500]
!
! The result does not depend on the number of ranks.
program heat
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1d0)
  type(MPI_Comm) :: plate
  type(MPI_Request) :: requests(8)
  real(dp), allocatable, asynchronous :: u(:, :)
  real(dp), allocatable :: next(:, :)
  integer :: points, steps, rank, ranks, dims(2), place(2), first(2), last(2), step, i, j
  integer :: above, below, left, right
  real(dp) :: change, total, begin

  call MPI_Init()
  points = argument(1, 256)
  steps = argument(2, 500)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  dims = 0
  call MPI_Dims_create(ranks, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .true., plate)
  call MPI_Comm_rank(plate, rank)
  call MPI_Cart_coords(plate, rank, 2, place)
  call MPI_Cart_shift(plate, 0, 1, above, below)
  call MPI_Cart_shift(plate, 1, 1, left, right)

  ! My points, numbered as in the whole plate; the border is hot at the top and cold elsewhere.
  first = place*points/dims + 1
  last = (place + 1)*points/dims
  allocate (u(first(1) - 1:last(1) + 1, first(2) - 1:last(2) + 1), source=0d0)
  allocate (next, source=u)
  if (place(1) == 0) u(0, :) = 100
  begin = MPI_Wtime()

  do step = 1, steps
    associate (top => first(1), bottom => last(1), west => first(2), east => last(2))
      call MPI_Irecv(u(top - 1, west:east), east - west + 1, MPI_DOUBLE_PRECISION, above, 1, plate, requests(1))
      call MPI_Irecv(u(bottom + 1, west:east), east - west + 1, MPI_DOUBLE_PRECISION, below, 2, plate, requests(2))
      call MPI_Irecv(u(top:bottom, west - 1), bottom - top + 1, MPI_DOUBLE_PRECISION, left, 3, plate, requests(3))
      call MPI_Irecv(u(top:bottom, east + 1), bottom - top + 1, MPI_DOUBLE_PRECISION, right, 4, plate, requests(4))
      call MPI_Isend(u(bottom, west:east), east - west + 1, MPI_DOUBLE_PRECISION, below, 1, plate, requests(5))
      call MPI_Isend(u(top, west:east), east - west + 1, MPI_DOUBLE_PRECISION, above, 2, plate, requests(6))
      call MPI_Isend(u(top:bottom, east), bottom - top + 1, MPI_DOUBLE_PRECISION, right, 3, plate, requests(7))
      call MPI_Isend(u(top:bottom, west), bottom - top + 1, MPI_DOUBLE_PRECISION, left, 4, plate, requests(8))
      call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE)
    end associate
    change = 0
    do j = first(2), last(2)
      do i = first(1), last(1)
        next(i, j) = (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))/4
        change = max(change, abs(next(i, j) - u(i, j)))
      end do
    end do
    u(first(1):last(1), first(2):last(2)) = next(first(1):last(1), first(2):last(2))
  end do

  total = sum(u(first(1):last(1), first(2):last(2)))
  call MPI_Allreduce(MPI_IN_PLACE, change, 1, MPI_DOUBLE_PRECISION, MPI_MAX, plate)
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, plate)
  if (rank == 0) print '(a, i0, a, i0, a, i0, a, i0, a, i0, a, f8.4, a, es8.1, a, f7.3, a)', 'heat: ', points, ' x ', points, &
    ' points on ', dims(1), ' x ', dims(2), ' ranks, ', steps, ' steps: mean ', total/points**2, ', last change ', change, ', ', &
    MPI_Wtime() - begin, ' s'
  call MPI_Comm_free(plate)
  call MPI_Finalize()

contains

  ! Returns a number of the command line.
  integer function argument(which, default)
    integer, intent(in) :: which, default
    character(len=20) :: text
    integer :: problem
    argument = default
    if (command_argument_count() < which) return
    call get_command_argument(which, text)
    read (text, *, iostat=problem) argument
    if (problem == 0 .and. argument > 0) return
    print '(3a)', 'heat: "', trim(text), '" is not a positive number'
    call MPI_Abort(MPI_COMM_WORLD, 2)
  end function
end program
