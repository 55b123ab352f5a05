! MPI_Mprobe and MPI_Improbe take a message out of the queue; MPI_Mrecv and MPI_Imrecv receive it.
! ranks: 2
#include "interfaces.inc"

program matched_probes_hand_over_the_message
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: value
  integer :: other
  logical :: flag
  HANDLE(MPI_Message) :: message, none
  HANDLE(MPI_Request) :: request
  STATUS :: status
  call start()
  if (rank == 0) then
    value = 42
    call MPI_Send(value, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
    value = 43
    call MPI_Send(value, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierr)
  else
    call MPI_Mprobe(0, 2, MPI_COMM_WORLD, message, status, ierr)
    call check(message /= MPI_MESSAGE_NULL, 'a message')
    call check_equal(TAG_OF(status), 2, 'tag')
    flag = .false.
    call MPI_Improbe(0, 2, MPI_COMM_WORLD, flag, none, MPI_STATUS_IGNORE, ierr)
    call check(.not. flag, 'it is not found again')
    call MPI_Mrecv(value, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierr)
    call check_equal(value, 43, 'value')
    call MPI_Mprobe(0, 1, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, ierr)
    call MPI_Mrecv(value, 1, MPI_INTEGER, message, status, ierr)
    call check_equal(value, 42, 'value')
    call check(message == MPI_MESSAGE_NULL, 'the message is null')
  end if
  call MPI_Improbe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, flag, message, status, ierr)
  call check(flag .and. message == MPI_MESSAGE_NO_PROC, 'nobody sends messages of no process')
  call MPI_Imrecv(other, 1, MPI_INTEGER, message, request, ierr)
  call MPI_Wait(request, status, ierr)
  call check_equal(SOURCE_OF(status), MPI_PROC_NULL, 'source')
  call finish()
end program
