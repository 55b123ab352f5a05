! MPI_File_write_at, MPI_File_write_at_all, MPI_File_read_at and MPI_File_read_at_all.
! ranks: 2
#include "interfaces.inc"

program files_are_accessed_at_explicit_offsets
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  integer :: value, n
  integer(kind=MPI_OFFSET_KIND) :: offset
  HANDLE(MPI_File) :: file
  STATUS :: status
  call start()
  call name_of_file(name)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
  offset = integer_bytes * rank
  value = 30 + rank
  call MPI_File_write_at(file, offset, value, 1, MPI_INTEGER, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call check_equal(n, 1, 'written')
  offset = integer_bytes * (2 + rank)
  value = 40 + rank
  call MPI_File_write_at_all(file, offset, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  offset = integer_bytes * (1 - rank)
  call MPI_File_read_at(file, offset, value, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 31 - rank, 'value of the other')
  offset = integer_bytes * (3 - rank)
  call MPI_File_read_at_all(file, offset, value, 1, MPI_INTEGER, status, ierr)
  call check_equal(value, 41 - rank, 'value read by all')
  call MPI_File_close(file, ierr)
  call finish()
end program
