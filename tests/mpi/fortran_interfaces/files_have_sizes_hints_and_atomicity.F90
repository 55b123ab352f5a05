! MPI_File_set_size, MPI_File_get_size, MPI_File_preallocate, MPI_File_sync, MPI_File_set_atomicity, MPI_File_get_atomicity,
! MPI_File_set_info and MPI_File_get_info.
! ranks: 2
#include "interfaces.inc"

program files_have_sizes_hints_and_atomicity
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  character(len=20) :: text
  integer :: n
  integer(kind=MPI_OFFSET_KIND) :: bytes
  logical :: flag
  HANDLE(MPI_File) :: file
  HANDLE(MPI_Info) :: info
  call start()
  call name_of_file(name)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
  bytes = 100
  call MPI_File_preallocate(file, bytes, ierr)
  call MPI_File_get_size(file, bytes, ierr)
  call check_equal(bytes, 100, 'size with room')
  bytes = 5000000000_MPI_OFFSET_KIND
  call MPI_File_set_size(file, bytes, ierr)
  bytes = 0
  call MPI_File_get_size(file, bytes, ierr)
  call check(bytes == 5000000000_MPI_OFFSET_KIND, 'a large size')
  call MPI_File_get_atomicity(file, flag, ierr)
  call check(.not. flag, 'not atomic')
  call MPI_File_set_atomicity(file, .true., ierr)
  call MPI_File_get_atomicity(file, flag, ierr)
  call check(flag, 'atomic')
  call MPI_File_sync(file, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'synchronised')
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'access_style', 'sequential', ierr)
  call MPI_File_set_info(file, info, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'hints')
  call MPI_Info_free(info, ierr)
  call MPI_File_get_info(file, info, ierr)
  call check(info /= MPI_INFO_NULL, 'hints in use')
  n = 20
  call MPI_Info_get_string(info, 'access_style', n, text, flag, ierr)
  if (flag) call result('access style', trim(text))
  call MPI_Info_free(info, ierr)
  call MPI_File_close(file, ierr)
  call finish()
end program
