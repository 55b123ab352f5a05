! Handles are types with == and /=, constants may stand in constant expressions, IERROR may be left
! out, statuses have fields, and a status converts to INTEGERs and back.
! ranks: 2
include 'checks_f08.inc'

program handles
  use checks
  use, intrinsic :: iso_c_binding
  implicit none
  type(MPI_Comm), parameter :: worlds(2) = [MPI_COMM_WORLD, MPI_COMM_SELF]
  type(MPI_Comm) :: comm
  type(MPI_Request) :: requests(3), request
  type(MPI_Datatype) :: vector
  type(MPI_Group) :: group
  type(MPI_Status) :: status
  integer :: f_status(MPI_STATUS_SIZE), code, number, length
  character(len=MPI_MAX_OBJECT_NAME) :: name
  type(c_ptr) :: memory
  integer, pointer :: values(:)
  logical :: flag
  call start()
  call check(worlds(1) == MPI_COMM_WORLD .and. worlds(2) /= MPI_COMM_WORLD, 'constants compare')
  call check(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING, 'subarrays')
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call check(comm /= MPI_COMM_WORLD .and. comm /= MPI_COMM_NULL, 'a duplicate is another handle')
  call MPI_Comm_compare(comm, MPI_COMM_WORLD, number, code)
  call check(code == MPI_SUCCESS .and. number == MPI_CONGRUENT, 'they compare congruent')
  call MPI_Comm_set_name(comm, 'two words  ')
  call MPI_Comm_get_name(comm, name, length)
  call check(name == 'two words' .and. length == 9, 'names')
  requests = MPI_REQUEST_NULL
  call check(all(requests == MPI_REQUEST_NULL), 'comparisons are elemental')

  call MPI_Isend(rank, 1, MPI_INTEGER, 1 - rank, 7, comm, request)
  call MPI_Recv(number, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call check(request == MPI_REQUEST_NULL, 'the request is null')
  call check(status%MPI_SOURCE == 1 - rank .and. status%MPI_TAG == 7, 'fields of a status')
  call MPI_Status_f082f(status, f_status)
  call check(f_status(MPI_SOURCE) == 1 - rank .and. f_status(MPI_TAG) == 7, 'a status as INTEGERs')
  f_status(MPI_TAG) = 8
  call MPI_Status_f2f08(f_status, status, code)
  call check(status%MPI_TAG == 8 .and. code == MPI_SUCCESS, 'and back')
  call MPI_Get_count(status, MPI_INTEGER, number)
  call check_equal(number, 1, 'the count survives')

  call MPI_Type_vector(2, 3, 4, MPI_INTEGER, vector)
  call MPI_Type_commit(vector)
  call check(vector /= MPI_DATATYPE_NULL, 'a datatype')
  call MPI_Type_free(vector)
  call check(vector == MPI_DATATYPE_NULL, 'is freed')
  call MPI_Comm_group(comm, group)
  call MPI_Group_size(group, number)
  call check_equal(number, nranks, 'size of the group')
  call MPI_Group_free(group)

  call MPI_Alloc_mem(int(40, MPI_ADDRESS_KIND), MPI_INFO_NULL, memory)
  call c_f_pointer(memory, values, [10])
  values = 3
  call MPI_Allreduce(MPI_IN_PLACE, values, 10, MPI_INTEGER, MPI_SUM, comm)
  call check(all(values == 6), 'memory of MPI')
  call MPI_Free_mem(values)
  call PMPI_Initialized(flag)
  call check(flag, 'PMPI names')
  call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
  call MPI_Send(number, 1, MPI_INTEGER, 99, 0, comm, code)
  call check(code == MPI_ERR_RANK, 'an error code')
  call MPI_Comm_free(comm)
  call finish()
end program
