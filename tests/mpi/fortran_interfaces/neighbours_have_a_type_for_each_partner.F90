! MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw and MPI_Neighbor_alltoallw_init: displacements are INTEGER(MPI_ADDRESS_KIND).
! ranks: 2
#include "interfaces.inc"

program neighbours_have_a_type_for_each_partner
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  ASYNC(integer) :: out(3), in(3)
  integer(kind=MPI_ADDRESS_KIND) :: from(2), to(2)
  HANDLE(MPI_Comm) :: pair
  HANDLE(MPI_Datatype) :: types(2), in_types(2)
  HANDLE(MPI_Request) :: request
  integer :: form
  call start()
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [1 - rank, 1 - rank], MPI_UNWEIGHTED, 2, [1 - rank, 1 - rank], &
                                      MPI_UNWEIGHTED, MPI_INFO_NULL, .false., pair, ierr)
  types(1) = MPI_INTEGER
  call MPI_Type_contiguous(2, MPI_INTEGER, types(2), ierr)
  call MPI_Type_commit(types(2), ierr)
  in_types = MPI_INTEGER
  out = 10 * rank + [1, 2, 3]
  from = [0, 1] * integer_bytes
  to = [2, 0] * integer_bytes
  do form = 1, 3
    in = -1
    select case (form)
    case (1)
      call MPI_Neighbor_alltoallw(out, [1, 1], from, types, in, [1, 2], to, in_types, pair, ierr)
    case (2)
      call MPI_Ineighbor_alltoallw(out, [1, 1], from, types, in, [1, 2], to, in_types, pair, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    case (3)
      call MPI_Neighbor_alltoallw_init(out, [1, 1], from, types, in, [1, 2], to, in_types, pair, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(request, ierr)
    end select
    call check(all(in == 10 * (1 - rank) + [2, 3, 1]), 'blocks')
  end do
  call MPI_Type_free(types(2), ierr)
  call MPI_Comm_free(pair, ierr)
  call finish()
end program
