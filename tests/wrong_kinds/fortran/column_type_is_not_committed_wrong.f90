! A row of a matrix is a vector, which must be committed.
! ranks: 2
! exit: 3
! expect: rank [0-9]+: MPI_Bcast: MPI_ERR_TYPE: datatype is a vector datatype, for.*wrong\.f90:16
program column_type_is_not_committed
    use mpi
    implicit none
    integer :: rank, size, ierror
    real :: matrix(4, 4)
    integer :: row
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    matrix = rank
    call MPI_Type_vector(4, 1, 4, MPI_REAL, row, ierror)
    call MPI_Bcast(matrix, 1, row, 0, MPI_COMM_WORLD, ierror)
    call MPI_Type_free(row, ierror)
    call MPI_Finalize(ierror)
end program
