! Random sections of three dimensions with random datatypes, predefined and derived, as messages, broadcasts, in files
! and in windows. The model is the same call with the section's elements in an array without gaps.
! THRUM_TEST_SEED sets the seed.
! ranks: 1 2
include 'checks_f08.inc'

program random_sections
  use checks
  implicit none
  integer, parameter :: runs = 400, kinds = 9
  integer :: seed_size, seed, run, low(3), high(3), step(3), i, kind, count
  integer, target :: memory(9, 8, 7)
  integer, pointer :: section(:, :, :)
  type(MPI_Datatype) :: types(kinds)
  type(MPI_Comm) :: self
  real :: r(10)
  character(len=20) :: text
  call start()
  call get_environment_variable('THRUM_TEST_SEED', text, status=i)
  seed = 20261128
  if (i == 0) read (text, *) seed
  call random_seed(size=seed_size)
  call random_seed(put=[(seed + 37*rank + i, i=1, seed_size)])
  call MPI_Comm_dup(MPI_COMM_SELF, self)
  call make_types()
  do run = 1, runs
    do i = 1, 3
      call random_number(r)
      low(i) = 1 + int(r(1)*size(memory, i))
      high(i) = 1 + int(r(2)*size(memory, i))
      step(i) = 1 + int(r(3)*3)
      if (high(i) < low(i)) step(i) = -step(i)
      if (r(4) < 0.2) high(i) = low(i)
      if (r(4) > 0.8) then ! a whole dimension
        low(i) = 1
        high(i) = size(memory, i)
        step(i) = 1
      end if
    end do
    call random_number(r)
    kind = 1 + int(r(5)*kinds)
    section => memory(low(1):high(1):step(1), low(2):high(2):step(2), low(3):high(3):step(3))
    count = elements_that_fit(types(kind), 4*size(section))
    if (r(6) < 0.7) count = int(r(7)*(count + 1))
    call compare(section, count, types(kind))
  end do
  do i = 3, kinds
    if (i /= 8) call MPI_Type_free(types(i))
  end do
  call MPI_Comm_free(self)
  call finish()

contains

  subroutine make_types()
    integer(MPI_ADDRESS_KIND) :: zero = 0
    types(1) = MPI_INTEGER
    types(2) = MPI_BYTE
    call MPI_Type_contiguous(2, MPI_INTEGER, types(3))
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, types(4))
    call MPI_Type_indexed(3, [1, 2, 1], [4, 0, 7], MPI_INTEGER, types(5))
    call MPI_Type_create_struct(2, [1, 4], [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND], [MPI_INTEGER, MPI_BYTE], types(6))
    call MPI_Type_create_resized(MPI_INTEGER, zero, 8_MPI_ADDRESS_KIND, types(7))
    types(8) = MPI_INTEGER2
    call MPI_Type_create_hindexed_block(2, 3, [1_MPI_ADDRESS_KIND, 9_MPI_ADDRESS_KIND], MPI_BYTE, types(9))
    do i = 3, kinds
      call MPI_Type_commit(types(i))
    end do
  end subroutine

  ! Returns how many elements of the datatype lie in so many bytes.
  integer function elements_that_fit(datatype, bytes)
    type(MPI_Datatype), intent(in) :: datatype
    integer, intent(in) :: bytes
    integer(MPI_ADDRESS_KIND) :: lb, extent, true_lb, true_extent
    call MPI_Type_get_extent(datatype, lb, extent)
    call MPI_Type_get_true_extent(datatype, true_lb, true_extent)
    elements_that_fit = 0
    if (bytes >= true_lb + true_extent) elements_that_fit = 1 + int((bytes - true_lb - true_extent)/extent)
  end function

  subroutine compare(section, count, datatype)
    integer, intent(inout), asynchronous :: section(:, :, :)
    integer, intent(in) :: count
    type(MPI_Datatype), intent(in) :: datatype
    integer, dimension(size(section)), asynchronous :: dense, got, expected
    type(MPI_File) :: file
    type(MPI_Win) :: win
    type(MPI_Status) :: status
    integer(MPI_OFFSET_KIND) :: zero = 0
    integer, asynchronous :: window(size(section))
    memory = reshape([(1000*run + i, i=1, size(memory))], shape(memory))
    dense = reshape(section, [size(section)])
    got = -1
    expected = -1
    call MPI_Sendrecv(section, count, datatype, 0, 1, got, count, datatype, 0, 1, self, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(dense, count, datatype, 0, 1, expected, count, datatype, 0, 1, self, MPI_STATUS_IGNORE)
    call expect(all(got == expected), 'sent')

    dense = [(-i, i=1, size(dense))]
    section = 7
    expected = 7
    call MPI_Sendrecv(dense, count, datatype, 0, 1, section, count, datatype, 0, 1, self, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(dense, count, datatype, 0, 1, expected, count, datatype, 0, 1, self, MPI_STATUS_IGNORE)
    call expect(all(reshape(section, [size(section)]) == expected), 'received')

    call MPI_File_open(self, file_of('sections', rank), MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                       MPI_INFO_NULL, file)
    call MPI_File_write_at(file, zero, section, count, datatype, status)
    got = -1
    expected = -1
    call MPI_File_read_at(file, zero, got, count, datatype, status)
    dense = reshape(section, [size(section)])
    call MPI_Sendrecv(dense, count, datatype, 0, 1, expected, count, datatype, 0, 1, self, MPI_STATUS_IGNORE)
    call expect(all(got == expected), 'written')
    section = 9
    expected = 9
    call MPI_File_read_at(file, zero, section, count, datatype, status)
    call MPI_File_read_at(file, zero, expected, count, datatype, status)
    call expect(all(reshape(section, [size(section)]) == expected), 'read')
    call MPI_File_close(file)

    window = -1
    expected = -1
    call MPI_Win_create(window, int(4*size(window), MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, self, win)
    call MPI_Win_fence(0, win)
    call MPI_Put(section, count, datatype, 0, 0_MPI_ADDRESS_KIND, count, datatype, win)
    call MPI_Win_fence(0, win)
    dense = reshape(section, [size(section)])
    call MPI_Sendrecv(dense, count, datatype, 0, 1, expected, count, datatype, 0, 1, self, MPI_STATUS_IGNORE)
    call expect(all(window == expected), 'put')
    section = 5
    expected = 5
    call MPI_Win_fence(0, win)
    call MPI_Get(section, count, datatype, 0, 0_MPI_ADDRESS_KIND, count, datatype, win)
    call MPI_Win_fence(0, win)
    call MPI_Sendrecv(window, count, datatype, 0, 1, expected, count, datatype, 0, 1, self, MPI_STATUS_IGNORE)
    call expect(all(reshape(section, [size(section)]) == expected), 'got')
    call MPI_Win_free(win)
  end subroutine

  subroutine expect(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok) return
    write (0, '(a, i0, a, i0, a, 9(1x, i0), a, i0, a, i0)') 'seed ', seed, ', run ', run, ': sections', &
      (low(i), high(i), step(i), i=1, 3), ', datatype ', kind, ', count ', count
    call check(.false., what)
  end subroutine
end program
