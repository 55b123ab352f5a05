! MPI_Grequest_start with subroutines of the program (MPI 5.0 section 13.2).
! ranks: 2 8
include 'checks.inc'

module job
  use mpi
  implicit none
  integer :: queried = 0, freed = 0
  integer(kind=MPI_ADDRESS_KIND) :: state = -1
contains
  subroutine query(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: status(MPI_STATUS_SIZE), ierror
    queried = queried + 1
    state = extra_state
    call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    status(MPI_SOURCE) = 17
    status(MPI_TAG) = 18
    ierror = MPI_SUCCESS
  end subroutine
  subroutine release(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + 1
    if (extra_state == 77) extra_state = 78 ! the program's own variable, as other MPIs have it
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program generalized
  use checks
  use job
  implicit none
  integer :: request, status(MPI_STATUS_SIZE), n
  integer(kind=MPI_ADDRESS_KIND) :: own_state
  logical :: flag
  call start()
  call MPI_Grequest_start(query, release, cancel, int(500 + rank, MPI_ADDRESS_KIND), request, ierr)
  call MPI_Test(request, flag, status, ierr)
  call check(.not. flag, 'not complete yet')
  call MPI_Grequest_complete(request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Get_elements(status, MPI_INTEGER, n, ierr)
  call check(n == 3 .and. status(MPI_SOURCE) == 17 .and. status(MPI_TAG) == 18, 'the status that I have filled')
  call check(queried >= 1 .and. freed == 1 .and. state == 500 + rank, 'my subroutines were called')
  call check_equal(request, MPI_REQUEST_NULL, 'the request is gone')
  own_state = 77
  call MPI_Grequest_start(query, release, cancel, own_state, request, ierr)
  call MPI_Grequest_complete(request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(state == 77 .and. own_state == 78, 'what my subroutine has written is in my variable')
  call finish()
end program
