! The places of Fortran programs are known, too.
! ranks: 3
! expect: warning: 3 communicators made by MPI_Comm_dup at .*:18 in .* .* freed \(ranks 0-2, one each\)$
! expect: warning: 3 requests made by MPI_Isend at .*:20 in .* .* completed \(ranks 0-2, one each\)$
! expect: warning: 3 datatypes made by MPI_Type_contiguous at .*:24 in .* .* freed \(ranks 0-2, one each\)$
! expect: warning: 3 keyvals made by MPI_Comm_create_keyval at .*:25 in .* .* freed \(ranks 0-2, one each\)$
! expect-not: leaks_in_fortran.f90:(21|27)
program leaks_in_fortran
    use mpi
    implicit none
    integer :: ierror, rank, size, comm, type, request, other, keyval, freed
    integer, save :: sent, received
    integer(kind=MPI_ADDRESS_KIND), parameter :: no_state = 0

    call MPI_INIT(ierror)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
    call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierror)
    call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierror)
    sent = rank
    call MPI_ISEND(sent, 1, MPI_INTEGER, modulo(rank + 1, size), 1, comm, request, ierror)
    call MPI_ISEND(sent, 1, MPI_INTEGER, modulo(rank + 1, size), 1, comm, other, ierror)
    call MPI_RECV(received, 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, comm, MPI_STATUS_IGNORE, ierror)
    call MPI_RECV(received, 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, comm, MPI_STATUS_IGNORE, ierror)
    call MPI_TYPE_CONTIGUOUS(3, MPI_INTEGER, type, ierror)
    call MPI_COMM_CREATE_KEYVAL(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, no_state, ierror)
    call MPI_WAIT(other, MPI_STATUS_IGNORE, ierror)
    call MPI_TYPE_CONTIGUOUS(3, MPI_INTEGER, freed, ierror)
    call MPI_TYPE_FREE(freed, ierror)
    call MPI_FINALIZE(ierror)
end program
