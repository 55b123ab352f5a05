! Collectives with Fortran arrays; MPI_IN_PLACE; arguments that count only at the root.
! ranks: 1 8 13
include 'checks.inc'

program collective
  use checks
  implicit none
  integer :: i, total, table(3, 4), zero(1)
  integer, allocatable :: counts(:), displs(:), all_of_them(:), mine(:), types(:), from(:), to(:)
  double precision :: sums(5)
  character(len=5) :: word
  logical :: yes
  call start()
  table = 0
  if (rank == 0) table = reshape([(i, i = 1, 12)], [3, 4])
  call MPI_Bcast(table, 12, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call check(all(table == reshape([(i, i = 1, 12)], [3, 4])), 'Bcast')
  word = merge('hello', '     ', rank == nranks - 1)
  call MPI_Bcast(word, 5, MPI_CHARACTER, nranks - 1, MPI_COMM_WORLD, ierr)
  call check(word == 'hello', 'Bcast of a word')

  sums = [(dble(i * rank), i = 1, 5)]
  call MPI_Allreduce(MPI_IN_PLACE, sums, 5, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(all(sums == [(dble(i * nranks * (nranks - 1) / 2), i = 1, 5)]), 'Allreduce in place')
  total = -1
  call MPI_Reduce(rank + 1, total, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  call check_equal(total, merge(nranks, -1, rank == 0), 'Reduce')
  call MPI_Allreduce(rank == 0, yes, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
  call check(yes, 'Allreduce of LOGICAL')
  call MPI_Allreduce(rank /= 0, yes, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierr)
  call check(.not. yes, 'MPI_LAND')

  allocate (counts(nranks), displs(nranks), mine(rank + 1))
  counts = [(i, i = 1, nranks)]
  displs = [(i * (i - 1) / 2, i = 1, nranks)]
  allocate (all_of_them(sum(counts)))
  mine = rank
  if (rank == 0) then
    all_of_them = -1
    call MPI_Gatherv(mine, rank + 1, MPI_INTEGER, all_of_them, counts, displs, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    do i = 1, nranks
      call check(all(all_of_them(displs(i) + 1:displs(i) + i) == i - 1), 'Gatherv')
    end do
  else
    call MPI_Gatherv(mine, rank + 1, MPI_INTEGER, zero, zero, zero, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Allgatherv(mine, rank + 1, MPI_INTEGER, all_of_them, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check_equal(all_of_them(size(all_of_them)), nranks - 1, 'Allgatherv')
  if (rank == 0) then
    call MPI_Scatterv(all_of_them, counts, displs, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  else
    mine = -1
    call MPI_Scatterv(zero, zero, zero, MPI_INTEGER, mine, rank + 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end if
  call check(all(mine == rank), 'Scatterv')

  allocate (from(nranks), to(nranks), types(nranks))
  from = [(100 * rank + i, i = 0, nranks - 1)]
  call MPI_Alltoall(from, 1, MPI_INTEGER, to, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check(all(to == [(100 * i + rank, i = 0, nranks - 1)]), 'Alltoall')
  counts = 1
  types = MPI_INTEGER
  displs = [(4 * i, i = 0, nranks - 1)]
  to = -1
  call MPI_Alltoallw(from, counts, displs, types, to, counts, displs, types, MPI_COMM_WORLD, ierr)
  call check(all(to == [(100 * i + rank, i = 0, nranks - 1)]), 'Alltoallw')
  call MPI_Alltoallw(MPI_IN_PLACE, zero, zero, zero, to, counts, displs, types, MPI_COMM_WORLD, ierr)
  call check(all(to == from), 'Alltoallw in place transposes back')

  call MPI_Scan(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check_equal(total, rank * (rank + 1) / 2, 'Scan')
  total = 0
  call MPI_Exscan(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check_equal(total, rank * (rank - 1) / 2, 'Exscan')
  to = 1
  call MPI_Reduce_scatter(to, total, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check_equal(total, nranks, 'Reduce_scatter')
  call MPI_Reduce_scatter_block(to, total, 1, MPI_INTEGER, MPI_PROD, MPI_COMM_WORLD, ierr)
  call check_equal(total, 1, 'Reduce_scatter_block')
  total = 5
  call MPI_Reduce_local(rank, total, 1, MPI_INTEGER, MPI_SUM, ierr)
  call check_equal(total, rank + 5, 'Reduce_local')
  call finish()
end program
