! Communicators and groups by their INTEGER handles; names are filled up with blanks.
! ranks: 2 8
include 'checks.inc'

program communicators
  use checks
  implicit none
  integer :: half, copy, inter, merged, group, part, n, result, color, other(2), ranges(3, 1)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=4) :: short
  logical :: flag
  call start()
  color = mod(rank, 2)
  call MPI_Comm_split(MPI_COMM_WORLD, color, -rank, half, ierr)
  call MPI_Comm_size(half, n, ierr)
  call check_equal(n, nranks / 2, 'size of my half')
  call MPI_Comm_rank(half, n, ierr)
  call check_equal(n, nranks / 2 - 1 - rank / 2, 'rank by falling key')
  call MPI_Comm_split(MPI_COMM_WORLD, merge(1, MPI_UNDEFINED, rank == 0), 0, copy, ierr)
  call check((copy /= MPI_COMM_NULL) .eqv. rank == 0, 'MPI_UNDEFINED gives MPI_COMM_NULL')
  if (rank == 0) call MPI_Comm_free(copy, ierr)
  call check_equal(copy, MPI_COMM_NULL, 'freed')

  call MPI_Comm_dup(half, copy, ierr)
  call MPI_Comm_compare(half, copy, result, ierr)
  call check_equal(result, MPI_CONGRUENT, 'half and its copy')
  call MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, result, ierr)
  call check_equal(result, MPI_IDENT, 'the world and itself')

  call MPI_Comm_get_name(MPI_COMM_WORLD, name, n, ierr)
  call check(name == 'MPI_COMM_WORLD' .and. n == 14, 'name of the world')
  call MPI_Comm_set_name(copy, 'my half   ', ierr)
  call MPI_Comm_get_name(copy, name, n, ierr)
  call check(name == 'my half' .and. n == 7, 'name without the blanks behind it')
  call MPI_Comm_get_name(copy, short, n, ierr)
  call check(short == 'my h' .and. n == 4, 'cut name')

  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
  ranges(:, 1) = [0, nranks - 1, 2]
  call MPI_Group_range_incl(group, 1, ranges, part, ierr)
  call MPI_Group_size(part, n, ierr)
  call check_equal(n, (nranks + 1) / 2, 'even ranks')
  call MPI_Group_translate_ranks(group, 2, [0, 1], part, other, ierr)
  call check(all(other == [0, MPI_UNDEFINED]), 'translated ranks')
  call MPI_Comm_create(MPI_COMM_WORLD, part, merged, ierr)
  call check((merged /= MPI_COMM_NULL) .eqv. color == 0, 'created for the even ranks')
  if (merged /= MPI_COMM_NULL) call MPI_Comm_free(merged, ierr)
  call MPI_Group_free(part, ierr)
  call MPI_Group_free(group, ierr)
  call check(part == MPI_GROUP_NULL .and. group == MPI_GROUP_NULL, 'freed groups')

  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(nranks - 1, nranks - 2, color == 0), 5, inter, ierr)
  call MPI_Comm_test_inter(inter, flag, ierr)
  call check(flag, 'an inter-communicator')
  call MPI_Comm_remote_size(inter, n, ierr)
  call check_equal(n, nranks / 2, 'its other side')
  call MPI_Intercomm_merge(inter, color == 1, merged, ierr)
  call MPI_Comm_test_inter(merged, flag, ierr)
  call check(.not. flag, 'no inter-communicator')
  call MPI_Comm_rank(merged, n, ierr)
  call check((n < nranks / 2) .eqv. color == 0, 'low and high')
  call MPI_Comm_free(merged, ierr)
  call MPI_Comm_free(inter, ierr)
  call MPI_Comm_free(copy, ierr)
  call MPI_Comm_free(half, ierr)
  call finish()
end program
