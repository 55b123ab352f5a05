! MPI_Probe and MPI_Iprobe describe a message that is received afterwards.
! ranks: 2
#include "interfaces.inc"

program probes_return_source_tag_and_count
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: values(5), n
  logical :: flag
  STATUS :: status
  call start()
  if (rank == 0) then
    values = [3, 1, 4, 1, 5]
    call MPI_Send(values, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierr)
    call MPI_Send(values, 5, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, ierr)
  else
    call MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, n, ierr)
    call check_equal(n, 4, 'count')
    call check_equal(SOURCE_OF(status), 0, 'source')
    values = 0
    call MPI_Recv(values, n, MPI_INTEGER, SOURCE_OF(status), TAG_OF(status), MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check_equal(sum(values), 9, 'sum')
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, flag, status, ierr)
    end do
    call check_equal(TAG_OF(status), 8, 'tag')
    call MPI_Recv(values, 5, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check_equal(sum(values), 14, 'sum')
    call MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierr)
    call check(.not. flag, 'no more messages')
  end if
  call finish()
end program
