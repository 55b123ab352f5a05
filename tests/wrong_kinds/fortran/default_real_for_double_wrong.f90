! The variable has double precision, the datatype does not.
! ranks: 2
! expect: warning: rank 1: MPI_Recv: the message from rank 0 has 2.*wrong\.f90:13.*wrong\.f90:15
program default_real_for_double
    use mpi
    implicit none
    integer :: rank, size, ierror
    double precision :: value
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    value = rank
    if (rank == 0) call MPI_Send(value, 2, MPI_REAL, 1, 0, MPI_COMM_WORLD, ierror)
    if (rank == 1) call MPI_Recv(value, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, &
                                 MPI_STATUS_IGNORE, ierror)
    call MPI_Finalize(ierror)
end program
