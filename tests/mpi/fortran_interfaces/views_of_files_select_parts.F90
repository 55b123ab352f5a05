! MPI_File_set_view, MPI_File_get_view, MPI_File_get_byte_offset and MPI_File_get_type_extent.
! ranks: 2
#include "interfaces.inc"

program views_of_files_select_parts
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  character(len=MPI_MAX_DATAREP_STRING) :: datarep
  integer :: values(4), all_values(8), i
  integer(kind=MPI_OFFSET_KIND) :: disp, offset
  integer(kind=MPI_ADDRESS_KIND) :: extent
  HANDLE(MPI_Datatype) :: every_second, etype, filetype
  HANDLE(MPI_File) :: file
  call start()
  call name_of_file(name)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
  call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 2_MPI_ADDRESS_KIND * integer_bytes, every_second, ierr)
  call MPI_Type_commit(every_second, ierr)
  disp = integer_bytes * rank
  call MPI_File_set_view(file, disp, MPI_INTEGER, every_second, 'native', MPI_INFO_NULL, ierr)
  values = [(10 * i + rank, i=1, 4)]
  call MPI_File_write_all(file, values, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  disp = -1
  call MPI_File_get_view(file, disp, etype, filetype, datarep, ierr)
  call check(disp == integer_bytes * rank, 'displacement')
  call check(etype == MPI_INTEGER, 'elementary type')
  call check_equal(datarep, 'native', 'representation')
  call MPI_Type_free(filetype, ierr)
  offset = 3
  call MPI_File_get_byte_offset(file, offset, disp, ierr)
  call check(disp == integer_bytes * (6 + rank), 'byte')
  call MPI_File_get_type_extent(file, MPI_DOUBLE_PRECISION, extent, ierr)
  call check_equal(extent, 8, 'extent in the file')
  disp = 0
  call MPI_File_set_view(file, disp, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_read_all(file, all_values, 8, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check(all(all_values == [10, 11, 20, 21, 30, 31, 40, 41]), 'values alternate')
  call MPI_Type_free(every_second, ierr)
  call MPI_File_close(file, ierr)
  call finish()
end program
