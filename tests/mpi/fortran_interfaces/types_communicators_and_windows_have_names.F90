! Names are without trailing blanks and padded with blanks when they are returned.
! ranks: 2
#include "interfaces.inc"

program types_communicators_and_windows_have_names
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=MPI_MAX_OBJECT_NAME) :: name
  integer :: n
  ASYNC(integer), target :: values(4)
  HANDLE(MPI_Comm) :: comm
  HANDLE(MPI_Datatype) :: pair
  HANDLE(MPI_Win) :: win
  call start()
  call MPI_Type_get_name(MPI_DOUBLE_PRECISION, name, n, ierr)
  call check_equal(name, 'MPI_DOUBLE_PRECISION', 'name of a predefined type')
  call MPI_Type_contiguous(2, MPI_REAL, pair, ierr)
  call MPI_Type_set_name(pair, 'a pair   ', ierr)
  call MPI_Type_get_name(pair, name, n, ierr)
  call check_equal(name, 'a pair', 'name of a type')
  call check_equal(n, 6, 'length')
  call MPI_Type_free(pair, ierr)
  call MPI_Comm_get_name(MPI_COMM_WORLD, name, n, ierr)
  call check_equal(name, 'MPI_COMM_WORLD', 'name of the world')
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_get_name(comm, name, n, ierr)
  call check_equal(n, 0, 'a duplicate has no name')
  call MPI_Comm_set_name(comm, '  leading blanks', ierr)
  call MPI_Comm_get_name(comm, name, n, ierr)
  call result('leading blanks', name(:n))
  call MPI_Win_create(values, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, comm, win, ierr)
  call MPI_Win_set_name(win, 'window', ierr)
  call MPI_Win_get_name(win, name, n, ierr)
  call check_equal(name, 'window', 'name of a window')
  call check_equal(n, 6, 'length')
  call MPI_Win_free(win, ierr)
  call MPI_Comm_free(comm, ierr)
  call finish()
end program
