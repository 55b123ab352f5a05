! MPI_Get_address, MPI_Aint_diff, MPI_Type_create_struct, MPI_Type_create_resized and MPI_Type_dup for an array of derived type.
! ranks: 1
#include "interfaces.inc"

module particles_of_structures
  implicit none
  type particle
    sequence
    double precision :: place
    integer :: number
    logical :: alive
  end type
end module

program structures_are_sent_as_they_lie
  use checks
  use particles_of_structures
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  type(particle) :: sent(3), got(3)
  integer(kind=MPI_ADDRESS_KIND) :: places(3), base, size
  HANDLE(MPI_Datatype) :: parts(3), structure, resized, again
  integer :: i
  call start()
  do i = 1, 3
    sent(i) = particle(0.5d0 * i, 10 * i, mod(i, 2) == 0)
    got(i) = particle(0d0, 0, .false.)
  end do
  call MPI_Get_address(sent(1), base, ierr)
  call MPI_Get_address(sent(1)%place, places(1), ierr)
  call MPI_Get_address(sent(1)%number, places(2), ierr)
  call MPI_Get_address(sent(1)%alive, places(3), ierr)
  do i = 1, 3
    places(i) = MPI_Aint_diff(places(i), base)
  end do
  call MPI_Get_address(sent(2), size, ierr)
  size = MPI_Aint_diff(size, base)
  parts(1) = MPI_DOUBLE_PRECISION
  parts(2) = MPI_INTEGER
  parts(3) = MPI_LOGICAL
  call MPI_Type_create_struct(3, [1, 1, 1], places, parts, structure, ierr)
  places(1) = 0
  call MPI_Type_create_resized(structure, places(1), size, resized, ierr)
  call MPI_Type_dup(resized, again, ierr)
  call MPI_Type_commit(again, ierr)
  call MPI_Sendrecv(sent, 3, again, 0, 0, got, 3, again, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(got%place == sent%place), 'places')
  call check_equal(sum(got%number), 60, 'numbers')
  call check(all(got%alive .eqv. [.false., .true., .false.]), 'logicals')
  call check(size == 8 + 2 * integer_bytes, 'extent')
  call MPI_Type_free(structure, ierr)
  call MPI_Type_free(resized, ierr)
  call MPI_Type_free(again, ierr)
  call finish()
end program
