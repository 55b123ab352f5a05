! MPI_Type_create_subarray: a box of a matrix; starts are counted from 0.
! ranks: 1
#include "interfaces.inc"

program subarrays_are_cut_out_in_fortran_order
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: matrix(4, 5), got(6), i, j
  HANDLE(MPI_Datatype) :: box
  call start()
  do j = 1, 5
    do i = 1, 4
      matrix(i, j) = 10 * i + j
    end do
  end do
  call MPI_Type_create_subarray(2, [4, 5], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, box, ierr)
  call MPI_Type_commit(box, ierr)
  call MPI_Sendrecv(matrix, 1, box, 0, 0, got, 6, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(got == [23, 33, 24, 34, 25, 35]), 'Fortran order')
  call MPI_Type_free(box, ierr)
  call MPI_Type_create_subarray(2, [5, 4], [3, 2], [2, 1], MPI_ORDER_C, MPI_INTEGER, box, ierr)
  call MPI_Type_commit(box, ierr)
  call MPI_Sendrecv(matrix, 1, box, 0, 0, got, 6, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(got == [23, 33, 24, 34, 25, 35]), 'C order')
  call MPI_Type_free(box, ierr)
  call finish()
end program
