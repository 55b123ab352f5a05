! MPI_Comm_split by color and key, and MPI_Comm_split_type.
! ranks: 4
#include "interfaces.inc"

program communicators_are_split
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n, place
  HANDLE(MPI_Comm) :: part
  HANDLE(MPI_Info) :: info
  call start()
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, part, ierr)
  call MPI_Comm_size(part, n, ierr)
  call MPI_Comm_rank(part, place, ierr)
  call check_equal(n, 2, 'size')
  call check_equal(place, merge(1, 0, rank < 2), 'rank by key')
  call MPI_Comm_free(part, ierr)
  call MPI_Comm_split(MPI_COMM_WORLD, merge(0, MPI_UNDEFINED, rank == 3), 0, part, ierr)
  call check((part == MPI_COMM_NULL) .neqv. rank == 3, 'only rank 3')
  if (rank == 3) call MPI_Comm_free(part, ierr)
  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, part, ierr)
  call MPI_Comm_size(part, n, ierr)
  call check_equal(n, 4, 'all share memory')
  call MPI_Comm_free(part, ierr)
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'mpi_hw_resource_type', 'no such type', ierr)
  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, part, ierr)
  call check(part == MPI_COMM_NULL, 'no resource of this type')
  call MPI_Info_free(info, ierr)
  call finish()
end program
