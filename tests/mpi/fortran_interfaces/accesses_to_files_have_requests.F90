! MPI_File_iwrite, MPI_File_iread, MPI_File_iwrite_at, MPI_File_iread_at, MPI_File_iwrite_shared and MPI_File_iread_shared, and the
! collective ones: MPI_File_iwrite_all, MPI_File_iread_all, MPI_File_iwrite_at_all and MPI_File_iread_at_all.
! ranks: 1
#include "interfaces.inc"

program accesses_to_files_have_requests
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  ASYNC(integer) :: out(3), in(3)
  integer(kind=MPI_OFFSET_KIND) :: offset
  HANDLE(MPI_File) :: file
  HANDLE(MPI_Request) :: request
  STATUS :: status
  integer :: n
  call start()
  call name_of_file(name)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
  out = [1, 2, 3]
  call MPI_File_iwrite(file, out, 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call check_equal(n, 3, 'written')
  offset = 3 * integer_bytes
  call MPI_File_iwrite_at(file, offset, out, 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  out = [4, 5, 6]
  call MPI_File_iwrite_shared(file, out, 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_File_iread(file, in, 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(all(in == [1, 2, 3]), 'own pointer')
  offset = 2 * integer_bytes
  call MPI_File_iread_at(file, offset, in, 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(all(in == [6, 1, 2]), 'explicit offset')
  call MPI_File_iread_shared(file, in, 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(all(in == [1, 2, 3]), 'shared pointer')
  call MPI_File_iwrite_all(file, out, 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_File_iwrite_at_all(file, offset, out, 1, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_File_iread_at_all(file, offset, in, 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(all(in == [4, 1, 2]), 'explicit offset of all')
  offset = 6 * integer_bytes
  call MPI_File_seek(file, offset, MPI_SEEK_SET, ierr)
  call MPI_File_iread_all(file, in, 3, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(all(in == [4, 5, 6]), 'own pointers of all')
  call MPI_File_close(file, ierr)
  call finish()
end program
