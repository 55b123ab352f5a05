! MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init and MPI_Recv_init describe messages that MPI_Start and
! MPI_Startall send again and again, until MPI_Request_free.
! ranks: 2
#include "interfaces.inc"

program persistent_requests_start_again
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: out(4), in(4)
  integer, target :: room(300)
  integer :: i, round
  HANDLE(MPI_Request) :: sends(4), receives(4)
  call start()
  call MPI_Buffer_attach(room, 1200, ierr)
  call MPI_Send_init(out(1), 1, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, sends(1), ierr)
  call MPI_Bsend_init(out(2), 1, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, sends(2), ierr)
  call MPI_Ssend_init(out(3), 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, sends(3), ierr)
  call MPI_Rsend_init(out(4), 1, MPI_INTEGER, 1 - rank, 4, MPI_COMM_WORLD, sends(4), ierr)
  do i = 1, 4
    call MPI_Recv_init(in(i), 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, receives(i), ierr)
  end do
  do round = 1, 3
    call MPI_Startall(4, receives, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    do i = 1, 4
      out(i) = 100 * round + 10 * i + rank
      call MPI_Start(sends(i), ierr)
    end do
    call MPI_Waitall(4, sends, MPI_STATUSES_IGNORE, ierr)
    call MPI_Waitall(4, receives, MPI_STATUSES_IGNORE, ierr)
    call check_equal(sum(in), 400 * round + 100 + 4 * (1 - rank), 'sum')
  end do
  do i = 1, 4
    call check(sends(i) /= MPI_REQUEST_NULL, 'persistent requests stay')
    call MPI_Request_free(sends(i), ierr)
    call MPI_Request_free(receives(i), ierr)
  end do
  call check(all(sends == MPI_REQUEST_NULL), 'free requests are null')
  call finish()
end program
