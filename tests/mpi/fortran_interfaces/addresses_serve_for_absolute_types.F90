! MPI_Get_address, MPI_Aint_add, MPI_Aint_diff and MPI_BOTTOM.
! ranks: 2
#include "interfaces.inc"

program addresses_serve_for_absolute_types
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: first, second(3)
  integer(kind=MPI_ADDRESS_KIND) :: places(2)
  HANDLE(MPI_Datatype) :: both
  call start()
  first = 1 + rank
  second = [10, 20, 30] + rank
  call MPI_Get_address(first, places(1), ierr)
  call MPI_Get_address(second, places(2), ierr)
  places(2) = MPI_Aint_add(places(2), 4_MPI_ADDRESS_KIND)
  call check_equal(MPI_Aint_diff(MPI_Aint_add(places(1), 4_MPI_ADDRESS_KIND), places(1)), 4, 'difference')
  call MPI_Type_create_hindexed(2, [1, 2], places, MPI_INTEGER, both, ierr)
  call MPI_Type_commit(both, ierr)
  if (rank == 0) then
    call MPI_Send(MPI_BOTTOM, 1, both, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(MPI_BOTTOM, 1, both, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_F_sync_reg(first)
  call MPI_F_sync_reg(second)
  call check_equal(first, 1, 'first')
  call check_equal(second(1), 10 + rank, 'not sent')
  call check_equal(second(3), 30, 'last')
  call MPI_Type_free(both, ierr)
  call finish()
end program
