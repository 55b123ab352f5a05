! MPI 5.0 section 10: "In Fortran, leading and trailing spaces are stripped from both" (key and value);
! lengths count without the null character of C.
! ranks: 2
include 'checks.inc'

program info_strings
  use checks
  implicit none
  integer :: info, copy, n, length, env
  character(len=MPI_MAX_INFO_KEY) :: key
  character(len=30) :: value
  character(len=3) :: short
  logical :: flag
  call start()
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, '  colour ', '  dark blue   ', ierr)
  call MPI_Info_set(info, 'size', '12', ierr)
  call MPI_Info_get_nkeys(info, n, ierr)
  call check_equal(n, 2, 'number of keys')
  key = repeat('#', len(key))
  call MPI_Info_get_nthkey(info, 0, key, ierr)
  call check(key == 'colour', 'the first key, counted from 0')
  value = repeat('#', len(value))
  call MPI_Info_get(info, 'colour  ', len(value), value, flag, ierr)
  call check(flag .and. value == 'dark blue', 'its value, filled up with blanks')
  call MPI_Info_get(info, 'colour', 4, value, flag, ierr)
  call check(flag .and. value == 'dark', 'the first 4 characters')
  call MPI_Info_get(info, 'nothing', len(value), value, flag, ierr)
  call check(.not. flag .and. value == 'dark', 'no such key')
  call MPI_Info_get_valuelen(info, 'colour', length, flag, ierr)
  call check(flag .and. length == 9, 'length of the value')

  length = 0
  call MPI_Info_get_string(info, 'colour', length, value, flag, ierr)
  call check(flag .and. length == 9 .and. value == 'dark', 'asked for the length only')
  length = len(value)
  call MPI_Info_get_string(info, 'colour', length, value, flag, ierr)
  call check(flag .and. length == 9 .and. value == 'dark blue', 'MPI_Info_get_string')
  length = len(short)
  call MPI_Info_get_string(info, 'colour', length, short, flag, ierr)
  call check(flag .and. length == 9 .and. short == 'dar', 'cut')

  call MPI_Info_dup(info, copy, ierr)
  call MPI_Info_delete(info, 'size', ierr)
  call MPI_Info_get(copy, 'size', len(value), value, flag, ierr)
  call check(flag .and. value == '12', 'the copy keeps it')
  call MPI_Info_free(info, ierr)
  call MPI_Info_free(copy, ierr)
  call check_equal(info, MPI_INFO_NULL, 'freed')
  call MPI_Info_create_env(env, ierr)
  call MPI_Info_get_nkeys(env, n, ierr)
  call check(n > 0, 'how the job was started')
  call MPI_Info_free(env, ierr)
  call finish()
end program
