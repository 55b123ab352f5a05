! Every kind of send and receive; statuses; indices count from 1; STATUS_IGNORE and STATUSES_IGNORE.
! ranks: 2 8
include 'checks.inc'

program messages
  use checks
  implicit none
  integer, asynchronous :: got(10)
  integer :: next, before, i, n, requests(4), statuses(MPI_STATUS_SIZE, 4), status(MPI_STATUS_SIZE)
  integer :: indices(4), message, index
  double precision :: values(6)
  double precision, asynchronous :: received(6)
  character(len=12), asynchronous :: text
  logical :: flag
  call start()
  next = mod(rank + 1, nranks)
  before = mod(rank + nranks - 1, nranks)

  values = [(rank + i / 8d0, i = 1, 6)]
  call MPI_Irecv(received, 6, MPI_DOUBLE_PRECISION, before, 1, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Send(values, 6, MPI_DOUBLE_PRECISION, next, 1, MPI_COMM_WORLD, ierr)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
  call check(all(received == [(before + i / 8d0, i = 1, 6)]), 'received')
  call check(requests(1) == MPI_REQUEST_NULL, 'the request is null after MPI_Wait')

  ! The strided section goes through a copy of the compiler's.
  call MPI_Sendrecv(values(1:6:2), 3, MPI_DOUBLE_PRECISION, next, 2, received, 6, MPI_DOUBLE_PRECISION, before, 2, &
                    MPI_COMM_WORLD, status, ierr)
  call MPI_Get_count(status, MPI_DOUBLE_PRECISION, n, ierr)
  call check(n == 3 .and. status(MPI_SOURCE) == before .and. status(MPI_TAG) == 2, 'status')
  call check(received(3) == before + 5 / 8d0, 'every second')

  do i = 1, 4
    call MPI_Irecv(got(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, 10 + i, MPI_COMM_WORLD, requests(i), ierr)
  end do
  call MPI_Testany(4, requests, index, flag, status, ierr)
  call check(.not. flag .and. index == MPI_UNDEFINED, 'nothing is there yet')
  call meet()
  call MPI_Ssend(rank, 1, MPI_INTEGER, next, 13, MPI_COMM_WORLD, ierr)
  call MPI_Waitany(4, requests, index, status, ierr)
  call check(index == 3 .and. got(3) == before .and. status(MPI_TAG) == 13, 'Waitany counts from 1')
  call meet()
  call MPI_Send(rank, 1, MPI_INTEGER, next, 11, MPI_COMM_WORLD, ierr)
  call MPI_Waitsome(4, requests, n, indices, statuses, ierr)
  call check(n == 1 .and. indices(1) == 1 .and. statuses(MPI_TAG, 1) == 11, 'Waitsome counts from 1')
  call meet()
  call MPI_Rsend(rank, 1, MPI_INTEGER, next, 14, MPI_COMM_WORLD, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, next, 12, MPI_COMM_WORLD, ierr)
  call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
  call check(all(got(1:4) == before) .and. all(requests == MPI_REQUEST_NULL), 'Waitall')
  call MPI_Waitany(4, requests, index, status, ierr)
  call check(index == MPI_UNDEFINED, 'Waitany of null requests')
  call MPI_Testsome(4, requests, n, indices, MPI_STATUSES_IGNORE, ierr)
  call check(n == MPI_UNDEFINED, 'Testsome of null requests')

  write (text, '(a, i0)') 'text ', rank
  call MPI_Isend(text, len(text), MPI_CHARACTER, next, 20, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Mprobe(before, 20, MPI_COMM_WORLD, message, status, ierr)
  call MPI_Get_count(status, MPI_CHARACTER, n, ierr)
  call check(n == len(text) .and. message /= MPI_MESSAGE_NULL, 'Mprobe')
  call MPI_Wait(requests(1), status, ierr)
  text = ''
  call MPI_Mrecv(text, n, MPI_CHARACTER, message, status, ierr)
  read (text(6:), *) n
  call check(n == before .and. text(:5) == 'text ' .and. message == MPI_MESSAGE_NULL, 'a text')

  call MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierr)
  call check(.not. flag, 'no message of tag 99')
  call MPI_Irecv(n, 1, MPI_INTEGER, before, 99, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Cancel(requests(1), ierr)
  call MPI_Wait(requests(1), status, ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call check(flag, 'cancelled')
  call MPI_Sendrecv_replace(got, 4, MPI_INTEGER, next, 7, before, 7, MPI_COMM_WORLD, status, ierr)
  call check(all(got(1:4) == mod(before + nranks - 1, nranks)), 'replaced')
  call MPI_Recv(got, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status, ierr)
  call check(status(MPI_SOURCE) == MPI_PROC_NULL .and. status(MPI_TAG) == MPI_ANY_TAG, 'from nobody')
  call finish()
end program
