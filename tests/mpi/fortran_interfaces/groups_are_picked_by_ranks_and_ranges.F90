! MPI_Group_incl, MPI_Group_excl, MPI_Group_range_incl, MPI_Group_range_excl and MPI_Group_translate_ranks.
! ranks: 6
#include "interfaces.inc"

program groups_are_picked_by_ranks_and_ranges
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n, ranges(3, 2), translated(3), relation
  HANDLE(MPI_Group) :: world, some, others, same
  call start()
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  ranges(:, 1) = [0, 4, 2]
  ranges(:, 2) = [5, 5, 1]
  call MPI_Group_range_incl(world, 2, ranges, some, ierr)
  call MPI_Group_size(some, n, ierr)
  call check_equal(n, 4, 'size of the ranges')
  call MPI_Group_translate_ranks(some, 3, [3, 1, MPI_PROC_NULL], world, translated, ierr)
  call check(all(translated == [5, 2, MPI_PROC_NULL]), 'ranks in the world')
  call MPI_Group_translate_ranks(world, 3, [3, 4, 0], some, translated, ierr)
  call check(all(translated == [MPI_UNDEFINED, 2, 0]), 'ranks in the group')
  call MPI_Group_excl(world, 2, [3, 1], others, ierr)
  call MPI_Group_compare(some, others, relation, ierr)
  call check_equal(relation, MPI_IDENT, 'the same without two')
  call MPI_Group_range_excl(world, 1, reshape([1, 3, 2], [3, 1]), same, ierr)
  call MPI_Group_compare(some, same, relation, ierr)
  call check_equal(relation, MPI_IDENT, 'the same without a range')
  call MPI_Group_free(world, ierr)
  call MPI_Group_free(some, ierr)
  call MPI_Group_free(others, ierr)
  call MPI_Group_free(same, ierr)
  call finish()
end program
