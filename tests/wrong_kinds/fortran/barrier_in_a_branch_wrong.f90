! Only rank 0 reaches the barrier.
! ranks: 3
! exit: 16
! expect: ranks disagree on the operation: rank 0 calls MPI_Barrier, rank [12] calls MPI_Finalize
! expect: wrong\.f90:13 in barrier_in_a_branch
program barrier_in_a_branch
    use mpi
    implicit none
    integer :: rank, size, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    if (rank == 0) call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
