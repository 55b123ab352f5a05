! MPI_Alltoallw, MPI_Ialltoallw and MPI_Alltoallw_init: displacements are bytes, types are arrays of handles.
! ranks: 2
#include "interfaces.inc"

program alltoalls_have_a_type_for_each_partner
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: numbers(4)
  ASYNC(character(len=8)) :: out, in
  HANDLE(MPI_Datatype) :: out_types(2), in_types(2)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  out_types = MPI_CHARACTER
  in_types(1) = MPI_CHARACTER
  in_types(2) = MPI_CHARACTER
  call MPI_Type_contiguous(2, MPI_CHARACTER, out_types(1), ierr)
  call MPI_Type_commit(out_types(1), ierr)
  numbers = 0
  do form = 1, 3
    out = merge('abcdefgh', 'ABCDEFGH', rank == 0)
    in = ' '
    select case (form)
    case (1)
      call MPI_Alltoallw(out, [1, 3], [0, 4], out_types, in, merge([2, 2], [3, 3], rank == 0), [5, 0], in_types, &
                         MPI_COMM_WORLD, ierr)
    case (2)
      call MPI_Ialltoallw(out, [1, 3], [0, 4], out_types, in, merge([2, 2], [3, 3], rank == 0), [5, 0], in_types, &
                          MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Alltoallw_init(out, [1, 3], [0, 4], out_types, in, merge([2, 2], [3, 3], rank == 0), [5, 0], in_types, &
                              MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    end select
    if (rank == 0) call check_equal(in, 'AB   ab', 'letters')
    if (rank == 1) call check_equal(in, 'EFG  efg', 'letters')
  end do
  call MPI_Type_free(out_types(1), ierr)
  call finish()
end program
