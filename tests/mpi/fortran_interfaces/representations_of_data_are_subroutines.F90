! MPI_Register_datarep: in the file an INTEGER is its negative.
! ranks: 1
#include "interfaces.inc"

module own_representation
  use checks
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
#include "mpi_declarations.inc"
  private
  public :: conversions, read_negative, write_negative, extent_of_four
  integer(kind=MPI_ADDRESS_KIND) :: conversions = 0
contains
#if INTERFACE == 8
#define BUFFERS type(c_ptr), value :: userbuf, filebuf
#define AS_NUMBERS(buffer, n, name) call c_f_pointer(buffer, name, [int(n)])
#else
#define BUFFERS integer, target :: userbuf(*), filebuf(*)
#define AS_NUMBERS(buffer, n, name) name => buffer(:n)
#endif
  subroutine read_negative(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    BUFFERS
    HANDLE(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer, pointer :: user(:), file(:)
    AS_NUMBERS(userbuf, position + count, user)
    AS_NUMBERS(filebuf, count, file)
    user(position + 1:position + count) = -file(1:count)
    conversions = conversions + extra_state
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype == MPI_INTEGER)
  end subroutine
  subroutine write_negative(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    BUFFERS
    HANDLE(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer, pointer :: user(:), file(:)
    AS_NUMBERS(userbuf, position + count, user)
    AS_NUMBERS(filebuf, count, file)
    file(1:count) = -user(position + 1:position + count)
    conversions = conversions + extra_state
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype == MPI_INTEGER)
  end subroutine
  subroutine extent_of_four(datatype, extent, extra_state, ierror)
    HANDLE(MPI_Datatype) :: datatype
    integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
    extent = integer_bytes
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype /= MPI_DATATYPE_NULL .and. extra_state == 100)
  end subroutine
end module

program representations_of_data_are_subroutines
  use checks
  use own_representation
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=200) :: name
  integer :: values(5), i
  integer(kind=MPI_OFFSET_KIND) :: disp
  integer(kind=MPI_ADDRESS_KIND) :: extra
  HANDLE(MPI_File) :: file
  call start()
  call name_of_file(name)
  extra = 100
  call MPI_Register_datarep('negative', read_negative, write_negative, extent_of_four, extra, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'registered')
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
  disp = 0
  call MPI_File_set_view(file, disp, MPI_INTEGER, MPI_INTEGER, 'negative', MPI_INFO_NULL, ierr)
  values = [(i, i=1, 5)]
  call MPI_File_write_at(file, disp, values, 5, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  values = 0
  call MPI_File_read_at(file, disp, values, 5, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check(all(values == [(i, i=1, 5)]), 'through the representation')
  call check(conversions >= 200 .and. mod(conversions, 100_MPI_ADDRESS_KIND) == 0, 'converted')
  call MPI_File_set_view(file, disp, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_read_at(file, disp, values, 5, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check(all(values == [(-i, i=1, 5)]), 'in the file')
  call MPI_File_close(file, ierr)
  call finish()
end program
