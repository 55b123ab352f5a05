! MPI_Group_union, MPI_Group_intersection, MPI_Group_difference, MPI_Group_compare, MPI_Group_size and MPI_Group_rank.
! ranks: 4
#include "interfaces.inc"

program groups_are_united_and_intersected
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n, relation
  HANDLE(MPI_Group) :: world, low, high, both, common, rest
  call start()
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  call MPI_Group_incl(world, 3, [0, 1, 2], low, ierr)
  call MPI_Group_incl(world, 2, [3, 2], high, ierr)
  call MPI_Group_union(low, high, both, ierr)
  call MPI_Group_intersection(low, high, common, ierr)
  call MPI_Group_difference(low, high, rest, ierr)
  call MPI_Group_size(both, n, ierr)
  call check_equal(n, 4, 'size of the union')
  call MPI_Group_size(common, n, ierr)
  call check_equal(n, 1, 'size of the intersection')
  call MPI_Group_rank(rest, n, ierr)
  call check_equal(n, merge(rank, MPI_UNDEFINED, rank < 2), 'rank in the difference')
  call MPI_Group_compare(both, world, relation, ierr)
  call check_equal(relation, MPI_IDENT, 'the union is the world')
  call MPI_Group_compare(low, high, relation, ierr)
  call check_equal(relation, MPI_UNEQUAL, 'two groups')
  call MPI_Group_compare(common, MPI_GROUP_EMPTY, relation, ierr)
  call check_equal(relation, MPI_UNEQUAL, 'not empty')
  call MPI_Group_free(world, ierr)
  call MPI_Group_free(low, ierr)
  call MPI_Group_free(high, ierr)
  call MPI_Group_free(both, ierr)
  call MPI_Group_free(common, ierr)
  call MPI_Group_free(rest, ierr)
  call check(world == MPI_GROUP_NULL .and. rest == MPI_GROUP_NULL, 'free groups are null')
  call finish()
end program
