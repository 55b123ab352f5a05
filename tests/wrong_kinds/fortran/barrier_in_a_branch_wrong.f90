! Only rank 0 reaches the barrier.
! ranks: 3
! exit: 86
! expect: rank 0: MPI_Barrier on MPI_COMM_WORLD, at .*wrong\.f90:13 in barrier_in_a_branch; missing: ranks 1,2
! expect: ranks 1,2: MPI_Finalize on MPI_COMM_WORLD, at
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
