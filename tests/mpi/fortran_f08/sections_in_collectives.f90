! Array sections in collective operations: rows as each rank's part, blocks whose parts are whole columns, parts of
! different shapes (which are copied), reductions, counts and displacements for each rank; blocking, non-blocking
! and persistent.
! ranks: 2 4
include 'checks_f08.inc'

program collectives
  use checks
  implicit none
  integer, parameter :: n = 12
  integer, asynchronous :: a(n, n), b(n, n), c(n, n)
  integer :: i, j, k, one(3)
  type(MPI_Request) :: request
  call start()
  one = [(100*rank + i, i=1, 3)]

  ! A row holds the parts of all ranks.
  a = -1
  call MPI_Gather(one, 3, MPI_INTEGER, a(2, 1:3*nranks), 3, MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (rank == 0) call check(all(a(2, 1:3*nranks) == [((100*j + i, i=1, 3), j=0, nranks - 1)]), 'gathered in a row')
  if (rank == 0) call check(count(a == -1) == n*n - 3*nranks, 'nothing else is written')
  a = -1
  call MPI_Allgather(one, 3, MPI_INTEGER, a(2, 1:3*nranks), 3, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(a(2, 1:3*nranks) == [((100*j + i, i=1, 3), j=0, nranks - 1)]), 'all gathered in a row')
  ! Columns of a block: a part is three elements of one column of rows 2 to 4.
  a = -1
  call MPI_Allgather(one, 3, MPI_INTEGER, a(2:4, 1:nranks), 3, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(a(2:4, 1:nranks) == reshape([((100*j + i, i=1, 3), j=0, nranks - 1)], [3, nranks])), 'gathered in columns')
  call check(count(a == -1) == n*n - 3*nranks, 'nothing beside the columns')
  ! Parts of three in rows of two: each has another shape.
  a = -1
  call MPI_Iallgather(one, 3, MPI_INTEGER, a(3:4, :), 3, MPI_INTEGER, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check(all(head(pack(a(3:4, :), .true.), 3*nranks) == [((100*j + i, i=1, 3), j=0, nranks - 1)]), 'parts of other shapes')
  call check(count(a == -1) == n*n - 3*nranks, 'nothing beside them')

  a = -1
  call MPI_Gatherv(one, rank + 1 - rank/3, MPI_INTEGER, a(5, :), [(i + 1 - i/3, i=0, nranks - 1)], [(3*i, i=0, nranks - 1)], &
                   MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (rank == 0) then
    do i = 0, nranks - 1
      call check(all(a(5, 3*i + 1:3*i + i + 1 - i/3) == [(100*i + k, k=1, i + 1 - i/3)]), 'gathered with displacements')
    end do
  end if

  b = reshape([(i, i=1, n*n)], [n, n]) + 1000*rank
  c = -1
  call MPI_Alltoall(b(1, 1:2*nranks), 2, MPI_INTEGER, c(4, 1:2*nranks), 2, MPI_INTEGER, MPI_COMM_WORLD)
  do i = 0, nranks - 1
    call check(all(c(4, 2*i + 1:2*i + 2) == b(1, 2*rank + 1:2*rank + 2) - 1000*rank + 1000*i), 'all to all in rows')
  end do
  c = -1
  call MPI_Scatter(b(1:n:3, 1:nranks), 4, MPI_INTEGER, c(6, 1:8:2), 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call check(all(c(6, 1:8:2) == b(1:n:3, rank + 1) - 1000*rank), 'scattered columns with gaps')
  call MPI_Bcast(b(1:n:2, 2:5), 24, MPI_INTEGER, nranks - 1, MPI_COMM_WORLD)
  call check(all(b(1:n:2, 2:5) == reshape([((i + n*j + 1000*(nranks - 1), i=1, n, 2), j=1, 4)], [6, 4])), 'broadcast')

  ! Reductions know no derived datatypes: they work on copies.
  b = reshape([(i, i=1, n*n)], [n, n])*(rank + 1)
  c = -1
  call MPI_Allreduce(b(3, :), c(7, :), n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(all(c(7, :) == [(3 + n*i, i=0, n - 1)]*nranks*(nranks + 1)/2), 'reduced rows')
  call check(count(c /= -1) == n, 'only the row is written')
  c = 1
  call MPI_Iallreduce(MPI_IN_PLACE, c(2:n:2, 3), n/2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check(all(c(2:n:2, 3) == nranks) .and. sum(c) == n*n + (nranks - 1)*n/2, 'reduced in place')
  call MPI_Reduce(b(:, 1:n:2), c(:, 2:n:2), n*n/2, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD)
  if (rank == 0) call check(all(c(:, 2:n:2) == b(:, 1:n:2)*nranks), 'reduced columns')
  call MPI_Exscan(b(1, 1:4), c(1, 1:4), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank > 0) call check(all(c(1, 1:4) == b(1, 1:4)/(rank + 1)*rank*(rank + 1)/2), 'scanned')

  ! Persistent, with new contents for each start.
  call MPI_Allreduce_init(b(4, :), c(8, :), n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
  do k = 1, 3
    b(4, :) = k + rank
    call MPI_Start(request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(c(8, :) == k*nranks + nranks*(nranks - 1)/2), 'a persistent reduction of rows')
  end do
  call MPI_Request_free(request)
  call MPI_Bcast_init(b(5, 1:n:2), n/2, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
  do k = 1, 3
    b(5, :) = k + 10*rank
    call MPI_Start(request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(b(5, 1:n:2) == k) .and. all(b(5, 2:n:2) == k + 10*rank), 'a persistent broadcast')
  end do
  call MPI_Request_free(request)
  call finish()

contains

  function head(values, n)
    integer, intent(in) :: values(:), n
    integer :: head(n)
    head = values(:n)
  end function
end program
