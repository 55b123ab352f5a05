! Both ranks receive before they send.
! ranks: 2
! exit: 86
! expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
! expect: ranks 0,1: MPI_Recv from each other, tag 0, MPI_COMM_WORLD, at.*wrong\.f90:17
! expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
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
    call MPI_Recv(got, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call MPI_Send(mine, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
