! One call does both.
! ranks: 2
! expect-not: thrum:
program both_receive_first_in_fortran
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer :: other, mine, got
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    other = 1 - rank
    mine = rank
    call MPI_Sendrecv(mine, 1, MPI_INTEGER, other, 0, got, 1, MPI_INTEGER, other, 0, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call MPI_Finalize(ierror)
end program
