! MPI_Intercomm_create, MPI_Comm_test_inter, MPI_Comm_remote_size, MPI_Comm_remote_group and MPI_Intercomm_merge.
! ranks: 5
#include "interfaces.inc"

program intercommunicators_have_two_groups
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: half, n, place
  logical :: flag
  HANDLE(MPI_Comm) :: mine, across, merged
  HANDLE(MPI_Group) :: group
  call start()
  half = merge(0, 1, rank < 2)
  call MPI_Comm_split(MPI_COMM_WORLD, half, rank, mine, ierr)
  call MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, merge(2, 0, half == 0), 3, across, ierr)
  call MPI_Comm_test_inter(across, flag, ierr)
  call check(flag, 'an intercommunicator')
  call MPI_Comm_test_inter(mine, flag, ierr)
  call check(.not. flag, 'an intracommunicator')
  call MPI_Comm_remote_size(across, n, ierr)
  call check_equal(n, merge(3, 2, half == 0), 'remote size')
  call MPI_Comm_remote_group(across, group, ierr)
  call MPI_Group_size(group, n, ierr)
  call check_equal(n, merge(3, 2, half == 0), 'size of the remote group')
  call MPI_Group_free(group, ierr)
  call MPI_Intercomm_merge(across, half == 0, merged, ierr)
  call MPI_Comm_rank(merged, place, ierr)
  call check_equal(place, mod(rank + 3, 5), 'rank behind the others')
  call MPI_Comm_free(merged, ierr)
  call MPI_Comm_free(across, ierr)
  call MPI_Comm_free(mine, ierr)
  call finish()
end program
