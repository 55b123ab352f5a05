! MPI_Intercomm_create_from_groups.
! ranks: 4
#include "interfaces.inc"

program intercommunicators_are_made_of_groups
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: half, n, value
  HANDLE(MPI_Comm) :: across
  HANDLE(MPI_Group) :: world, groups(2)
  call start()
  half = rank / 2
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  call MPI_Group_incl(world, 2, [0, 1], groups(1), ierr)
  call MPI_Group_incl(world, 2, [2, 3], groups(2), ierr)
  call MPI_Intercomm_create_from_groups(groups(half + 1), 0, groups(2 - half), 0, 'two halves', MPI_INFO_NULL, &
                                        MPI_ERRORS_ARE_FATAL, across, ierr)
  call MPI_Comm_remote_size(across, n, ierr)
  call check_equal(n, 2, 'remote size')
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank, 2), 0, value, 1, MPI_INTEGER, mod(rank, 2), 0, across, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, mod(rank + 2, 4), 'value from the other half')
  call MPI_Comm_free(across, ierr)
  call MPI_Group_free(groups(1), ierr)
  call MPI_Group_free(groups(2), ierr)
  call MPI_Group_free(world, ierr)
  call finish()
end program
