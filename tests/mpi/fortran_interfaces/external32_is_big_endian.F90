! MPI_Pack_external_size, MPI_Pack_external and MPI_Unpack_external.
! integers: 4
! ranks: 1
#include "interfaces.inc"

program external32_is_big_endian
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character :: buffer(40)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, position
  integer :: values(2), got(2)
  double precision :: number
  call start()
  call MPI_Pack_external_size('external32', 2, MPI_INTEGER, bytes, ierr)
  call check_equal(bytes, 8, 'size')
  values = [1, 258]
  position = 0
  bytes = 40
  call MPI_Pack_external('external32', values, 2, MPI_INTEGER, buffer, bytes, position, ierr)
  call check_equal(position, 8, 'position')
  call MPI_Pack_external('external32', -2d0, 1, MPI_DOUBLE_PRECISION, buffer, bytes, position, ierr)
  call check(all(ichar(buffer(:9)) == [0, 0, 0, 1, 0, 0, 1, 2, 192]), 'bytes')
  position = 0
  call MPI_Unpack_external('external32', buffer, bytes, position, got, 2, MPI_INTEGER, ierr)
  call check(all(got == values), 'values')
  call MPI_Unpack_external('external32', buffer, bytes, position, number, 1, MPI_DOUBLE_PRECISION, ierr)
  call check(number == -2, 'number')
  call check_equal(position, 16, 'position')
  call finish()
end program
