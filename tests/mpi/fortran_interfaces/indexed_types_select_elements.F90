! MPI_Type_indexed, MPI_Type_create_hindexed, MPI_Type_create_indexed_block and MPI_Type_create_hindexed_block.
! ranks: 1
#include "interfaces.inc"

program indexed_types_select_elements
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: values(12), got(12), i
  integer(kind=MPI_ADDRESS_KIND) :: places(2)
  HANDLE(MPI_Datatype) :: types(4)
  call start()
  values = [(i, i=1, 12)]
  call MPI_Type_indexed(2, [3, 1], [6, 0], MPI_INTEGER, types(1), ierr)
  places = [1, 8] * integer_bytes
  call MPI_Type_create_hindexed(2, [1, 2], places, MPI_INTEGER, types(2), ierr)
  call MPI_Type_create_indexed_block(3, 2, [0, 4, 9], MPI_INTEGER, types(3), ierr)
  call MPI_Type_create_hindexed_block(2, 2, places, MPI_INTEGER, types(4), ierr)
  do i = 1, 4
    call MPI_Type_commit(types(i), ierr)
    got = 0
    call MPI_Sendrecv(values, 1, types(i), 0, 0, got, 12, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Type_free(types(i), ierr)
    select case (i)
    case (1)
      call check(all(got(:5) == [7, 8, 9, 1, 0]), 'indexed')
    case (2)
      call check(all(got(:4) == [2, 9, 10, 0]), 'hindexed')
    case (3)
      call check(all(got(:7) == [1, 2, 5, 6, 10, 11, 0]), 'indexed block')
    case (4)
      call check(all(got(:5) == [2, 3, 9, 10, 0]), 'hindexed block')
    end select
  end do
  call finish()
end program
