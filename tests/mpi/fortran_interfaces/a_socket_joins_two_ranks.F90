! MPI_Comm_join makes an intercommunicator of a socket whose ends two ranks of one process have.
! integers: 4
! ranks: 2
! modes: fibers-1 fibers-2
#include "interfaces.inc"

program a_socket_joins_two_ranks
  use checks
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
#include "mpi_declarations.inc"
  interface
    integer(c_int) function socketpair(domain, kind, protocol, ends) bind(C)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: domain, kind, protocol
      integer(c_int) :: ends(2)
    end function
    integer(c_int) function close_it(descriptor) bind(C, name='close')
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: descriptor
    end function
  end interface
  integer(c_int) :: ends(2)
  integer :: n, value
  HANDLE(MPI_Comm) :: joined
  call start()
  if (rank == 0) n = socketpair(1, 1, 0, ends) ! AF_UNIX, SOCK_STREAM
  call MPI_Bcast(ends, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Comm_join(ends(rank + 1), joined, ierr)
  call MPI_Comm_remote_size(joined, n, ierr)
  call check_equal(n, 1, 'remote size')
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 0, value, 1, MPI_INTEGER, 0, 0, joined, MPI_STATUS_IGNORE, ierr)
  call check_equal(value, 1 - rank, 'value')
  call MPI_Comm_disconnect(joined, ierr)
  call check_equal(close_it(ends(rank + 1)), 0, 'closed')
  call finish()
end program
