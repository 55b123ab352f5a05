"""The size of a rank's stack: --stack means every rank, rank 0 included; else ulimit -s counts for all of them."""
import resource
import unittest

from commands import BIN, CommandTest, mpiexec, run

MIB = 1 << 20
MODES = (('--workers', 1), ('--workers', 2), ('--threads=os',), ('--processes',), ('--ranks-per-process', 2),
         ('--launcher', 'fork', '--hosts', 'a:2,b:2', '--map-by', 'node'))
# Arguments: how many MiB, and which rank; -1: all.
USER = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static int use(size_t size_bytes) {
    volatile char array[size_bytes];
    for (size_t i = 0; i < size_bytes; i += 1024) array[i] = 1;
    return array[size_bytes / 2048 * 1024];
}
int main(int argc, char **argv) {
    int rank, which = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (which == -1 || which == rank) use((size_t)atoi(argv[1]) << 20);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) puts("all have had their arrays");
    MPI_Finalize();
    return 0;
}
'''
# 40 MB of automatic array on the stack.
FORTRAN = '''
program automatic
  use mpi
  implicit none
  integer :: ierr, rank
  real :: total
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call fill(10000000, total)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a, f12.0)', 'total', total
  call MPI_Finalize(ierr)
contains
  subroutine fill(n, total)
    integer, intent(in) :: n
    real, intent(out) :: total
    real :: array(n)
    array = 1
    total = array(1) + array(n / 2) + array(n)
  end subroutine
end program
'''


def stack_limit(soft, hard=resource.RLIM_INFINITY):
    return lambda: resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))


class Stacks(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user = cls.compile('user', USER)
        cls.fortran = cls.scratch / 'automatic'
        source = cls.write('automatic.f90', FORTRAN)
        code, _, errors = run(BIN / 'mpifort', '-fstack-arrays', source, '-o', cls.fortran)
        if code:
            raise RuntimeError(errors)

    def runs(self, *command, soft=8 * MIB, ranks=4):
        for how in MODES:
            with self.subTest(command=command, how=how, soft=soft):
                self.succeeds(mpiexec('-n', ranks, *how, *command, preexec_fn=stack_limit(soft)))

    def test_the_option_counts_for_every_rank(self):
        self.runs('--stack', '64M', self.user, 60, -1)
        self.runs('--stack', '64M', self.fortran)

    def test_one_rank_has_it_too(self):
        for launcher in ((BIN / 'mpiexec', '-n', 1, '--stack', '64M'), ('env', 'THRUM_STACK=64M')):
            with self.subTest(launcher=launcher):
                self.succeeds(run(*launcher, self.user, 60, 0, preexec_fn=stack_limit(8 * MIB)))

    def test_the_limit_counts_for_every_rank(self):
        self.runs(self.user, 60, -1, soft=64 * MIB)
        self.runs(self.fortran, soft=64 * MIB)

    def test_no_limit_is_a_large_stack(self):
        self.runs(self.user, 200, -1, soft=resource.RLIM_INFINITY)
        self.runs(self.fortran, soft=resource.RLIM_INFINITY)

    def test_the_limit_counts_for_many_ranks(self):
        for soft in (64 * MIB, resource.RLIM_INFINITY):
            with self.subTest(soft=soft):
                self.succeeds(mpiexec('-n', 2000, self.user, 30, 1999, preexec_fn=stack_limit(soft)))

    def test_the_report_names_one_remedy_for_every_rank(self):
        for how in (*MODES[:3], ('--ranks-per-process', 2), ('--processes',)):
            for rank in (0, 1):
                with self.subTest(how=how, rank=rank):
                    result = mpiexec('-n', 2, *how, '--stack', '16M', self.user, 20, rank, preexec_fn=stack_limit(8 * MIB))
                    self.fails(result, 139)
                    self.assertRegex(result[2], rf'^thrum: rank {rank} overflowed its 16 MiB stack in use \(.*\); run with --stack 64M\n')
                    self.assertNotIn('ulimit', result[2])
                    remedy = mpiexec('-n', 2, *how, '--stack', '64M', self.user, 20, rank, preexec_fn=stack_limit(8 * MIB))
                    self.succeeds(remedy)

    def test_without_mpiexec_the_remedy_is_the_variable(self):
        command = (self.user, 20, 0)
        self.fails(run(*command, preexec_fn=stack_limit(8 * MIB)), 139, 'set THRUM_STACK=32M')
        self.succeeds(run('env', 'THRUM_STACK=32M', *command, preexec_fn=stack_limit(8 * MIB)))

    def test_more_than_the_hard_limit_is_refused(self):
        result = mpiexec('-n', 2, '--stack', '64M', self.user, 1, 0, preexec_fn=stack_limit(8 * MIB, 16 * MIB))
        self.fails(result, 2, '--stack 64M: the hard limit of stacks is 16384 KiB')
        self.assertEqual(len(result[2].splitlines()), 1)


if __name__ == '__main__':
    unittest.main()
