! MPI_Initialized and MPI_Finalized before MPI_Init and after MPI_Finalize; versions can be asked at any time.
! ranks: 2
#include "interfaces.inc"

program state_of_mpi_is_known_at_any_time
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  logical :: before(2), between(2), after(2)
  integer :: version, subversion
  call MPI_Initialized(before(1), ierr)
  call MPI_Finalized(before(2), ierr)
  call MPI_Get_version(version, subversion, ierr)
  call start()
  call MPI_Initialized(between(1), ierr)
  call MPI_Finalized(between(2), ierr)
  call check(.not. before(1) .and. .not. before(2), 'before')
  call check(between(1) .and. .not. between(2), 'between')
  call check(version == MPI_VERSION .and. subversion == MPI_SUBVERSION, 'version')
  call result('version', version)
  call MPI_Finalize(ierr)
  call MPI_Initialized(after(1), ierr)
  call MPI_Finalized(after(2), ierr)
  if (.not. after(1) .or. .not. after(2)) error stop 'after'
end program
