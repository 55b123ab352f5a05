! All ranks stop with a code after MPI_Finalize: each is named, also if it is a process.
! exit: 6
! expect: rank 0 ended with exit code 6 after MPI_Finalize, at (.*/)?fortran_stops_in_all_ranks.f90:13 in
! expect: rank 3 ended with exit code 6 after MPI_Finalize, at (.*/)?fortran_stops_in_all_ranks.f90:13 in
! timeout: 30
program fortran_stops_in_all_ranks
    use mpi
    implicit none
    integer :: ierror
    call MPI_Init(ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
    stop 6
end program
