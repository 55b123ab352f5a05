! OpenMP in Fortran: a team for each rank; THREADPRIVATE COMMON and module variables, COPYIN.
! ranks: 8 64
! flags: -fopenmp
! env: OMP_NUM_THREADS=3
include 'checks.inc'

module private_state
  implicit none
  integer :: counter = 5
  !$omp threadprivate(counter)
  integer :: shared_counter = 0
end module

program openmp
  use checks
  use private_state
  use omp_lib
  implicit none
  integer :: number, seen(0:2), round
  common /each_threads/ number
  !$omp threadprivate(/each_threads/)
  call start()
  call omp_set_dynamic(.false.)
  call omp_set_num_threads(3)
  call check(counter == 5 .and. number == 0, 'fresh')
  counter = 10 * rank
  number = 100 * rank
  do round = 1, 3
    seen = -1
    !$omp parallel copyin(number)
    number = number + omp_get_thread_num()
    !$omp atomic
    shared_counter = shared_counter + 1
    !$omp barrier
    seen(omp_get_thread_num()) = number
    if (omp_get_thread_num() > 0) counter = counter + 1
    !$omp end parallel
    call check(all(seen == 100 * rank + [0, 1, 2]), 'copied in, and each thread''s own')
    call meet()
  end do
  call check(counter == 10 * rank .and. number == 100 * rank, 'the main thread''s')
  call check_equal(shared_counter, 9, 'shared by the team of this rank only')
  !$omp parallel
  if (omp_get_thread_num() > 0) seen(omp_get_thread_num()) = counter
  !$omp end parallel
  call check(all(seen(1:2) == 5 + 3), 'the other threads keep theirs from region to region')
  call finish()
end program
