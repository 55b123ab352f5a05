! MPI_Grequest_start: the subroutines of the program are called with the extra state, and fill the status.
! ranks: 1
#include "interfaces.inc"

module own_requests
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  private
  public :: queried, freed, cancelled, query, free_it, cancel_it
  integer :: queried = 0, freed = 0, cancelled = 0
contains
  subroutine query(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    STATUS :: status
    integer :: ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra_state), ierror)
    call MPI_Status_set_cancelled(status, cancelled > 0, ierror)
    SOURCE_OF(status) = 3
    TAG_OF(status) = 4
    queried = queried + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine free_it(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + int(extra_state)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel_it(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (.not. complete .and. extra_state == 12) cancelled = cancelled + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program generalized_requests_call_the_program
  use checks
  use own_requests
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n
  integer(kind=MPI_ADDRESS_KIND) :: extra_state
  logical :: flag
  HANDLE(MPI_Request) :: request
  STATUS :: status
  call start()
  extra_state = 11
  call MPI_Grequest_start(query, free_it, cancel_it, extra_state, request, ierr)
  call MPI_Test(request, flag, status, ierr)
  call check(.not. flag, 'not complete')
  call MPI_Grequest_complete(request, ierr)
  call MPI_Wait(request, status, ierr)
  call check_equal(queried, 1, 'queries')
  call check_equal(freed, 11, 'freed')
  call check_equal(SOURCE_OF(status), 3, 'source')
  call check_equal(TAG_OF(status), 4, 'tag')
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  call check_equal(n, 11, 'count')
  extra_state = 12
  call MPI_Grequest_start(query, free_it, cancel_it, extra_state, request, ierr)
  call MPI_Cancel(request, ierr)
  call check_equal(cancelled, 1, 'cancelled')
  call MPI_Grequest_complete(request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Test_cancelled(status, flag, ierr)
  call check(flag, 'the status says so')
  call finish()
end program
