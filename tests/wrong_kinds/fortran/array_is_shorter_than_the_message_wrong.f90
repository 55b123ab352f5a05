! The message has 20 reals, the receiver has room for 10.
! ranks: 2
! exit: 15
! expect: rank 1: MPI_Recv: MPI_ERR_TRUNCATE: the message from rank 0.*wrong\.f90:14.*wrong\.f90:15
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
    if (rank == 1) call MPI_Recv(values, 10, MPI_REAL, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call MPI_Finalize(ierror)
end program
