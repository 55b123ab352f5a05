! The _BEGIN and _END of MPI_File_write_all, MPI_File_read_all, MPI_File_write_at_all, MPI_File_read_at_all, MPI_File_write_ordered and
! MPI_File_read_ordered.
! ranks: 2
#include "interfaces.inc"

program collective_accesses_are_split
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  ASYNC(integer) :: out, in
  integer :: n
  integer(kind=MPI_OFFSET_KIND) :: offset
  HANDLE(MPI_File) :: file
  STATUS :: status
  call start()
  call name_of_file(name)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
  offset = integer_bytes * rank
  out = 30 + rank
  call MPI_File_write_at_all_begin(file, offset, out, 1, MPI_INTEGER, ierr)
  call MPI_File_write_at_all_end(file, out, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call check_equal(n, 1, 'written')
  call MPI_File_read_at_all_begin(file, offset, in, 1, MPI_INTEGER, ierr)
  call MPI_File_read_at_all_end(file, in, MPI_STATUS_IGNORE, ierr)
  call check_equal(in, 30 + rank, 'at an offset')
  offset = integer_bytes * (2 + rank)
  call MPI_File_seek(file, offset, MPI_SEEK_SET, ierr)
  out = 40 + rank
  call MPI_File_write_all_begin(file, out, 1, MPI_INTEGER, ierr)
  call MPI_File_write_all_end(file, out, MPI_STATUS_IGNORE, ierr)
  call MPI_File_seek(file, offset, MPI_SEEK_SET, ierr)
  call MPI_File_read_all_begin(file, in, 1, MPI_INTEGER, ierr)
  call MPI_File_read_all_end(file, in, status, ierr)
  call check_equal(in, 40 + rank, 'at the own pointer')
  out = 50 + rank
  call MPI_File_write_ordered_begin(file, out, 1, MPI_INTEGER, ierr)
  call MPI_File_write_ordered_end(file, out, MPI_STATUS_IGNORE, ierr)
  offset = 0
  call MPI_File_seek_shared(file, offset, MPI_SEEK_SET, ierr)
  call MPI_File_read_ordered_begin(file, in, 1, MPI_INTEGER, ierr)
  call MPI_File_read_ordered_end(file, in, MPI_STATUS_IGNORE, ierr)
  call check_equal(in, 50 + rank, 'in order')
  call MPI_File_close(file, ierr)
  call finish()
end program
