"""Jobs that Slurm starts: srun --mpi=pmix with two nodes (slurm.sh), as README.md says it."""
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
sys.path.insert(0, str(TESTS / 'harness'))
from commands import BIN, HELLO, CommandTest, run # noqa: E402

README = TESTS.parent / 'README.md'


def names(size):
    return [f'rank {rank} of {size}:' for rank in range(size)]


class UnderSlurm(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.slurm = tempfile.mkdtemp(prefix='thrum-slurm-')
        cls.environment = os.environ | {'SLURM_CONF': f'{cls.slurm}/slurm.conf', 'PATH': f'{BIN}:{os.environ["PATH"]}'}
        subprocess.run([HERE / 'slurm.sh', 'up', cls.slurm, '2', '4'], check=True, timeout=60)
        cls.hello = cls.compile('program', HELLO)

    @classmethod
    def tearDownClass(cls):
        subprocess.run([HERE / 'slurm.sh', 'down', cls.slurm], timeout=60)
        super().tearDownClass()

    def srun(self, *arguments, **variables):
        return run('srun', *arguments, env=self.environment | variables)

    def test_each_task_is_a_rank(self):
        code, output, errors = self.srun('--mpi=pmix', '-N', 2, '-n', 6, self.hello)
        self.assertEqual((code, sorted(output.splitlines())), (0, names(6)), errors)

    def test_a_task_may_host_several_ranks(self):
        code, output, errors = self.srun('--mpi=pmix', '-N', 2, '-n', 3, self.hello, THRUM_RANKS='4')
        self.assertEqual((code, sorted(output.splitlines())), (0, sorted(names(12))), errors)

    def test_tasks_may_alternate_between_the_nodes(self):
        # Slurm's servers know PMIX_NODEID only of tasks of their own node: all processes must nevertheless see the same nodes.
        source = HELLO.replace('printf("\\n")', """int nodes; MPI_Comm node; int first; MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
            MPI_Comm_rank(node, &first); first = first == 0; MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            printf(" %d nodes\\n", nodes)""")
        program = self.compile('nodes', source)
        for how in ('cyclic', 'block'):
            code, output, errors = self.srun('--mpi=pmix', '-N', 2, '-n', 5, '-m', how, program)
            self.assertEqual((code, sorted(output.splitlines())), (0, [name + ' 2 nodes' for name in names(5)]), how + errors)

    def test_a_rank_that_dies_ends_the_job(self):
        program = self.compile('dies', HELLO.replace('#include <stdlib.h>', '#include <stdlib.h>\n#include <signal.h>\n#include <unistd.h>')
                               .replace('MPI_Finalize', 'if (rank == 2) raise(SIGKILL); sleep(40); MPI_Finalize'))
        begin = time.monotonic()
        code, _, errors = self.srun('--mpi=pmix', '-N', 2, '-n', 4, program)
        self.assertNotEqual(code, 0)
        self.assertIn('task 2: Killed', errors)
        self.assertLess(time.monotonic() - begin, 20)

    # In the next two the rank that dies is the only one of its node: no neighbour sees it, and Slurm tells nobody.
    def test_survivors_on_another_node_go_on(self):
        source = TESTS / 'mpi' / 'processes' / 'survivors_go_on_without_a_lost_process.c'
        program = self.scratch / 'survivors'
        self.succeeds(run(BIN / 'mpicc', '-I', TESTS / 'harness', source, '-o', program))
        hosts = self.write('hosts', 'node0\nnode0\nnode1\nnode0\n')
        begin = time.monotonic()
        code, output, errors = self.srun('--mpi=pmix', '-N', 2, '-n', 4, '-m', 'arbitrary', program, SLURM_HOSTFILE=str(hosts))
        self.assertEqual((code, output), (137, 'survivors: 3\n'), errors)
        self.assertLess(time.monotonic() - begin, 10)

    def test_survivors_on_another_node_without_error_handlers_end(self):
        program = self.compile('waits', HELLO.replace('#include <stdlib.h>', '#include <stdlib.h>\n#include <signal.h>').replace(
            'MPI_Finalize', 'if (rank == 2) raise(SIGKILL); MPI_Recv(&size, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MPI_Finalize'))
        begin = time.monotonic()
        code, _, errors = self.srun('--mpi=pmix', '-N', 2, '-n', 3, program)
        self.assertNotEqual(code, 0)
        self.assertRegex(errors, 'rank [01]: MPI_Recv: MPI_ERR_PROC_ABORTED: rank 2 of the job, on node1, is lost')
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_rank_that_is_stopped_is_not_taken_for_dead(self):
        # For longer than a node may be silent; a debugger does so, too.
        program = self.compile('stops', HELLO.replace('#include <stdlib.h>', '#include <stdlib.h>\n#include <signal.h>\n#include <unistd.h>').replace(
            'MPI_Finalize', """if (rank == 2 && fork() == 0) { sleep(6); kill(getppid(), SIGCONT); _exit(0); }
            if (rank == 2) raise(SIGSTOP); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize"""))
        code, output, errors = self.srun('--mpi=pmix', '-N', 2, '-n', 3, program)
        self.assertEqual((code, sorted(output.splitlines())), (0, names(3)), errors)

    def test_a_task_that_fails_ends_the_job_on_both_nodes(self):
        # -K: as README.md says. Task 1 is the only one of its node.
        source = HELLO.replace('#include <stdlib.h>', '#include <stdlib.h>\n#include <unistd.h>')
        abort = self.compile('abort', source.replace('MPI_Finalize', 'if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7); sleep(40); MPI_Finalize'))
        fails_in_init = self.write('fails_in_init', f'#!/bin/sh\n[ $SLURM_NODEID = 0 ] || export THRUM_FABRIC=shm\nexec "{self.hello}"\n', 0o755)
        for program, text in ((abort, 'rank 1: MPI_Abort(MPI_COMM_WORLD, 7)'), (fails_in_init, 'THRUM_FABRIC=shm, but the job has processes on several nodes')):
            begin = time.monotonic()
            code, _, errors = self.srun('-K', '--mpi=pmix', '-N', 2, '-n', 3, '-m', 'cyclic', program)
            self.assertNotEqual(code, 0)
            self.assertIn(text, errors)
            self.assertLess(time.monotonic() - begin, 20)

    def test_tasks_that_do_not_know_of_each_other_are_refused(self):
        code, output, errors = self.srun('-n', 2, self.hello)
        self.assertNotEqual(code, 0)
        self.assertEqual(output, '')
        self.assertIn('srun started 2 tasks that do not know each other', errors)
        self.assertIn('srun --mpi=pmix', errors)
        # One task, tasks that are to be alone, and mpiexec in a task are in order.
        self.assertEqual(self.srun('-n', 1, self.hello)[:2], (0, names(1)[0] + '\n'))
        code, output, errors = self.srun('-n', 2, self.hello, THRUM_SINGLETON='1')
        self.assertEqual((code, output.splitlines()), (0, names(1) * 2), errors)
        code, output, errors = self.srun('-n', 2, BIN / 'mpiexec', '-n', 3, self.hello)
        self.assertEqual((code, sorted(output.splitlines())), (0, sorted(names(3) * 2)), errors)

    def test_mpiexec_in_a_batch_script_has_the_machine_for_itself(self):
        script = self.write('script', f'#!/bin/sh\n"{BIN}/mpiexec" -n 3 "{self.hello}"\n', 0o755)
        output = self.scratch / 'output'
        self.succeeds(run('sbatch', '-W', '-n', 4, '-o', output, script, env=self.environment))
        self.assertEqual(sorted(output.read_text().splitlines()), names(3))

    def test_the_lines_of_the_readme_run_as_they_stand(self):
        section = README.read_text().split('## On a cluster')[1].split('\n## ')[0]
        lines = [line for line in re.search(r'```sh\n(.*?)```', section, re.DOTALL)[1].splitlines() if 'srun' in line]
        self.assertGreater(len(lines), 0)
        for line in lines:
            done = subprocess.run(line, shell=True, cwd=self.scratch, env=self.environment, capture_output=True, text=True, timeout=60)
            size = len(done.stdout.splitlines())
            self.assertGreater(size, 1, line)
            self.assertEqual((done.returncode, sorted(done.stdout.splitlines())), (0, sorted(names(size))), line + done.stderr)


if __name__ == '__main__':
    unittest.main()
