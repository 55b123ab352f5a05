! RANDOM_SEED and RANDOM_NUMBER: a generator for each rank, and the same seed gives the same numbers.
! ranks: 8 64
include 'checks.inc'

program random
  use checks
  implicit none
  integer :: n, i, same
  integer, allocatable :: seed(:)
  double precision :: numbers(100), first(100)
  call start()
  call random_seed(size=n)
  allocate (seed(n))
  seed = [(1234 + i, i = 1, n)]
  call random_seed(put=seed)
  ! Everyone draws in turns with the others.
  do i = 1, 100
    call random_number(numbers(i))
    if (mod(i, 25) == 0) call meet()
  end do
  first = numbers
  call MPI_Bcast(first, 100, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call check(all(numbers == first), 'the numbers of rank 0')
  call random_seed(get=seed)
  call random_number(numbers)
  call random_seed(put=seed)
  call random_number(first)
  call check(all(numbers == first), 'my numbers again')
  call check(rand(7) == rand(7), 'the older generator')
  call MPI_Allreduce(int(1d6 * numbers(1)), same, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  call check_equal(int(1d6 * numbers(1)), same, 'one sequence in all ranks')
  call finish()
end program
