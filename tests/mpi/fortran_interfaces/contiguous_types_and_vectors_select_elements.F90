! MPI_Type_contiguous, MPI_Type_vector, MPI_Type_create_hvector, MPI_Type_commit and MPI_Type_free.
! ranks: 1
#include "interfaces.inc"

program contiguous_types_and_vectors_select_elements
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: values(12), got(12), i
  integer(kind=MPI_ADDRESS_KIND) :: stride
  HANDLE(MPI_Datatype) :: types(3), pairs
  call start()
  values = [(i, i=1, 12)]
  call MPI_Type_contiguous(2, MPI_INTEGER, pairs, ierr)
  call MPI_Type_contiguous(3, pairs, types(1), ierr)
  call MPI_Type_vector(3, 2, 4, MPI_INTEGER, types(2), ierr)
  stride = 3 * integer_bytes
  call MPI_Type_create_hvector(2, 1, stride, pairs, types(3), ierr)
  do i = 1, 3
    call MPI_Type_commit(types(i), ierr)
    got = 0
    call MPI_Sendrecv(values, 1, types(i), 0, 0, got, 12, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Type_free(types(i), ierr)
    select case (i)
    case (1)
      call check(all(got == [1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0]), 'contiguous')
    case (2)
      call check(all(got == [1, 2, 5, 6, 9, 10, 0, 0, 0, 0, 0, 0]), 'vector')
    case (3)
      call check(all(got == [1, 2, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0]), 'hvector')
    end select
  end do
  call MPI_Type_free(pairs, ierr)
  call check(pairs == MPI_DATATYPE_NULL .and. all(types == MPI_DATATYPE_NULL), 'free types are null')
  call finish()
end program
