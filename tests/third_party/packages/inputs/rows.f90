! Module mpi_f08 of another MPI: rows of a matrix as messages, an operation and an attribute of the program, statuses, handles.
module mine
    use mpi_f08
    use, intrinsic :: iso_c_binding
    implicit none
contains
    subroutine larger(invec, inoutvec, length, datatype)
        type(c_ptr), value :: invec, inoutvec
        integer :: length
        type(MPI_Datatype) :: datatype
        integer, pointer :: in(:), inout(:)
        call c_f_pointer(invec, in, [length])
        call c_f_pointer(inoutvec, inout, [length])
        if (datatype == MPI_INTEGER) inout = max(in, inout)
    end subroutine
end module

program rows
    use mine
    integer :: rank, ranks, i, count, key, largest(3)
    integer, asynchronous :: a(8, 20), b(8, 20)
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag, fine
    type(MPI_Comm) :: comm
    type(MPI_Op) :: op
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status
    call MPI_Init()
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 42_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_get_attr(comm, key, value, flag)
    fine = flag .and. value == 42 .and. comm /= MPI_COMM_WORLD
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    a = reshape([(i, i = 1, size(a))], shape(a)) + 1000 * rank
    b = 0
    call MPI_Irecv(b(3, :), 20, MPI_INTEGER, mod(rank + ranks - 1, ranks), 5, comm, requests(1))
    call MPI_Isend(a(2, :), 20, MPI_INTEGER, mod(rank + 1, ranks), 5, comm, requests(2))
    call MPI_Wait(requests(1), status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    fine = fine .and. count == 20 .and. status%MPI_TAG == 5 .and. all(requests == MPI_REQUEST_NULL)
    fine = fine .and. all(b(3, :) == a(2, :) + 1000 * (mod(rank + ranks - 1, ranks) - rank)) .and. sum(b) == sum(b(3, :))
    call MPI_Op_create(larger, .true., op)
    call MPI_Allreduce([rank, -rank, 7], largest, 3, MPI_INTEGER, op, comm)
    fine = fine .and. all(largest == [ranks - 1, 0, 7])
    call MPI_Op_free(op)
    call MPI_Allreduce(MPI_IN_PLACE, fine, 1, MPI_LOGICAL, MPI_LAND, comm)
    if (rank == 0) print '(a, l1)', 'rows are right: ', fine
    call MPI_Comm_free(comm)
    call MPI_Comm_free_keyval(key)
    call MPI_Finalize()
end program
