! As double_precision_is_sent_as_real_wrong.f90, with the datatype of the buffer.
! ranks: 2
! flags: --check
! env: THRUM_CHECK=1
! expect-not: thrum:
program exchange
    use mpi_f08
    implicit none
    integer :: rank
    real :: edge(4)
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
