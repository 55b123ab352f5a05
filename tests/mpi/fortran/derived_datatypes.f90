! Rows of a matrix, subarrays, blocks, structures with absolute addresses and MPI_BOTTOM; envelopes.
! ranks: 2 8
include 'checks.inc'

module particles
  implicit none
  type particle
    sequence
    double precision :: position(3)
    integer :: id
    character(len=4) :: kind
  end type
end module

program datatypes
  use checks
  use particles
  implicit none
  integer :: next, before, i, row, box, list, structure, packed_structure, n
  integer :: matrix(5, 7), lengths(3), types(3), sizes(4), combiner, integers(10), inner(1)
  integer(kind=MPI_ADDRESS_KIND) :: addresses(3), lb, extent, aints(10)
  type(particle) :: swarm(4), got(4)
  integer :: number
  double precision :: factor
  call start()
  next = mod(rank + 1, nranks)
  before = mod(rank + nranks - 1, nranks)

  matrix = reshape([(1000 * rank + i, i = 1, 35)], [5, 7])
  call MPI_Type_vector(7, 1, 5, MPI_INTEGER, row, ierr)
  call MPI_Type_commit(row, ierr)
  call MPI_Sendrecv_replace(matrix(2, 1), 1, row, next, 0, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(matrix(2, :) == [(1000 * before + 2 + 5 * i, i = 0, 6)]), 'my neighbour''s row 2')
  call check(all(matrix(1, :) == [(1000 * rank + 1 + 5 * i, i = 0, 6)]), 'my own row 1')

  call MPI_Type_create_subarray(2, [5, 7], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, box, ierr)
  call MPI_Type_commit(box, ierr)
  matrix = rank
  call MPI_Sendrecv_replace(matrix, 1, box, next, 0, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(matrix(2:3, 3:5) == before) .and. count(matrix == before) == 6, 'a box')

  call MPI_Type_indexed(2, [2, 1], [0, 4], MPI_INTEGER, list, ierr)
  call MPI_Type_commit(list, ierr)
  matrix(:, 1) = [1, 2, 3, 4, 5] + 10 * rank
  call MPI_Sendrecv_replace(matrix, 1, list, next, 0, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(matrix(:, 1) - [1, 2, 3, 4, 5] == 10 * [before, before, rank, rank, before]), 'chosen elements')

  call MPI_Type_free(list, ierr)

  call MPI_Get_address(swarm(1)%position, addresses(1), ierr)
  call MPI_Get_address(swarm(1)%id, addresses(2), ierr)
  call MPI_Get_address(swarm(1)%kind, addresses(3), ierr)
  do i = 3, 1, -1
    addresses(i) = MPI_Aint_diff(addresses(i), addresses(1))
  end do
  lengths = [3, 1, 4]
  types = [MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_CHARACTER]
  call MPI_Type_create_struct(3, lengths, addresses, types, packed_structure, ierr)
  n = storage_size(swarm(1)%id) / 8
  extent = storage_size(swarm(1)) / 8
  call MPI_Type_create_resized(packed_structure, 0_MPI_ADDRESS_KIND, extent, structure, ierr)
  call MPI_Type_free(packed_structure, ierr)
  call MPI_Type_commit(structure, ierr)
  do i = 1, 4
    swarm(i) = particle([rank, i, 0] * 1d0, 10 * rank + i, 'type')
  end do
  call MPI_Sendrecv(swarm, 4, structure, next, 1, got, 4, structure, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  do i = 1, 4
    call check(all(got(i)%position == [before, i, 0]) .and. got(i)%id == 10 * before + i .and. got(i)%kind == 'type', 'particle')
  end do

  number = rank
  factor = rank / 2d0
  call MPI_Get_address(number, addresses(1), ierr)
  call MPI_Get_address(factor, addresses(2), ierr)
  call MPI_Type_free(structure, ierr)
  call check_equal(structure, MPI_DATATYPE_NULL, 'a freed type')
  call MPI_Type_create_struct(2, [1, 1], addresses, [MPI_INTEGER, MPI_DOUBLE_PRECISION], structure, ierr)
  call MPI_Type_commit(structure, ierr)
  call MPI_Bcast(MPI_BOTTOM, 1, structure, nranks - 1, MPI_COMM_WORLD, ierr)
  call check(number == nranks - 1 .and. factor == number / 2d0, 'absolute addresses')

  call MPI_Type_get_envelope(row, sizes(1), sizes(2), sizes(3), combiner, ierr)
  call check(combiner == MPI_COMBINER_VECTOR .and. all(sizes(:3) == [3, 0, 1]), 'envelope')
  call MPI_Type_get_contents(row, 3, 0, 1, integers, aints, inner, ierr)
  call check(all(integers(:3) == [7, 1, 5]) .and. inner(1) == MPI_INTEGER, 'contents')
  call MPI_Type_get_extent(row, lb, extent, ierr)
  call check(lb == 0 .and. extent == 4 * 31, 'extent')
  call MPI_Type_dup(row, list, ierr)
  call MPI_Type_size(list, n, ierr)
  call check_equal(n, 28, 'size of a row')
  call MPI_Type_free(list, ierr)
  call MPI_Type_free(structure, ierr)
  call MPI_Type_free(box, ierr)
  call MPI_Type_free(row, ierr)
  call finish()
end program
