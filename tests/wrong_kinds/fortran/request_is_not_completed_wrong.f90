! The request of MPI_Isend is never waited for.
! ranks: 2
! expect: warning: 1 request made by MPI_Isend at.*wrong\.f90:14
program request_is_not_completed
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer :: value, request
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    value = rank
    if (rank == 0) then
        call MPI_Isend(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierror)
    else
        call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end if
    call MPI_Finalize(ierror)
end program
