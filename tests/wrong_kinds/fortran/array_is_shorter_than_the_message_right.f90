! It has room for all.
! ranks: 2
! expect-not: thrum:
program array_is_shorter_than_the_message
    use mpi
    implicit none
    integer :: rank, size, ierror
    real :: values(20)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    values = rank
    if (rank == 0) call MPI_Send(values, 20, MPI_REAL, 1, 0, MPI_COMM_WORLD, ierror)
    if (rank == 1) call MPI_Recv(values, 20, MPI_REAL, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call MPI_Finalize(ierror)
end program
