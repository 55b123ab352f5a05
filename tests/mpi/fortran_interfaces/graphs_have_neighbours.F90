! MPI_Graph_create, MPI_Graphdims_get, MPI_Graph_get, MPI_Graph_neighbors_count, MPI_Graph_neighbors, MPI_Graph_map and MPI_Topo_test.
! ranks: 4
#include "interfaces.inc"

program graphs_have_neighbours
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n, edges(6), indices(4), neighbors(3), kind
  HANDLE(MPI_Comm) :: graph
  call start()
  ! A star: 0 is joined with 1, 2 and 3.
  call MPI_Graph_create(MPI_COMM_WORLD, 4, [3, 4, 5, 6], [1, 2, 3, 0, 0, 0], .false., graph, ierr)
  call MPI_Topo_test(graph, kind, ierr)
  call check_equal(kind, MPI_GRAPH, 'a graph')
  call MPI_Topo_test(MPI_COMM_WORLD, kind, ierr)
  call check_equal(kind, MPI_UNDEFINED, 'no topology')
  call MPI_Graphdims_get(graph, n, kind, ierr)
  call check(n == 4 .and. kind == 6, 'nodes and edges')
  call MPI_Graph_get(graph, 4, 6, indices, edges, ierr)
  call check(all(indices == [3, 4, 5, 6]), 'indices')
  call check(all(edges == [1, 2, 3, 0, 0, 0]), 'edges')
  call MPI_Graph_neighbors_count(graph, rank, n, ierr)
  call check_equal(n, merge(3, 1, rank == 0), 'number of neighbours')
  neighbors = -1
  call MPI_Graph_neighbors(graph, rank, 3, neighbors, ierr)
  if (rank == 0) call check(all(neighbors == [1, 2, 3]), 'neighbours')
  if (rank > 0) call check(all(neighbors == [0, -1, -1]), 'neighbour')
  call MPI_Graph_map(MPI_COMM_WORLD, 4, [3, 4, 5, 6], [1, 2, 3, 0, 0, 0], n, ierr)
  call check(n >= 0 .and. n < 4, 'mapped')
  call MPI_Comm_free(graph, ierr)
  call finish()
end program
