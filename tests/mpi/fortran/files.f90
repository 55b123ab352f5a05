! Files from Fortran: names lose their blanks, offsets are INTEGER(MPI_OFFSET_KIND), error handlers and
! data representations are subroutines, status and counts as in communication.
! ranks: 1 4
include 'checks.inc'

module representation
  use mpi
  implicit none
  integer :: handled = 0, conversions = 0
contains
  subroutine note_error(file, error_code)
    integer :: file, error_code
    if (file == MPI_FILE_NULL) handled = handled + 1
  end subroutine

  ! In the file an INTEGER is its negative.
  subroutine negate_read(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    integer :: userbuf(*), filebuf(*), datatype, count, ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    userbuf(position + 1:position + count) = -filebuf(1:count)
    conversions = conversions + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine negate_write(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    integer :: userbuf(*), filebuf(*), datatype, count, ierror
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    filebuf(1:count) = -userbuf(position + 1:position + count)
    conversions = conversions + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine four_bytes(datatype, extent, extra_state, ierror)
    integer :: datatype, ierror
    integer(MPI_ADDRESS_KIND) :: extent, extra_state
    extent = 4
    ierror = MPI_SUCCESS
  end subroutine
end module

program files
  use checks
  use representation
  implicit none
  integer :: file, handler, code, class, amode, filetype, etype_found, filetype_found, request, n, i
  integer :: status(MPI_STATUS_SIZE), numbers(10), back(10), clock
  integer(MPI_OFFSET_KIND) :: disp, offset, bytes
  integer(MPI_ADDRESS_KIND) :: extent, state
  character(len=200) :: name
  character(len=MPI_MAX_DATAREP_STRING) :: datarep
  logical :: flag
  call start()
  call get_environment_variable('TMPDIR', name)
  if (name == '') name = '/tmp'
  call system_clock(clock)
  write (name, '(a, a, i0, a, i0)') trim(name), '/thrum-io-fortran-', getpid(), '-', clock
  call MPI_Bcast(name, len(name), MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)

  call MPI_File_create_errhandler(note_error, handler, ierr)
  call MPI_File_set_errhandler(MPI_FILE_NULL, handler, ierr)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, file, code)
  call MPI_Error_class(code, class, ierr)
  call check_equal(class, MPI_ERR_NO_SUCH_FILE, 'class of a missing file')
  call check_equal(handled, 1, 'calls of the subroutine')
  call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierr)

  amode = ior(ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_MODE_DELETE_ON_CLOSE)
  call MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, file, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'MPI_File_open')
  call MPI_Type_create_subarray(1, [2 * nranks], [2], [2 * rank], MPI_ORDER_FORTRAN, MPI_INTEGER, filetype, ierr)
  call MPI_Type_commit(filetype, ierr)
  disp = 16
  call MPI_File_set_view(file, disp, MPI_INTEGER, filetype, 'native  ', MPI_INFO_NULL, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'MPI_File_set_view')
  disp = 0
  datarep = repeat('#', len(datarep))
  call MPI_File_get_view(file, disp, etype_found, filetype_found, datarep, ierr)
  call check(disp == 16 .and. etype_found == MPI_INTEGER .and. datarep == 'native', 'MPI_File_get_view')
  call MPI_Type_free(filetype_found, ierr)

  numbers = [(100 * rank + i, i = 1, 10)]
  call MPI_File_write_all(file, numbers, 10, MPI_INTEGER, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call check_equal(n, 10, 'integers written')
  call MPI_File_get_position(file, offset, ierr)
  call check(offset == 10, 'the position')
  call MPI_File_get_byte_offset(file, offset, bytes, ierr)
  call check(bytes == 16 + 5 * 8 * nranks + 8 * rank, 'its byte')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  offset = 3
  back = 0
  call MPI_File_iread_at(file, offset, back, 4, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, status, ierr)
  call check(all(back(1:4) == numbers(4:7)), 'read back')
  call MPI_File_get_atomicity(file, flag, ierr)
  call check(.not. flag, 'not atomic')
  call MPI_File_set_atomicity(file, .true., ierr)
  call MPI_File_get_atomicity(file, flag, ierr)
  call check(flag, 'atomic')

  state = 0
  call MPI_Register_datarep('negative', negate_read, negate_write, four_bytes, state, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'MPI_Register_datarep')
  disp = 0
  call MPI_File_set_view(file, disp, MPI_INTEGER, MPI_INTEGER, 'negative', MPI_INFO_NULL, ierr)
  call MPI_File_get_type_extent(file, MPI_INTEGER, extent, ierr)
  call check(extent == 4, 'the extent in the file')
  offset = 10 * rank
  call MPI_File_write_at_all(file, offset, numbers, 10, MPI_INTEGER, status, ierr)
  back = 0
  call MPI_File_read_at_all(file, offset, back, 10, MPI_INTEGER, status, ierr)
  call check(all(back == numbers) .and. conversions >= 2, 'converted both ways')
  call MPI_File_set_view(file, disp, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_read_at_all(file, offset, back, 10, MPI_INTEGER, status, ierr)
  call check(all(back == -numbers), 'in the file')
  call MPI_Type_free(filetype, ierr)
  call MPI_Errhandler_free(handler, ierr)
  call MPI_File_close(file, ierr)
  call check(ierr == MPI_SUCCESS .and. file == MPI_FILE_NULL, 'MPI_File_close')
  call finish()
end program
