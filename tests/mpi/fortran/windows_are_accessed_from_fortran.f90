! One-sided communication: MPI_Put, MPI_Get, MPI_Accumulate; fences, locks and groups; window attributes are
! values, not addresses (section 12.2.6), and one that was set in Fortran is an integer of address size.
! ranks: 1 2 5
include 'checks.inc'

program windows
  use checks
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: win, right, left, group, world, value, got, old, zero(1), request
  integer(kind=MPI_ADDRESS_KIND) :: bytes, attribute, address
  integer, pointer :: numbers(:)
  integer, volatile, allocatable :: mine(:)
  type(c_ptr) :: base
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name

  call start()
  right = mod(rank + 1, nranks)
  left = mod(rank + nranks - 1, nranks)
  allocate (mine(4))
  mine = -1
  bytes = 16
  call MPI_Win_create(mine, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'MPI_Win_create')
  call MPI_Win_fence(0, win, ierr)
  value = 100 + rank
  call MPI_Put(value, 1, MPI_INTEGER, right, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call check_equal(mine(3), 100 + left, 'put')
  call MPI_Get(got, 1, MPI_INTEGER, right, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr)
  call check_equal(got, value, 'get')
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, attribute, flag, ierr)
  call check(flag .and. attribute == 16, 'MPI_WIN_SIZE')
  call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, attribute, flag, ierr)
  call check(flag .and. attribute == 4, 'MPI_WIN_DISP_UNIT')
  call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, attribute, flag, ierr)
  call check(flag .and. attribute == MPI_WIN_FLAVOR_CREATE, 'MPI_WIN_CREATE_FLAVOR')
  call MPI_Win_get_attr(win, MPI_WIN_MODEL, attribute, flag, ierr)
  call check(flag .and. attribute == MPI_WIN_UNIFIED, 'MPI_WIN_MODEL')
  call MPI_Get_address(mine, address, ierr)
  call MPI_Win_get_attr(win, MPI_WIN_BASE, attribute, flag, ierr)
  call check(flag .and. attribute == address, 'MPI_WIN_BASE')
  call MPI_Win_set_name(win, 'fields', ierr)
  call MPI_Win_get_name(win, name, got, ierr)
  call check(name == 'fields' .and. got == 6, 'name')
  call MPI_Win_free(win, ierr)
  call check(win == MPI_WIN_NULL, 'MPI_Win_free')

  call MPI_Win_allocate(8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
  call c_f_pointer(base, numbers, [2])
  numbers = 0
  call meet()
  call MPI_Win_lock_all(0, win, ierr)
  call MPI_Accumulate(value, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win, ierr)
  got = 1
  call MPI_Fetch_and_op(got, old, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, MPI_SUM, win, ierr)
  call MPI_Rget(got, 1, MPI_INTEGER, rank, 0_MPI_ADDRESS_KIND, 0, MPI_INTEGER, win, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Win_unlock_all(win, ierr)
  call check(old >= 0 .and. old < nranks, 'ticket')
  call meet()
  if (rank == 0) call check_equal(numbers(1), 100*nranks + nranks*(nranks - 1)/2, 'sum')
  if (rank == 0) call check_equal(numbers(2), nranks, 'tickets')
  call meet()

  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  zero = rank
  call MPI_Group_incl(world, 1, zero, group, ierr)
  call MPI_Win_post(group, 0, win, ierr)
  call MPI_Win_start(group, 0, win, ierr)
  call MPI_Put(value, 1, MPI_INTEGER, rank, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_complete(win, ierr)
  call MPI_Win_test(win, flag, ierr)
  call check(flag, 'MPI_Win_test')
  call check_equal(numbers(2), value, 'put to a group')
  call MPI_Group_free(group, ierr)
  call MPI_Group_free(world, ierr)
  call MPI_Win_free(win, ierr)
  call finish()
end program
