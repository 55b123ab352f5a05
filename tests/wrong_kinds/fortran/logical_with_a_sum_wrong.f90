! MPI_SUM is not defined on MPI_LOGICAL.
! ranks: 2
! exit: 10
! expect: rank [0-9]+: MPI_Allreduce: MPI_ERR_OP: MPI_SUM is not defined on.*wrong\.f90:14
program logical_with_a_sum
    use mpi
    implicit none
    integer :: rank, size, ierror
    logical :: mine, all
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    mine = rank == 0
    call MPI_Allreduce(mine, all, 1, MPI_LOGICAL, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
