! Attributes of address size; copy and delete subroutines; the predefined ones; deprecated functions.
! ranks: 2 8
include 'checks.inc'

module callbacks
  use mpi
  implicit none
  integer :: copies = 0, deletes = 0
  integer(kind=MPI_ADDRESS_KIND) :: last_deleted = -1
contains
  subroutine copy_plus_state(comm, keyval, extra_state, value_in, value_out, flag, ierror)
    integer :: comm, keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, value_in, value_out
    logical :: flag
    copies = copies + 1
    value_out = value_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine count_delete(comm, keyval, value, extra_state, ierror)
    integer :: comm, keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, extra_state
    deletes = deletes + 1
    last_deleted = value
    ierror = MPI_SUCCESS
  end subroutine
  subroutine refuse_copy(comm, keyval, extra_state, value_in, value_out, flag, ierror)
    integer :: comm, keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, value_in, value_out
    logical :: flag
    flag = .false.
    ierror = MPI_ERR_OTHER
  end subroutine
  subroutine old_copy(comm, keyval, extra_state, value_in, value_out, flag, ierror)
    integer :: comm, keyval, extra_state, value_in, value_out, ierror
    logical :: flag
    value_out = value_in * extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
end module

program attributes
  use checks
  use callbacks
  implicit none
  integer, parameter :: address = MPI_ADDRESS_KIND
  integer :: own, dup, none, refusing, comm, old, old_dup, number, datatype, type_key, type_copy
  integer(kind=address) :: value, large
  logical :: flag
  call start()
  large = 2_address**40 + rank
  call MPI_Comm_create_keyval(copy_plus_state, count_delete, own, 7_address, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, dup, 0_address, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_delete, none, 0_address, ierr)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, own, value, flag, ierr)
  call check(.not. flag, 'nothing is set')
  call MPI_Comm_set_attr(MPI_COMM_WORLD, own, large, ierr)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, dup, -large, ierr)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, none, large, ierr)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, own, value, flag, ierr)
  call check(flag .and. value == large, 'the value of address size')

  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call check(copies == 1, 'copied once')
  call MPI_Comm_get_attr(comm, own, value, flag, ierr)
  call check(flag .and. value == large + 7, 'what my copy subroutine made of it')
  call MPI_Comm_get_attr(comm, dup, value, flag, ierr)
  call check(flag .and. value == -large, 'MPI_COMM_DUP_FN')
  call MPI_Comm_get_attr(comm, none, value, flag, ierr)
  call check(.not. flag, 'MPI_COMM_NULL_COPY_FN')
  call MPI_Comm_set_attr(comm, own, 3_address, ierr)
  call check(deletes == 1 .and. last_deleted == large + 7, 'a new value deletes the old one')
  call MPI_Comm_free(comm, ierr)
  call check(deletes == 2 .and. last_deleted == 3, 'freeing deletes')
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, none, ierr)
  call check(deletes == 3 .and. last_deleted == large, 'deleted')

  call MPI_Comm_create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, refusing, 0_address, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, refusing, 1_address, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call check(ierr /= MPI_SUCCESS, 'a copy subroutine that fails')
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, refusing, ierr)

  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
  call check(flag .and. value >= 32767, 'MPI_TAG_UB')
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, value, flag, ierr)
  call check(.not. flag .or. value >= nranks, 'MPI_UNIVERSE_SIZE')

  call MPI_Keyval_create(old_copy, MPI_NULL_DELETE_FN, old, 10, ierr)
  call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, old_dup, 0, ierr)
  call MPI_Attr_put(MPI_COMM_WORLD, old, -rank, ierr)
  call MPI_Attr_put(MPI_COMM_WORLD, old_dup, rank, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Attr_get(comm, old, number, flag, ierr)
  call check(flag .and. number == -10 * rank, 'the deprecated functions')
  call MPI_Attr_get(comm, old_dup, number, flag, ierr)
  call check(flag .and. number == rank, 'MPI_DUP_FN')
  call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, number, flag, ierr)
  call check(flag .and. number >= 32767, 'MPI_TAG_UB by the deprecated function')
  call MPI_Attr_delete(comm, old, ierr)
  call MPI_Comm_free(comm, ierr)

  call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, type_key, 0_address, ierr)
  call MPI_Type_contiguous(3, MPI_REAL, datatype, ierr)
  call MPI_Type_set_attr(datatype, type_key, large, ierr)
  call MPI_Type_dup(datatype, type_copy, ierr)
  call MPI_Type_get_attr(type_copy, type_key, value, flag, ierr)
  call check(flag .and. value == large, 'attribute of a datatype')
  call MPI_Type_free(datatype, ierr)
  call MPI_Type_free(type_copy, ierr)
  call MPI_Type_free_keyval(type_key, ierr)
  call MPI_Keyval_free(old, ierr)
  call MPI_Keyval_free(old_dup, ierr)
  call MPI_Comm_free_keyval(none, ierr)
  call MPI_Comm_free_keyval(refusing, ierr)
  call MPI_Comm_free_keyval(own, ierr)
  call MPI_Comm_free_keyval(dup, ierr)
  call check(own == MPI_KEYVAL_INVALID, 'freed')
  call finish()
end program
