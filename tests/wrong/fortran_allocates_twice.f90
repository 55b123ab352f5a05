! A second ALLOCATE of an array ends rank 0. The report names the line.
! exit: 2
! expect: ^Fortran runtime error: Attempting to allocate already allocated variable 'field'$
! expect: rank 0 ended with exit code 2 without calling MPI_Finalize, at (.*/)?fortran_allocates_twice.f90:16 in
! expect-not: DEADLOCK
! timeout: 30
program fortran_allocates_twice
    use mpi
    implicit none
    integer :: rank, ierror
    real, allocatable :: field(:)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    allocate (field(100))
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 0) allocate (field(200))
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
