! Rank 0 sends DOUBLE PRECISION as MPI_REAL.
! ranks: 2
! flags: --check
! env: THRUM_CHECK=1
! expect: warning: rank 0: MPI_Send: buf points to REAL\(KIND=8\), but the datatype is MPI_REAL \(at .*wrong\.f90:17
program exchange
    use mpi_f08
    implicit none
    integer :: rank
    double precision :: edge(4)
    real :: received(4)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    edge = rank
    if (rank == 0) then
        call MPI_Send(edge, 4, MPI_REAL, 1, 0, MPI_COMM_WORLD)
    else
        call MPI_Recv(received, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end if
    call MPI_Finalize()
end program
