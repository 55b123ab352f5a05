! MPI_Comm_dup, MPI_Comm_idup, MPI_Comm_dup_with_info, MPI_Comm_idup_with_info and MPI_Comm_compare.
! ranks: 2
#include "interfaces.inc"

program communicators_are_duplicated
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: relation, i, value
  ASYNC(HANDLE(MPI_Comm)) :: comms(4)
  HANDLE(MPI_Info) :: info
  HANDLE(MPI_Request) :: requests(2)
  call start()
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'mpi_assert_no_any_tag', 'true', ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comms(1), ierr)
  call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, comms(2), ierr)
  call MPI_Comm_idup(MPI_COMM_WORLD, comms(3), requests(1), ierr)
  call MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, comms(4), requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Info_free(info, ierr)
  do i = 1, 4
    call MPI_Comm_compare(comms(i), MPI_COMM_WORLD, relation, ierr)
    call check_equal(relation, MPI_CONGRUENT, 'congruent')
    call MPI_Allreduce(i, value, 1, MPI_INTEGER, MPI_SUM, comms(i), ierr)
    call check_equal(value, 2 * i, 'sum')
    call MPI_Comm_free(comms(i), ierr)
  end do
  call check(all(comms == MPI_COMM_NULL), 'free communicators are null')
  call MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, relation, ierr)
  call check_equal(relation, MPI_IDENT, 'identical')
  call finish()
end program
