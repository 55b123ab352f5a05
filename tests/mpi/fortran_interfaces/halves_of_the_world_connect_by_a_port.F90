! MPI_Open_port, MPI_Comm_accept, MPI_Comm_connect, MPI_Comm_disconnect, MPI_Close_port and MPI_Comm_get_parent.
! ranks: 4
#include "interfaces.inc"

program halves_of_the_world_connect_by_a_port
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: half, n, value
  character(len=MPI_MAX_PORT_NAME) :: port
  HANDLE(MPI_Comm) :: mine, across, parent
  call start()
  call MPI_Comm_get_parent(parent, ierr)
  call check(parent == MPI_COMM_NULL, 'no parent')
  half = rank / 2
  call MPI_Comm_split(MPI_COMM_WORLD, half, rank, mine, ierr)
  port = ' '
  if (rank == 0) call MPI_Open_port(MPI_INFO_NULL, port, ierr)
  call MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
  call check(port /= ' ', 'a port')
  if (half == 0) then
    call MPI_Comm_accept(port, MPI_INFO_NULL, 0, mine, across, ierr)
  else
    call MPI_Comm_connect(port, MPI_INFO_NULL, 0, mine, across, ierr)
  end if
  call MPI_Comm_remote_size(across, n, ierr)
  call check_equal(n, 2, 'remote size')
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank, 2), 1, value, 1, MPI_INTEGER, mod(rank, 2), 1, across, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, mod(rank + 2, 4), 'value')
  call MPI_Comm_disconnect(across, ierr)
  call check(across == MPI_COMM_NULL, 'disconnected')
  if (rank == 0) call MPI_Close_port(port, ierr)
  call MPI_Comm_free(mine, ierr)
  call finish()
end program
