! MPI_File_open, MPI_File_get_amode, MPI_File_get_group, MPI_File_close, MPI_File_delete and MPI_MODE_DELETE_ON_CLOSE.
! ranks: 2
#include "interfaces.inc"

program files_are_opened_closed_and_deleted
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  integer :: n, code
  HANDLE(MPI_File) :: file
  HANDLE(MPI_Group) :: group
  call start()
  call name_of_file(name)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'opened')
  call MPI_File_get_amode(file, n, ierr)
  call check_equal(n, MPI_MODE_CREATE + MPI_MODE_RDWR, 'mode')
  call MPI_File_get_group(file, group, ierr)
  call MPI_Group_size(group, n, ierr)
  call check_equal(n, 2, 'size of the group')
  call MPI_Group_free(group, ierr)
  call MPI_File_close(file, ierr)
  call check(file == MPI_FILE_NULL, 'a closed file is null')
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_EXCL + MPI_MODE_WRONLY, MPI_INFO_NULL, file, code)
  call MPI_Error_class(code, n, ierr)
  call check_equal(n, MPI_ERR_FILE_EXISTS, 'it exists')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) call MPI_File_delete(name, MPI_INFO_NULL, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'deleted')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_WRONLY + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
  call MPI_File_close(file, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    call MPI_File_delete(name, MPI_INFO_NULL, code)
    call MPI_Error_class(code, n, ierr)
    call check_equal(n, MPI_ERR_NO_SUCH_FILE, 'deleted when it was closed')
  end if
  call finish()
end program
