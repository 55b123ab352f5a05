! Solves Poisson's equation on a cube with MUMPS, several times in one job, and compares with the known solution:
! unsymmetric, positive definite and general symmetric; matrix given by rank 0 or by all ranks; rank 0 working or not.
! Usage: poisson POINTS_PER_EDGE
program poisson
  implicit none
  include 'mpif.h'
  include 'dmumps_struc.h'
  integer :: rank, size, ierr, n, edge, kind, distributed, works
  character(len=20) :: argument
  double precision, allocatable :: exact(:)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call get_command_argument(1, argument)
  read (argument, *) edge
  n = edge**3
  allocate (exact(n))
  exact = [(1 + mod(kind, 17) / 4d0, kind = 1, n)]
  do kind = 0, 2
    do distributed = 0, 1
      do works = merge(0, 1, size > 1), 1
        call solve(kind, distributed == 1, works)
      end do
    end do
  end do
  call MPI_Finalize(ierr)

contains

  subroutine solve(sym, all_give, par)
    integer, intent(in) :: sym, par
    logical, intent(in) :: all_give
    type(DMUMPS_STRUC) :: m
    double precision :: error
    m%COMM = MPI_COMM_WORLD
    m%SYM = sym
    m%PAR = par
    m%JOB = -1
    call DMUMPS(m)
    m%ICNTL(1:4) = [6, 0, 0, 1]
    m%ICNTL(13) = 1 ! no ScaLAPACK
    m%ICNTL(18) = merge(3, 0, all_give)
    if (rank == 0) then
      m%N = n
      allocate (m%RHS(n))
      m%RHS = 0
    end if
    call fill(m, sym, all_give, 1 - par)
    m%JOB = 6
    call DMUMPS(m)
    if (rank == 0) then
      error = maxval(abs(m%RHS - exact))
      write (*, '(a, 3(i0, a), es8.1, a, i0)') 'sym ', sym, ', distributed ', m%ICNTL(18), ', par ', par, ': error', error, &
        ', INFOG(1) ', m%INFOG(1)
      if (m%INFOG(1) /= 0 .or. error > 1d-10) error stop 5
      deallocate (m%RHS)
    end if
    m%JOB = -2
    call DMUMPS(m)
  end subroutine

  ! The rows of this rank (of those from `first` on, who work), or all on rank 0; and the right hand side, which is the matrix times `exact`.
  subroutine fill(m, sym, all_give, first)
    type(DMUMPS_STRUC) :: m
    integer, intent(in) :: sym, first
    logical, intent(in) :: all_give
    integer, pointer :: rows(:), columns(:)
    double precision, pointer :: values(:)
    integer :: row, column, place(3), axis, step, count
    double precision :: value
    allocate (rows(7 * n), columns(7 * n), values(7 * n))
    count = 0
    do row = 1, n
      place = [mod(row - 1, edge), mod((row - 1) / edge, edge), (row - 1) / edge**2]
      do axis = 0, 3 ! 0: the diagonal
        do step = -1, 1, 2
          if (axis == 0 .and. step == 1) cycle
          if (axis > 0) then
            if (place(axis) + step < 0 .or. place(axis) + step >= edge) cycle
          end if
          column = row
          if (axis > 0) column = row + step * edge**(axis - 1)
          value = merge(6d0, -1d0, axis == 0)
          if (rank == 0) m%RHS(row) = m%RHS(row) + value * exact(column)
          if (sym /= 0 .and. column > row) cycle ! one triangle is enough
          if (all_give .and. first + mod(row, size - first) /= rank) cycle
          count = count + 1
          rows(count) = row
          columns(count) = column
          values(count) = value
        end do
      end do
    end do
    if (all_give) then
      m%NNZ_loc = count
      m%IRN_loc => rows
      m%JCN_loc => columns
      m%A_loc => values
    else
      m%NNZ = count
      m%IRN => rows
      m%JCN => columns
      m%A => values
    end if
  end subroutine
end program
