! MPI_Comm_create, MPI_Comm_create_group and MPI_Comm_create_from_group.
! ranks: 4
#include "interfaces.inc"

program communicators_are_made_of_groups
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: place
  HANDLE(MPI_Comm) :: part
  HANDLE(MPI_Group) :: world, group
  call start()
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  call MPI_Group_incl(world, 3, [3, 0, 1], group, ierr)
  call MPI_Comm_create(MPI_COMM_WORLD, group, part, ierr)
  call check((part == MPI_COMM_NULL) .eqv. rank == 2, 'rank 2 is left out')
  if (rank /= 2) then
    call MPI_Comm_rank(part, place, ierr)
    call check_equal(place, mod(rank + 1, 4), 'rank')
    call MPI_Comm_free(part, ierr)
    call MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, part, ierr)
    call MPI_Comm_rank(part, place, ierr)
    call check_equal(place, mod(rank + 1, 4), 'rank by a tag')
    call MPI_Comm_free(part, ierr)
    call MPI_Comm_create_from_group(group, 'three ranks', MPI_INFO_NULL, MPI_ERRORS_RETURN, part, ierr)
    call MPI_Comm_rank(part, place, ierr)
    call check_equal(place, mod(rank + 1, 4), 'rank by a name')
    call MPI_Comm_free(part, ierr)
  end if
  call MPI_Group_free(group, ierr)
  call MPI_Group_free(world, ierr)
  call finish()
end program
