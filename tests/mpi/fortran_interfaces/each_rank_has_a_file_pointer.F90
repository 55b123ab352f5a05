! MPI_File_write, MPI_File_read, MPI_File_seek and MPI_File_get_position.
! ranks: 1
#include "interfaces.inc"

program each_rank_has_a_file_pointer
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  integer :: values(3), n
  integer(kind=MPI_OFFSET_KIND) :: offset
  HANDLE(MPI_File) :: file
  STATUS :: status
  call start()
  call name_of_file(name)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
  values = [4, 5, 6]
  call MPI_File_write(file, values, 3, MPI_INTEGER, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call check_equal(n, 3, 'written')
  call MPI_File_get_position(file, offset, ierr)
  call check(offset == 3 * integer_bytes, 'position')
  offset = -2 * integer_bytes
  call MPI_File_seek(file, offset, MPI_SEEK_END, ierr)
  values = 0
  call MPI_File_read(file, values, 3, MPI_INTEGER, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call check_equal(n, 2, 'read')
  call check(all(values == [5, 6, 0]), 'values')
  offset = -integer_bytes
  call MPI_File_seek(file, offset, MPI_SEEK_CUR, ierr)
  call MPI_File_get_position(file, offset, ierr)
  call check(offset == 2 * integer_bytes, 'position behind a step back')
  offset = integer_bytes
  call MPI_File_seek(file, offset, MPI_SEEK_SET, ierr)
  call MPI_File_read(file, values, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check_equal(values(1), 5, 'the second')
  call MPI_File_close(file, ierr)
  call finish()
end program
