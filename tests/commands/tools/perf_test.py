"""perf names the functions of clones, whose text is mapped from the program's file."""
import subprocess
import unittest

from commands import BIN, CommandTest, run
from tool import need

BURN = r'''
#include <mpi.h>
volatile double sink;
__attribute__((noinline)) void only_clones_compute(long n) {
    double sum = 0;
    for (long i = 1; i < n; ++i)
        sum += 1.0 / i;
    sink = sum;
}
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        only_clones_compute(30000000);
    MPI_Finalize();
    return 0;
}
'''


def setUpModule():
    need('perf')
    probe = subprocess.run(['perf', 'record', '-o', '/dev/null', '-e', 'cpu-clock', 'true'], capture_output=True, text=True)
    need('perf', f'perf may not record here: {probe.stderr.strip()[:200]}' if probe.returncode else None)


class Perf(CommandTest):
    def test_functions_of_clones_are_named(self):
        program = self.compile('burn', BURN, '-g', '-O1')
        data = self.scratch / 'perf.data'
        self.succeeds(run('perf', 'record', '-o', data, '-e', 'cpu-clock', BIN / 'mpiexec', '-n', 4, program))
        report = self.succeeds(run('perf', 'report', '-i', data, '--stdio', '--sort', 'dso,symbol'))
        self.assertRegex(report, r'(?m)^ +([5-9]\d|100)\.\d+% +burn +\[\.\] only_clones_compute')


if __name__ == '__main__':
    unittest.main()
