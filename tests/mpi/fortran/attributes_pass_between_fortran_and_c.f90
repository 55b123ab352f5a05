! MPI 5.0 section 19.3.7: an attribute that Fortran sets is for C the address of the integer; a pointer
! that C sets is for Fortran its value as an integer. Handles convert by MPI_Comm_f2c and its like.
! ranks: 2
include 'checks.inc'

module c_mpi
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    type(c_ptr) function MPI_Comm_f2c(comm) bind(C, name='MPI_Comm_f2c')
      import
      integer(c_int), value :: comm
    end function
    integer(c_int) function MPI_Comm_c2f(comm) bind(C, name='MPI_Comm_c2f')
      import
      type(c_ptr), value :: comm
    end function
    integer(c_int) function c_set_attr(comm, keyval, value) bind(C, name='MPI_Comm_set_attr')
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: keyval
      type(c_ptr), value :: value
    end function
    integer(c_int) function c_get_attr(comm, keyval, value, flag) bind(C, name='MPI_Comm_get_attr')
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: keyval
      type(c_ptr) :: value
      integer(c_int) :: flag
    end function
  end interface
end module

program languages
  use checks
  use c_mpi
  implicit none
  integer, parameter :: address = MPI_ADDRESS_KIND
  integer :: keyval, comm, copy, i
  integer(c_int) :: found
  integer(kind=address) :: value, where
  integer(kind=address), pointer :: integer_of_fortran
  integer, target :: mine
  type(c_ptr) :: world, seen_by_c
  logical :: flag
  call start()
  world = MPI_Comm_f2c(MPI_COMM_WORLD)
  call check(transfer(world, where) == MPI_COMM_WORLD, 'predefined handles have the values of the ABI')
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call check(comm >= 4096 .and. MPI_Comm_c2f(MPI_Comm_f2c(comm)) == comm, 'there and back')

  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_address, ierr)
  call MPI_Comm_set_attr(comm, keyval, 12345678901_address + rank, ierr)
  do i = 1, 2 ! the second time in a duplicate
    call check(c_get_attr(MPI_Comm_f2c(comm), keyval, seen_by_c, found) == MPI_SUCCESS, 'C gets')
    call c_f_pointer(seen_by_c, integer_of_fortran)
    call check(found == 1 .and. integer_of_fortran == 12345678901_address + rank, 'C sees an address')
    call MPI_Comm_dup(comm, copy, ierr)
    call MPI_Comm_free(comm, ierr)
    comm = copy
  end do

  call check(c_set_attr(MPI_Comm_f2c(comm), keyval, c_loc(mine)) == MPI_SUCCESS, 'C sets')
  call MPI_Get_address(mine, where, ierr)
  do i = 1, 2
    call MPI_Comm_get_attr(comm, keyval, value, flag, ierr)
    call check(flag .and. value == where, 'Fortran sees the pointer')
    call check(c_get_attr(MPI_Comm_f2c(comm), keyval, seen_by_c, found) == MPI_SUCCESS, 'C gets')
    call check(c_associated(seen_by_c, c_loc(mine)), 'and C its pointer')
    call MPI_Comm_dup(comm, copy, ierr)
    call MPI_Comm_free(comm, ierr)
    comm = copy
  end do
  call MPI_Comm_free(comm, ierr)
  call MPI_Comm_free_keyval(keyval, ierr)
  call finish()
end program
