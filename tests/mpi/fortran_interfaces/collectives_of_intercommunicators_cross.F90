! MPI_Bcast, MPI_Reduce and MPI_Allgather of an intercommunicator; MPI_ROOT and MPI_PROC_NULL.
! ranks: 4
#include "interfaces.inc"

program collectives_of_intercommunicators_cross
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: half, value, values(2), root
  HANDLE(MPI_Comm) :: mine, across
  call start()
  half = mod(rank, 2)
  call MPI_Comm_split(MPI_COMM_WORLD, half, rank, mine, ierr)
  call MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, 1 - half, 3, across, ierr)
  root = 0
  if (half == 0) root = merge(MPI_ROOT, MPI_PROC_NULL, rank == 0)
  value = 50 + rank
  call MPI_Bcast(value, 1, MPI_INTEGER, root, across, ierr)
  call check_equal(value, merge(50 + rank, 50, half == 0), 'broadcast')
  call MPI_Reduce(rank, value, 1, MPI_INTEGER, MPI_SUM, root, across, ierr)
  if (rank == 0) call check_equal(value, 4, 'sum of the other half')
  call MPI_Allgather(rank, 1, MPI_INTEGER, values, 1, MPI_INTEGER, across, ierr)
  call check(all(values == [1 - half, 3 - half]), 'ranks of the other half')
  call MPI_Comm_free(across, ierr)
  call MPI_Comm_free(mine, ierr)
  call finish()
end program
