! MPI_Wait completes it.
! ranks: 2
! expect-not: thrum:
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
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    else
        call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end if
    call MPI_Finalize(ierror)
end program
