! MPI_Init_thread, MPI_Initialized, MPI_Finalized, MPI_Is_thread_main; what Fortran tells of itself.
! ranks: 2 8
program init
  use mpi
  implicit none
  integer :: provided, ierr, size, n
  logical :: flag, true_value, false_value
  character(len=30) :: value
  call MPI_Initialized(flag, ierr)
  if (flag) stop 1
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided /= MPI_THREAD_MULTIPLE) stop 2
  call MPI_Initialized(flag, ierr)
  if (flag .neqv. .true.) stop 3
  call MPI_Is_thread_main(flag, ierr)
  if (.not. flag) stop 4
  call MPI_Query_thread(n, ierr)
  if (n /= provided) stop 5
  call MPI_Abi_get_fortran_booleans(storage_size(flag) / 8, true_value, false_value, flag, ierr)
  if (.not. flag .or. .not. true_value .or. false_value) stop 6
  call MPI_Abi_get_fortran_info(n, ierr)
  size = len(value)
  call MPI_Info_get_string(n, 'mpi_integer_size', size, value, flag, ierr)
  if (.not. flag .or. value /= '4') stop 7
  call MPI_Info_free(n, ierr)
  call MPI_Get_version(n, size, ierr)
  if (n /= MPI_VERSION .or. size /= MPI_SUBVERSION) stop 8
  call MPI_Finalize(ierr)
  call MPI_Finalized(flag, ierr)
  if (.not. flag) stop 9
end program
