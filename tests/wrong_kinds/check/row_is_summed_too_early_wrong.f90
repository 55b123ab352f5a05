! A row is summed before it has come.
! ranks: 2
! flags: --check
! env: THRUM_CHECK=1
! expect: warning: rank 0: load: reads the receive buffer of MPI_Irecv, .*wrong\.f90:21.*; load at .*wrong\.f90:22
program sum_of_a_row
    use mpi
    implicit none
    integer :: rank, ierror, request
    double precision, asynchronous :: matrix(4, 4)
    double precision, allocatable, asynchronous :: row(:)
    double precision :: total
    integer :: row_type

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    matrix = rank
    allocate(row(4))
    row = 0
    if (rank == 0) then
        call MPI_Irecv(row, 4, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, request, ierror)
        total = sum(row)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
        if (total > 100) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
    else
        call MPI_Type_vector(4, 1, 4, MPI_DOUBLE_PRECISION, row_type, ierror)
        call MPI_Type_commit(row_type, ierror)
        call MPI_Isend(matrix(2, 1), 1, row_type, 0, 0, MPI_COMM_WORLD, request, ierror)
        matrix(3, :) = 5 ! between the elements that are sent
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
        call MPI_Type_free(row_type, ierror)
    end if
    call MPI_Finalize(ierror)
end program
