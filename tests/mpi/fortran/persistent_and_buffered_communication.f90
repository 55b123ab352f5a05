! Persistent requests, MPI_Startall; MPI_Buffer_attach and MPI_Bsend; MPI_Pack and MPI_Unpack.
! ranks: 2 8
include 'checks.inc'

program persistent
  use checks
  implicit none
  ! The library reads and writes them at other times than the calls that name them (section 19.1.16).
  integer, asynchronous :: out, in
  integer :: next, before, round, requests(2), bytes, position
  integer :: room(1000), packed(100), numbers(3)
  double precision :: value
  call start()
  next = mod(rank + 1, nranks)
  before = mod(rank + nranks - 1, nranks)
  call MPI_Send_init(out, 1, MPI_INTEGER, next, 4, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Recv_init(in, 1, MPI_INTEGER, before, 4, MPI_COMM_WORLD, requests(2), ierr)
  do round = 1, 20
    out = 100 * round + rank
    call MPI_Startall(2, requests, ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call check_equal(in, 100 * round + before, 'what came in this round')
    call check(all(requests /= MPI_REQUEST_NULL), 'persistent requests stay')
  end do
  call MPI_Request_free(requests(1), ierr)
  call MPI_Request_free(requests(2), ierr)
  call check(all(requests == MPI_REQUEST_NULL), 'freed')

  call MPI_Buffer_attach(room, 4000, ierr)
  call MPI_Bsend(rank, 1, MPI_INTEGER, next, 5, MPI_COMM_WORLD, ierr)
  call MPI_Bsend(rank + 1, 1, MPI_INTEGER, next, 5, MPI_COMM_WORLD, ierr)
  call MPI_Recv(in, 1, MPI_INTEGER, before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check_equal(in, before, 'the first buffered')
  call MPI_Recv(in, 1, MPI_INTEGER, before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check_equal(in, before + 1, 'the second buffered')
  call MPI_Buffer_detach(room, bytes, ierr)
  call check_equal(bytes, 4000, 'bytes of the buffer')

  position = 0
  call MPI_Pack(rank, 1, MPI_INTEGER, packed, 400, position, MPI_COMM_WORLD, ierr)
  call MPI_Pack(rank / 4d0, 1, MPI_DOUBLE_PRECISION, packed, 400, position, MPI_COMM_WORLD, ierr)
  call MPI_Pack([1, 2, 3], 3, MPI_INTEGER, packed, 400, position, MPI_COMM_WORLD, ierr)
  call MPI_Sendrecv_replace(packed, position, MPI_PACKED, next, 6, before, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  bytes = position
  position = 0
  call MPI_Unpack(packed, bytes, position, in, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call MPI_Unpack(packed, bytes, position, value, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
  call MPI_Unpack(packed, bytes, position, numbers, 3, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check(in == before .and. value == before / 4d0 .and. all(numbers == [1, 2, 3]), 'unpacked')
  call finish()
end program
