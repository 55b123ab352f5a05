! A run-time error of Fortran ends rank 1, which holds the lock of a unit then. The message of
! libgfortran and what the rank has written before are there.
! exit: 2
! expect: ^written before$
! expect: Fortran runtime error: Cannot open file
! expect: rank 1 ended with exit code 2 without calling MPI_Finalize, at (.*/)?fortran_error_in_one_rank.f90:17 in
! expect-not: DEADLOCK
! timeout: 30
program fortran_error_in_one_rank
    use mpi
    implicit none
    integer :: rank, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    if (rank == 1) then
        write (*, '(a)') 'written before'
        open (10, file='/nonexistent/file', status='old')
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
