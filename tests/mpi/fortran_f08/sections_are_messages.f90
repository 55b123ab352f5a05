! Array sections of one to three dimensions as messages of every kind: what arrives is what the
! compiler's own pack() of the section gives.
! ranks: 2 4
include 'checks_f08.inc'

program sections
  use checks
  implicit none
  integer, parameter :: n = 12
  integer :: a(n, n, n), b(n, n, n), i
  integer :: next, before
  call start()
  next = mod(rank + 1, nranks)
  before = mod(rank + nranks - 1, nranks)
  a = reshape([(i, i=1, n**3)], [n, n, n]) + 10000*rank

  call exchange(a(1, :, 1), b(1, :, 1), 'a row')
  call exchange(a(:, 3, 2), b(:, 3, 2), 'a column')
  call exchange(a(n:1:-1, 1, 1), b(n:1:-1, 1, 1), 'a reversed column')
  call exchange(a(2:11:3, 4, 5), b(2:11:3, 4, 5), 'every third')
  call exchange(a(1, 1, :), b(1, 1, :), 'along the last dimension')
  call exchange2(a(2:5, 2:9, 1), b(2:5, 2:9, 1), 'a block')
  call exchange2(a(1:n:2, :, 3), b(1:n:2, :, 3), 'every other row')
  call exchange2(a(:, 1:n:2, 3), b(:, 1:n:2, 3), 'every other column')
  call exchange2(a(:, 4, :), b(:, 4, :), 'a plane')
  call exchange2(a(n:1:-2, 3:10:4, 3), b(n:1:-2, 3:10:4, 3), 'backwards')
  call exchange3(a(2:4, 3:8, 5:9), b(2:4, 3:8, 5:9), 'a brick')
  call exchange3(a(1:n:3, 1:n:4, 1:n:5), b(1:n:3, 1:n:4, 1:n:5), 'a lattice')
  call exchange3(a(:, :, 1:n:2), b(:, :, 1:n:2), 'every other plane')
  call finish()

contains

  ! Sends the section and receives it into the same section of another array, also only in part, and
  ! into memory without gaps.
  subroutine exchange(from, to, what)
    integer, intent(in), asynchronous :: from(:)
    integer, intent(out), asynchronous :: to(:)
    character(len=*), intent(in) :: what
    integer, allocatable, asynchronous :: dense(:)
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status
    integer :: part, count
    to = -1
    call MPI_Sendrecv(from, size(from), MPI_INTEGER, next, 1, to, size(to), MPI_INTEGER, before, 1, MPI_COMM_WORLD, status)
    call check(all(to == from + 10000*(before - rank)), what)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call check_equal(count, size(from), what//': count')
    allocate (dense(size(from)))
    call MPI_Irecv(dense, size(from), MPI_INTEGER, before, 2, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(from, size(from), MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call check(all(dense == from + 10000*(before - rank)), what//', without gaps')
    do part = 0, size(from), 2
      to = -1
      call MPI_Irecv(to, part, MPI_INTEGER, before, 3, MPI_COMM_WORLD, requests(1))
      call MPI_Send(from, part, MPI_INTEGER, next, 3, MPI_COMM_WORLD)
      call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
      call check(all(to(:part) == from(:part) + 10000*(before - rank)), what//', in part')
      call check(all(to(part + 1:) == -1), what//', the rest')
    end do
  end subroutine

  subroutine exchange2(from, to, what)
    integer, intent(in), asynchronous :: from(:, :)
    integer, intent(out), asynchronous :: to(:, :)
    character(len=*), intent(in) :: what
    integer, asynchronous :: dense(size(from))
    integer :: part
    type(MPI_Request) :: request
    to = -1
    call MPI_Sendrecv(from, size(from), MPI_INTEGER, next, 1, to, size(to), MPI_INTEGER, before, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE)
    call check(all(to == from + 10000*(before - rank)), what)
    do part = 1, size(from), 3
      dense = -1
      call MPI_Irecv(dense, part, MPI_INTEGER, before, 3, MPI_COMM_WORLD, request)
      call MPI_Send(from, part, MPI_INTEGER, next, 3, MPI_COMM_WORLD)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call check(all(dense(:part) == head(pack(from, .true.), part) + 10000*(before - rank)), what//', in part')
      to = -1
      call MPI_Irecv(to, part, MPI_INTEGER, before, 4, MPI_COMM_WORLD, request)
      call MPI_Send(dense, part, MPI_INTEGER, next, 4, MPI_COMM_WORLD)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call check(count(to /= -1) == part, what//', only a part is written')
      call check(all(head(pack(to, .true.), part) == head(pack(from, .true.), part) + 10000*(before_of(before) - rank)), &
                 what//', into a part')
    end do
  end subroutine

  subroutine exchange3(from, to, what)
    integer, intent(in), asynchronous :: from(:, :, :)
    integer, intent(out), asynchronous :: to(:, :, :)
    character(len=*), intent(in) :: what
    integer, asynchronous :: dense(size(from))
    integer :: part
    type(MPI_Request) :: request
    to = -1
    call MPI_Sendrecv(from, size(from), MPI_INTEGER, next, 1, to, size(to), MPI_INTEGER, before, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE)
    call check(all(to == from + 10000*(before - rank)), what)
    do part = 1, size(from), 7
      dense = -1
      call MPI_Irecv(dense, part, MPI_INTEGER, before, 3, MPI_COMM_WORLD, request)
      call MPI_Send(from, part, MPI_INTEGER, next, 3, MPI_COMM_WORLD)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call check(all(dense(:part) == head(pack(from, .true.), part) + 10000*(before - rank)), what//', in part')
    end do
  end subroutine

  integer function before_of(r)
    integer, intent(in) :: r
    before_of = mod(r + nranks - 1, nranks)
  end function

  function head(values, n)
    integer, intent(in) :: values(:), n
    integer :: head(n)
    head = values(:n)
  end function
end program
