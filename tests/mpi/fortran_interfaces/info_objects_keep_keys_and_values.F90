! MPI_Info_create, MPI_Info_set, MPI_Info_get, MPI_Info_get_string, MPI_Info_get_valuelen, MPI_Info_get_nkeys, MPI_Info_get_nthkey,
! MPI_Info_dup, MPI_Info_delete and MPI_Info_free; blanks at both ends are removed.
! ranks: 1
#include "interfaces.inc"

program info_objects_keep_keys_and_values
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n
  logical :: flag
  character(len=MPI_MAX_INFO_KEY) :: key
  character(len=8) :: value
  HANDLE(MPI_Info) :: info, again
  call start()
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, ' colour ', '  dark green ', ierr)
  call MPI_Info_set(info, 'size', '12', ierr)
  call MPI_Info_get_nkeys(info, n, ierr)
  call check_equal(n, 2, 'keys')
  call MPI_Info_get_nthkey(info, 0, key, ierr)
  call check_equal(key, 'colour', 'the first key')
  call MPI_Info_get_valuelen(info, 'colour', n, flag, ierr)
  call check(flag, 'it has a value')
  call check_equal(n, 10, 'length')
  call MPI_Info_get(info, 'size', 8, value, flag, ierr)
  call check_equal(value, '12', 'value')
  n = 8
  call MPI_Info_get_string(info, 'colour', n, value, flag, ierr)
  call check_equal(value, 'dark gre', 'value without its end')
  call result('length that is needed', n)
  call MPI_Info_dup(info, again, ierr)
  call MPI_Info_delete(info, 'size', ierr)
  call MPI_Info_get_nkeys(info, n, ierr)
  call check_equal(n, 1, 'keys')
  call MPI_Info_get_nkeys(again, n, ierr)
  call check_equal(n, 2, 'keys of the duplicate')
  value = 'same'
  call MPI_Info_get(info, 'size', 8, value, flag, ierr)
  call check(.not. flag, 'deleted')
  call check_equal(value, 'same', 'untouched')
  call MPI_Info_free(info, ierr)
  call MPI_Info_free(again, ierr)
  call check(info == MPI_INFO_NULL, 'a free object is null')
  call finish()
end program
