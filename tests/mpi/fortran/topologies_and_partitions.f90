! Topologies with LOGICAL periods, weights that may be MPI_UNWEIGHTED, neighbourhood collectives with arrays of
! datatypes, and partitioned communication, as Fortran calls them.
! ranks: 6 12
include 'checks.inc'

program topologies
  use checks
  implicit none
  integer :: grid, line, graph, copy, dims(2), coords(2), got(2), n, kind, i, request(2)
  integer :: neighbours(4), values(4), counts(4), types(4), in(1), out(1), weights(1), other_weights(1), column
  integer :: index(2), edges(2)
  integer(kind=MPI_ADDRESS_KIND) :: places(4)
  integer(kind=MPI_COUNT_KIND) :: each
  logical :: periods(2), found(2), flag
  double precision :: field(0:4, 0:3), part(8)
  call start()

  dims = 0
  call MPI_Dims_create(nranks, 2, dims, ierr)
  call check(dims(1) * dims(2) == nranks .and. dims(1) >= dims(2), 'balanced dimensions')
  periods = [.true., .false.]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, ierr)
  call MPI_Topo_test(grid, kind, ierr)
  call check_equal(kind, MPI_CART, 'kind of the grid')
  call MPI_Cart_get(grid, 2, got, found, coords, ierr)
  call check(all(got == dims) .and. found(1) .and. .not. found(2), 'dimensions and periods')
  call MPI_Cart_rank(grid, coords, n, ierr)
  call check_equal(n, rank, 'rank of my coordinates')
  do i = 0, 1
    call MPI_Cart_shift(grid, i, 1, neighbours(2 * i + 1), neighbours(2 * i + 2), ierr)
  end do
  call check((neighbours(3) == MPI_PROC_NULL) .eqv. coords(2) == 0, 'the border')
  call MPI_Cart_sub(grid, [.false., .true.], line, ierr)
  call MPI_Comm_size(line, n, ierr)
  call check_equal(n, dims(2), 'length of a line')
  call MPI_Comm_free(line, ierr)

  values = -1
  call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, values, 1, MPI_INTEGER, grid, ierr)
  do i = 1, 4
    call check_equal(values(i), merge(-1, neighbours(i), neighbours(i) == MPI_PROC_NULL), 'gathered rank')
  end do

  ! The halo of a field: columns are contiguous here, rows are not.
  field = -1
  field(1:3, 1:2) = rank
  call MPI_Type_vector(2, 1, 5, MPI_DOUBLE_PRECISION, column, ierr)
  call MPI_Type_commit(column, ierr)
  types = [column, column, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION]
  counts = [1, 1, 3, 3]
  call exchange_halo()
  call check(all(field(0, 1:2) == neighbours(1)) .and. all(field(4, 1:2) == neighbours(2)), 'periodic halo')
  call check(all(field(1:3, 0) == merge(-1, neighbours(3), neighbours(3) == MPI_PROC_NULL)), 'left halo')
  call check(all(field(1:3, 3) == merge(-1, neighbours(4), neighbours(4) == MPI_PROC_NULL)), 'right halo')
  call MPI_Type_free(column, ierr)
  call MPI_Comm_free(grid, ierr)

  ! A ring with weights.
  in = modulo(rank - 1, nranks)
  out = modulo(rank + 1, nranks)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, in, [in(1) * 10], 1, out, [rank * 10], MPI_INFO_NULL, .true., &
                                      graph, ierr)
  call MPI_Comm_dup(graph, copy, ierr)
  call MPI_Comm_free(graph, ierr)
  call MPI_Dist_graph_neighbors_count(copy, i, n, flag, ierr)
  call check(i == 1 .and. n == 1 .and. flag, 'degrees of a weighted ring')
  call MPI_Dist_graph_neighbors(copy, 1, got, weights, 1, coords, other_weights, ierr)
  call check(got(1) == in(1) .and. coords(1) == out(1), 'neighbours in the ring')
  call check(weights(1) == in(1) * 10 .and. other_weights(1) == rank * 10, 'weights in the ring')
  call MPI_Comm_free(copy, ierr)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], out, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph, ierr)
  call MPI_Dist_graph_neighbors_count(graph, i, n, flag, ierr)
  call check(i == 1 .and. n == 1 .and. .not. flag, 'degrees of an unweighted ring')
  call MPI_Comm_free(graph, ierr)

  index = [1, 2]
  edges = [1, 0]
  call MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, .false., graph, ierr)
  call check((graph /= MPI_COMM_NULL) .eqv. rank < 2, 'a graph of two')
  if (rank < 2) call MPI_Comm_free(graph, ierr)

  ! Partitions go around the ring.
  each = 2
  call MPI_Psend_init(field, 4, each, MPI_DOUBLE_PRECISION, out(1), 3, MPI_COMM_WORLD, MPI_INFO_NULL, request(1), ierr)
  call MPI_Precv_init(part, 2, 2 * each, MPI_DOUBLE_PRECISION, in(1), 3, MPI_COMM_WORLD, MPI_INFO_NULL, request(2), ierr)
  call MPI_Startall(2, request, ierr)
  field(:, 0) = [(100 * rank + i, i = 0, 4)]
  field(0:2, 1) = [(100 * rank + i, i = 5, 7)]
  call MPI_Pready(2, request(1), ierr)
  call MPI_Pready_range(0, 1, request(1), ierr)
  call MPI_Pready_list(1, [3], request(1), ierr)
  flag = .false.
  do while (.not. flag)
    call MPI_Parrived(request(2), 1, flag, ierr)
  end do
  call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, ierr)
  call check(all(part == [(100 * in(1) + i, i = 0, 7)]), 'partitions from the left')
  call MPI_Request_free(request(1), ierr)
  call MPI_Request_free(request(2), ierr)
  call check(all(request == MPI_REQUEST_NULL), 'freed requests')
  call finish()

contains

  subroutine exchange_halo()
    integer(kind=MPI_ADDRESS_KIND) :: base
    call MPI_Get_address(field, base, ierr)
    call address_of(1, 1, 1)
    call address_of(2, 3, 1)
    call address_of(3, 1, 1)
    call address_of(4, 1, 2)
    places = places - base
    call send_from(places)
  end subroutine

  subroutine address_of(k, row, col)
    integer, intent(in) :: k, row, col
    call MPI_Get_address(field(row, col), places(k), ierr)
  end subroutine

  subroutine send_from(inner)
    integer(kind=MPI_ADDRESS_KIND), intent(in) :: inner(4)
    integer(kind=MPI_ADDRESS_KIND) :: outer(4), base
    call MPI_Get_address(field, base, ierr)
    call MPI_Get_address(field(0, 1), outer(1), ierr)
    call MPI_Get_address(field(4, 1), outer(2), ierr)
    call MPI_Get_address(field(1, 0), outer(3), ierr)
    call MPI_Get_address(field(1, 3), outer(4), ierr)
    outer = outer - base
    call MPI_Ineighbor_alltoallw(field, counts, inner, types, field, counts, outer, types, grid, request(1), ierr)
    call MPI_Wait(request(1), MPI_STATUS_IGNORE, ierr)
  end subroutine
end program
