! MPI_Fetch_and_op, MPI_Compare_and_swap and MPI_Get_accumulate.
! ranks: 2
#include "interfaces.inc"

program atomic_operations_return_the_old_value
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer), target :: memory(3)
  ASYNC(integer) :: one, old, expected, results(2)
  integer(kind=MPI_ADDRESS_KIND) :: place
  integer :: total
  HANDLE(MPI_Win) :: win
  call start()
  memory = [10, 20, 30]
  call MPI_Win_create(memory, 3_MPI_ADDRESS_KIND * integer_bytes, integer_bytes, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_lock_all(0, win, ierr)
  place = 0
  one = 1
  call MPI_Fetch_and_op(one, old, MPI_INTEGER, 0, place, MPI_SUM, win, ierr)
  call MPI_Win_flush(0, win, ierr)
  call MPI_Allreduce(old, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check_equal(total, 21, 'old values')
  place = 1
  expected = 20
  one = 99
  call MPI_Compare_and_swap(one, expected, old, MPI_INTEGER, 0, place, win, ierr)
  call MPI_Win_flush(0, win, ierr)
  call MPI_Allreduce(old, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check_equal(total, 119, 'one has swapped')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  place = 1
  call MPI_Get_accumulate(one, 0, MPI_INTEGER, results, 2, MPI_INTEGER, 0, place, 2, MPI_INTEGER, MPI_NO_OP, win, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call check(all(results == [99, 30]), 'values')
  call MPI_Win_free(win, ierr)
  call finish()
end program
