! MPI_Type_create_darray: block and cyclic distributions.
! ranks: 1
#include "interfaces.inc"

program distributed_arrays_give_each_rank_its_part
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: values(8), got(8), i, n
  HANDLE(MPI_Datatype) :: part
  call start()
  values = [(i, i=1, 8)]
  call MPI_Type_create_darray(2, 1, 1, [8], [MPI_DISTRIBUTE_BLOCK], [MPI_DISTRIBUTE_DFLT_DARG], [2], MPI_ORDER_FORTRAN, &
                              MPI_INTEGER, part, ierr)
  call MPI_Type_commit(part, ierr)
  call MPI_Type_size(part, n, ierr)
  call check(n == 4 * integer_bytes, 'size of a block')
  got = 0
  call MPI_Sendrecv(values, 1, part, 0, 0, got, 8, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(got(:5) == [5, 6, 7, 8, 0]), 'block')
  call MPI_Type_free(part, ierr)
  call MPI_Type_create_darray(2, 1, 1, [8], [MPI_DISTRIBUTE_CYCLIC], [1], [2], MPI_ORDER_FORTRAN, MPI_INTEGER, part, ierr)
  call MPI_Type_commit(part, ierr)
  got = 0
  call MPI_Sendrecv(values, 1, part, 0, 0, got, 8, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(got(:5) == [2, 4, 6, 8, 0]), 'cyclic')
  call MPI_Type_free(part, ierr)
  call finish()
end program
