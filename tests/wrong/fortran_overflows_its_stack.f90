! A large local array in a recursion overflows the stack of rank 1, also if that rank is a process,
! where libgfortran's own handler could not run on the full stack.
! exit: 139
! options: --stack 8M
! expect: rank 1 overflowed its 8 MiB stack in deeper.* \((.*/)?fortran_overflows_its_stack.f90:[0-9]+\); run with --stack
! timeout: 30
program fortran_overflows_its_stack
    use mpi
    implicit none
    integer :: rank, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 1) print *, deeper(1)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
contains
    recursive integer function deeper(depth) result(total)
        integer, value :: depth
        integer, volatile :: table(100000)
        table(depth) = depth
        total = deeper(depth + 1) + table(depth)
    end function
end program
