! Messages and collective operations take INTEGER(MPI_COUNT_KIND) counts, and collective operations INTEGER(MPI_ADDRESS_KIND)
! displacements, under the names that also take INTEGERs.
! ranks: 2
include 'checks_f08.inc'

program large_counts
  use checks
  implicit none
  integer, parameter :: ck = MPI_COUNT_KIND, ak = MPI_ADDRESS_KIND
  integer, asynchronous :: values(6), got(6), other
  integer(ck) :: n, position, counts(2), ones(2)
  integer(ak) :: places(2)
  character :: buffer(100)
  type(MPI_Datatype) :: types(2)
  type(MPI_Message) :: message
  type(MPI_Request) :: request, requests(2)
  type(MPI_Status) :: status
  call start()
  other = 1 - rank
  values = 10 * rank + [1, 2, 3, 4, 5, 6]
  n = 3
  call MPI_Isend(values, n, MPI_INTEGER, other, 1, MPI_COMM_WORLD, request)
  got = 0
  call MPI_Recv(got, n, MPI_INTEGER, other, 1, MPI_COMM_WORLD, status)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  n = 0
  call MPI_Get_count(status, MPI_INTEGER, n)
  call check(n == 3 .and. all(got == [10 * other + [1, 2, 3], 0, 0, 0]), 'a message')
  n = 7000000000_ck
  call MPI_Status_set_elements(status, MPI_BYTE, n)
  call MPI_Get_elements(status, MPI_BYTE, position)
  call check(position == n, 'a large number of elements')
  n = 6
  call MPI_Isend(values, n, MPI_INTEGER, other, 2, MPI_COMM_WORLD, request)
  call MPI_Mprobe(other, 2, MPI_COMM_WORLD, message, status)
  call MPI_Mrecv(got, n, MPI_INTEGER, message, status)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check_equal(got(6), 10 * other + 6, 'a matched message')
  call MPI_Sendrecv(values, 2_ck, MPI_INTEGER, other, 3, got, 6_ck, MPI_INTEGER, other, 3, MPI_COMM_WORLD, status)
  call MPI_Sendrecv_replace(got, 2_ck, MPI_INTEGER, other, 3, other, 3, MPI_COMM_WORLD, status)
  call check(all(got(:2) == values(:2)), 'there and back')
  call MPI_Send_init(values, n, MPI_INTEGER, other, 4, MPI_COMM_WORLD, requests(1))
  call MPI_Recv_init(got, n, MPI_INTEGER, other, 4, MPI_COMM_WORLD, requests(2))
  call MPI_Startall(2, requests)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call MPI_Request_free(requests(1))
  call MPI_Request_free(requests(2))
  call check_equal(got(5), 10 * other + 5, 'a persistent message')

  position = 0
  call MPI_Pack(values, 6_ck, MPI_INTEGER, buffer, 100_ck, position, MPI_COMM_WORLD)
  call MPI_Pack_size(6_ck, MPI_INTEGER, MPI_COMM_WORLD, n)
  call check(n >= position .and. position == 24, 'packed')
  position = 0
  call MPI_Unpack(buffer, 100_ck, position, got, 6_ck, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(got == values), 'unpacked')
  position = 0
  call MPI_Pack_external('external32', values, 6_ck, MPI_INTEGER, buffer, 100_ck, position)
  call MPI_Pack_external_size('external32', 6_ck, MPI_INTEGER, n)
  call check(n == position .and. position == 24, 'packed for others')

  ones = 1
  counts = [1_ck, 2_ck]
  places = [3_ak, 0_ak]
  got = 0
  call MPI_Allgatherv(values, counts(rank + 1), MPI_INTEGER, got, counts, places, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(got == [11, 12, 0, 1, 0, 0]), 'allgatherv')
  call MPI_Alltoallv(values, ones, places, MPI_INTEGER, got, ones, places, MPI_INTEGER, MPI_COMM_WORLD)
  call check(got(4) == merge(4, 1, rank == 0) .and. got(1) == merge(14, 11, rank == 0), 'alltoallv')
  types = MPI_INTEGER
  places = [4_ak, 0_ak]
  call MPI_Ialltoallw(values, ones, places, types, got, ones, places, types, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check(got(2) == merge(2, 1, rank == 0) .and. got(1) == merge(12, 11, rank == 0), 'alltoallw')
  call MPI_Gather(rank, 1_ck, MPI_INTEGER, got, 1_ck, MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (rank == 0) call check(all(got(:2) == [0, 1]), 'gather')
  call MPI_Scatterv(values, ones, [5_ak, 1_ak], MPI_INTEGER, got, 1_ck, MPI_INTEGER, 1, MPI_COMM_WORLD)
  call check_equal(got(1), merge(16, 12, rank == 0), 'scatterv')
  call MPI_Reduce_scatter(values, got, [2_ck, 1_ck], MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check_equal(got(1), merge(12, 16, rank == 0), 'reduce_scatter')
  call MPI_Allreduce(values, got, 6_ck, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check_equal(got(6), 22, 'allreduce')
  call MPI_Reduce_init(values, got, 2_ck, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
  call MPI_Start(request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Request_free(request)
  if (rank == 0) call check_equal(got(2), 12, 'reduce_init')
  call MPI_Bcast(values, 6_ck, MPI_INTEGER, 1, MPI_COMM_WORLD)
  call check_equal(values(1), 11, 'bcast')
  call finish()
end program
