! MPI_File_write_shared, MPI_File_read_shared, MPI_File_write_ordered, MPI_File_read_ordered, MPI_File_seek_shared and
! MPI_File_get_position_shared.
! ranks: 2
#include "interfaces.inc"

program ranks_share_a_file_pointer
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  integer :: value, total
  integer(kind=MPI_OFFSET_KIND) :: offset
  HANDLE(MPI_File) :: file
  call start()
  call name_of_file(name)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
  value = 30 + rank
  call MPI_File_write_shared(file, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_File_get_position_shared(file, offset, ierr)
  call check(offset == 2 * integer_bytes, 'position')
  value = 40 + rank
  call MPI_File_write_ordered(file, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  offset = 0
  call MPI_File_seek_shared(file, offset, MPI_SEEK_SET, ierr)
  call MPI_File_read_shared(file, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_Allreduce(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check_equal(total, 61, 'sum of both')
  call MPI_File_read_ordered(file, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 40 + rank, 'in order')
  call MPI_File_close(file, ierr)
  call finish()
end program
