! MPI_Send, MPI_Bsend, MPI_Ssend and MPI_Rsend deliver one message each; MPI_Recv returns its source, tag and length.
! ranks: 2
#include "interfaces.inc"

program blocking_sends_of_all_modes_arrive
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: values(3), i, n, other
  integer, target :: room(300)
  STATUS :: status
  HANDLE(MPI_Request) :: request
  call start()
  other = 1 - rank
  if (rank == 0) then
    call MPI_Recv(n, 0, MPI_INTEGER, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    values = [1, 2, 3]
    call MPI_Rsend(values(2), 1, MPI_INTEGER, other, 4, MPI_COMM_WORLD, ierr)
    call MPI_Send(values, 3, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierr)
    call MPI_Buffer_attach(room, 1200, ierr)
    call MPI_Bsend(values, 2, MPI_INTEGER, other, 2, MPI_COMM_WORLD, ierr)
    call MPI_Ssend(values, 3, MPI_INTEGER, other, 3, MPI_COMM_WORLD, ierr)
  else
    call MPI_Irecv(values, 3, MPI_INTEGER, other, 4, MPI_COMM_WORLD, request, ierr)
    call MPI_Send(n, 0, MPI_INTEGER, other, 9, MPI_COMM_WORLD, ierr)
    call MPI_Wait(request, status, ierr)
    call check_equal(values(1), 2, 'value of the ready send')
    call check_equal(TAG_OF(status), 4, 'tag of the ready send')
    do i = 1, 3
      values = 0
      call MPI_Recv(values, 3, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
      call check_equal(TAG_OF(status), i, 'tag')
      call check_equal(SOURCE_OF(status), 0, 'source')
      call MPI_Get_count(status, MPI_INTEGER, n, ierr)
      call check_equal(n, merge(2, 3, i == 2), 'count')
      call check_equal(sum(values), merge(3, 6, i == 2), 'sum')
    end do
  end if
  call finish()
end program
