! A column is received while a send of the whole matrix is active.
! ranks: 2
! env: THRUM_CHECK=1
! expect: warning: rank 0: MPI_Irecv: writes to the send buffer of MPI_Isend, .*wrong\.f90:15.*wrong\.f90:16
program one_column
    use mpi
    implicit none
    integer :: rank, ierror, requests(2)
    double precision, asynchronous :: matrix(4, 4)

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    matrix = rank
    if (rank == 0) then
        call MPI_Isend(matrix, 16, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, requests(1), ierror)
        call MPI_Irecv(matrix(1, 2), 4, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, requests(2), ierror)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    else
        call MPI_Recv(matrix, 16, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        call MPI_Send(matrix, 4, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, ierror)
    end if
    call MPI_Finalize(ierror)
end program
