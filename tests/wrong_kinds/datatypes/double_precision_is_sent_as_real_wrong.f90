! Each rank sends DOUBLE PRECISION as MPI_REAL.
! ranks: 2
! flags: --check
! env: THRUM_CHECK=1
! expect: warning: rank [01]: MPI_Sendrecv: sendbuf points to REAL\(KIND=8\), but the datatype is MPI_REAL \(at .*wrong\.f90:17
program exchange
    use mpi_f08
    implicit none
    integer :: rank
    double precision :: edge(4)
    real :: other_edge(4)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    edge = rank
    call MPI_Sendrecv(edge, 4, MPI_REAL, 1 - rank, 0, &
                      other_edge, 4, MPI_REAL, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Finalize()
end program
