! MPI_Publish_name, MPI_Lookup_name and MPI_Unpublish_name.
! ranks: 2
#include "interfaces.inc"

program ports_are_published_under_names
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  character(len=MPI_MAX_PORT_NAME) :: port, found
  call start()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  if (rank == 0) then
    call MPI_Open_port(MPI_INFO_NULL, port, ierr)
    call MPI_Publish_name('a service  ', MPI_INFO_NULL, port, ierr)
    call check_equal(ierr, MPI_SUCCESS, 'published')
  end if
  call MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Lookup_name('a service', MPI_INFO_NULL, found, ierr)
  call check(found == port, 'found')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    call MPI_Unpublish_name('a service', MPI_INFO_NULL, port, ierr)
    call check_equal(ierr, MPI_SUCCESS, 'not published any more')
    call MPI_Lookup_name('a service', MPI_INFO_NULL, found, ierr)
    call check_equal(ierr, MPI_ERR_NAME, 'not found')
    call MPI_Close_port(port, ierr)
  end if
  call finish()
end program
