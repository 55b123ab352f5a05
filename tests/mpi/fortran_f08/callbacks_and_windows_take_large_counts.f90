! MPI_Op_create_c and MPI_Register_datarep_c have names of their own, because subroutines cannot be told apart by their arguments. Windows
! take displacement units of INTEGER(MPI_ADDRESS_KIND), files and one-sided operations counts of INTEGER(MPI_COUNT_KIND).
! ranks: 2
include 'checks_f08.inc'

module large_callbacks
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine multiply(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    if (datatype == MPI_INTEGER) b = a * b
  end subroutine

  subroutine convert(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer(MPI_COUNT_KIND) :: count
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    integer, pointer :: user(:), file(:)
    call c_f_pointer(userbuf, user, [position + count])
    call c_f_pointer(filebuf, file, [count])
    ! Reading and writing are told apart by the sign: the file has negative numbers.
    if (all(user(position + 1:) > 0)) then
      file = -user(position + 1:)
    else
      user(position + 1:) = -file
    end if
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype == MPI_INTEGER .and. extra_state == 3)
  end subroutine

  subroutine extent_of_four(datatype, extent, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer(MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
    extent = 4
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype == MPI_INTEGER .and. extra_state == 3)
  end subroutine
end module

program callbacks
  use checks
  use large_callbacks
  implicit none
  integer, parameter :: ck = MPI_COUNT_KIND
  integer(MPI_ADDRESS_KIND) :: size, unit
  integer(MPI_OFFSET_KIND) :: offset
  integer, asynchronous :: values(3), got(3)
  integer, pointer :: memory(:)
  integer :: n
  character(len=200) :: name
  type(c_ptr) :: address
  type(MPI_File) :: file
  type(MPI_Op) :: op
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  type(MPI_Win) :: win
  call start()
  call MPI_Op_create_c(multiply, .true., op)
  values = [1, 2, 3] + rank
  call MPI_Allreduce(values, got, 3_ck, MPI_INTEGER, op, MPI_COMM_WORLD)
  call check(all(got == [2, 6, 12]), 'an operation of large counts with large counts')
  call MPI_Allreduce(values, got, 3, MPI_INTEGER, op, MPI_COMM_WORLD)
  call check(all(got == [2, 6, 12]), 'an operation of large counts')
  call MPI_Op_free(op)

  size = 40
  unit = 5000000000_MPI_ADDRESS_KIND
  call MPI_Win_allocate(size, unit, MPI_INFO_NULL, MPI_COMM_WORLD, address, win)
  call c_f_pointer(address, memory, [10])
  memory = 7
  call MPI_Win_fence(0, win)
  call MPI_Put(values, 3_ck, MPI_INTEGER, 1 - rank, 0_MPI_ADDRESS_KIND, 3_ck, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call check(all(memory(:4) == [[1, 2, 3] + 1 - rank, 7]), 'put')
  call MPI_Win_free(win)
  call MPI_Win_allocate_shared(size, 4_MPI_ADDRESS_KIND, MPI_INFO_NULL, MPI_COMM_WORLD, address, win)
  call MPI_Win_shared_query(win, 1 - rank, size, unit, address)
  call check(unit == 4 .and. size == 40, 'large unit')
  call MPI_Win_shared_query(win, 1 - rank, size, n, address)
  call check_equal(n, 4, 'small unit')
  call MPI_Win_free(win)

  call get_environment_variable('TMPDIR', name)
  if (name == '') name = '/tmp'
  name = trim(name)//'/thrum-large-'//file_of('counts', 0)
  call MPI_Bcast(name, len(name, ck), MPI_CHARACTER, 0, MPI_COMM_WORLD)
  call MPI_Register_datarep_c('negative large', convert, convert, extent_of_four, 3_MPI_ADDRESS_KIND)
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file)
  call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'negative large', MPI_INFO_NULL)
  offset = 3 * rank
  call MPI_File_write_at_all(file, offset, values, 3_ck, MPI_INTEGER, status)
  got = 0
  call MPI_File_iread_at(file, offset, got, 3_ck, MPI_INTEGER, request)
  call MPI_Wait(request, status)
  call check(all(got == values), 'read as written')
  call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
  call MPI_File_read_at(file, offset, got, 3_ck, MPI_INTEGER, status)
  call check(all(got == -values), 'negative in the file')
  call MPI_File_close(file)
  call finish()
end program
