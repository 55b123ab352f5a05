! MPI_Init_thread, MPI_Query_thread and MPI_Is_thread_main.
! ranks: 2
#include "interfaces.inc"

program threads_are_provided_as_required
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: provided, level
  logical :: flag
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  call begin()
  call check(provided >= MPI_THREAD_FUNNELED, 'provided')
  call MPI_Query_thread(level, ierr)
  call check_equal(level, provided, 'asked later')
  call MPI_Is_thread_main(flag, ierr)
  call check(flag, 'the main thread')
  call check(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED .and. MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE, 'levels are in order')
  call finish()
end program
