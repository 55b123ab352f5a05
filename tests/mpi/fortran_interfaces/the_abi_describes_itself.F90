! MPI_Abi_get_version, MPI_Abi_get_info, MPI_Abi_get_fortran_info and MPI_Abi_get_fortran_booleans. MPI_Abi_set_fortran_info and
! MPI_Abi_set_fortran_booleans accept what is set already.
! ranks: 1
#include "interfaces.inc"

program the_abi_describes_itself
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: major, minor, n
  logical :: yes, no, flag
  HANDLE(MPI_Info) :: info
  character(len=20) :: text
  call start()
  call MPI_Abi_get_version(major, minor, ierr)
  call check(major == MPI_ABI_VERSION .and. minor == MPI_ABI_SUBVERSION, 'version')
  call MPI_Abi_get_info(info, ierr)
  n = 20
  call MPI_Info_get_string(info, 'mpi_aint_size', n, text, flag, ierr)
  call check_equal(text, '8', 'size of an address')
  call MPI_Info_free(info, ierr)
  call MPI_Abi_get_fortran_info(info, ierr)
  n = 20
  call MPI_Info_get_string(info, 'mpi_integer_size', n, text, flag, ierr)
  call check(text == merge('8', '4', integer_bytes == 8), 'size of an INTEGER')
  call MPI_Abi_set_fortran_info(info, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'the same info')
  call MPI_Info_free(info, ierr)
  yes = .false.
  no = .true.
  call MPI_Abi_get_fortran_booleans(integer_bytes, yes, no, flag, ierr)
  call check(flag .and. yes .and. .not. no, 'truth')
  call MPI_Abi_set_fortran_booleans(integer_bytes, yes, no, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'the same truth')
  call finish()
end program
