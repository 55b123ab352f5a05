! A READ at the end of a file ends rank 3. libgfortran's message and the report name the line.
! exit: 2
! expect: ^At line 17 of file .*fortran_reads_beyond_the_end.f90 \(unit = 10
! expect: ^Fortran runtime error: End of file$
! expect: rank 3 ended with exit code 2 without calling MPI_Finalize, at (.*/)?fortran_reads_beyond_the_end.f90:17 in
! expect-not: DEADLOCK
! timeout: 30
program fortran_reads_beyond_the_end
    use mpi
    implicit none
    integer :: rank, ierror, value
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 3) then
        open (10, file='/dev/null')
        read (10, *) value
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
