! MPI_LAND is.
! ranks: 2
! expect-not: thrum:
program logical_with_a_sum
    use mpi
    implicit none
    integer :: rank, size, ierror
    logical :: mine, all
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    mine = rank == 0
    call MPI_Allreduce(mine, all, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
