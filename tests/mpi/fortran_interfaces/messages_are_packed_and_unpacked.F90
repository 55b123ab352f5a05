! MPI_Pack_size, MPI_Pack, MPI_PACKED and MPI_Unpack; positions go on from one value to the next.
! ranks: 2
#include "interfaces.inc"

program messages_are_packed_and_unpacked
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character :: buffer(200)
  character(len=5) :: word
  integer :: n, position, number
  double precision :: value
  call start()
  call MPI_Pack_size(3, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, n, ierr)
  call check(n >= 24 .and. n <= 200, 'size')
  position = 0
  if (rank == 0) then
    call MPI_Pack(17, 1, MPI_INTEGER, buffer, 200, position, MPI_COMM_WORLD, ierr)
    call MPI_Pack('hello', 5, MPI_CHARACTER, buffer, 200, position, MPI_COMM_WORLD, ierr)
    call MPI_Pack(1.25d0, 1, MPI_DOUBLE_PRECISION, buffer, 200, position, MPI_COMM_WORLD, ierr)
    call MPI_Send(buffer, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(buffer, 200, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Unpack(buffer, 200, position, number, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call MPI_Unpack(buffer, 200, position, word, 5, MPI_CHARACTER, MPI_COMM_WORLD, ierr)
    call MPI_Unpack(buffer, 200, position, value, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    call check_equal(number, 17, 'number')
    call check_equal(word, 'hello', 'word')
    call check(value == 1.25d0, 'value')
  end if
  call result('position behind the INTEGER', position - integer_bytes)
  call finish()
end program
