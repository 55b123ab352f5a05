! pi by a sum over all ranks, from MPICH's module mpi; gathers who has computed.
program pi
    use mpi
    implicit none
    integer, parameter :: steps = 100000
    integer :: rank, ranks, ierr, i
    integer, allocatable :: seen(:)
    double precision :: part, total, x
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    allocate(seen(ranks))
    part = 0
    do i = rank, steps - 1, ranks
        x = (i + 0.5d0) / steps
        part = part + 4 / (1 + x * x) / steps
    end do
    call MPI_Allreduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Gather(rank, 1, MPI_INTEGER, seen, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) then
        if (all(seen == [(i, i = 0, ranks - 1)])) print '(a, f12.9)', 'pi is', total
    end if
    call MPI_Finalize(ierr)
end program pi
