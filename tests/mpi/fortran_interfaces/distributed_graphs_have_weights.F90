! MPI_Dist_graph_create, MPI_Dist_graph_create_adjacent, MPI_Dist_graph_neighbors_count and MPI_Dist_graph_neighbors.
! ranks: 3
#include "interfaces.inc"

program distributed_graphs_have_weights
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: in, out, from(2), to(2), from_weights(2), to_weights(2), left, right, kind
  logical :: weighted
  HANDLE(MPI_Comm) :: ring
  call start()
  left = mod(rank + 2, 3)
  right = mod(rank + 1, 3)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [right], [7 + rank], MPI_INFO_NULL, .false., ring, ierr)
  call MPI_Topo_test(ring, kind, ierr)
  call check_equal(kind, MPI_DIST_GRAPH, 'a distributed graph')
  call MPI_Dist_graph_neighbors_count(ring, in, out, weighted, ierr)
  call check(in == 1 .and. out == 1 .and. weighted, 'one in, one out')
  call MPI_Dist_graph_neighbors(ring, 2, from, from_weights, 2, to, to_weights, ierr)
  call check_equal(from(1), left, 'source')
  call check_equal(from_weights(1), 7 + left, 'its weight')
  call check_equal(to(1), right, 'destination')
  call check_equal(to_weights(1), 7 + rank, 'its weight')
  call MPI_Comm_free(ring, ierr)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, MPI_INFO_NULL, &
                                      .false., ring, ierr)
  call MPI_Dist_graph_neighbors_count(ring, in, out, weighted, ierr)
  call check(in == 1 .and. out == 1 .and. .not. weighted, 'without weights')
  call MPI_Dist_graph_neighbors(ring, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, ierr)
  call check(from(1) == left .and. to(1) == right, 'neighbours')
  call MPI_Comm_free(ring, ierr)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, [left], MPI_WEIGHTS_EMPTY, 0, [right], MPI_WEIGHTS_EMPTY, &
                                      MPI_INFO_NULL, .false., ring, ierr)
  call MPI_Dist_graph_neighbors_count(ring, in, out, weighted, ierr)
  call check(in == 0 .and. out == 0 .and. weighted, 'no neighbours with weights')
  call MPI_Comm_free(ring, ierr)
  call finish()
end program
