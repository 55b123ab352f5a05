! MPI_File_set_view with MPI_DISPLACEMENT_CURRENT.
! ranks: 2
#include "interfaces.inc"

program sequential_views_begin_at_the_position
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  integer :: value
  HANDLE(MPI_File) :: file
  call start()
  call name_of_file(name)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, ierr)
  value = 10 + rank
  call MPI_File_write_ordered(file, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  value = 20 + rank
  call MPI_File_write_ordered(file, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_File_close(file, ierr)

  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY + MPI_MODE_SEQUENTIAL + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &
                     file, ierr)
  call MPI_File_read_ordered(file, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 10 + rank, 'first values')
  call check_equal(kind(MPI_DISPLACEMENT_CURRENT), MPI_OFFSET_KIND, 'kind of MPI_DISPLACEMENT_CURRENT')
  call MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  value = -1
  call MPI_File_read_ordered(file, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 20 + rank, 'values behind them')
  call MPI_File_close(file, ierr)
  call finish()
end program
