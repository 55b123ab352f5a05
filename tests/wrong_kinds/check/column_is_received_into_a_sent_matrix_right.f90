! One column is received while another one is sent.
! ranks: 2
! env: THRUM_CHECK=1
! expect-not: thrum:
program one_column
    use mpi
    implicit none
    integer :: rank, ierror, requests(2)
    double precision, asynchronous :: matrix(4, 4)

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    matrix = rank
    if (rank == 0) then
        call MPI_Isend(matrix, 4, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, requests(1), ierror)
        call MPI_Irecv(matrix(1, 2), 4, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, requests(2), ierror)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    else
        call MPI_Recv(matrix, 4, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        call MPI_Send(matrix, 4, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, ierror)
    end if
    call MPI_Finalize(ierror)
end program
