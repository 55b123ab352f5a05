"""Jobs on four hosts that are network namespaces (namespaces.sh), by a command that enters them and by ssh."""
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
sys.path.insert(0, str(TESTS / 'harness'))
from commands import BIN, HELLO, SLEEPER, TREE, CommandTest, body, lives, names, run # noqa: E402

NODES = [f'node{i}' for i in range(4)]
# Whole programs of the chapters that also run here, each with a process for each rank.
SAMPLE = '''pt2pt/messages_do_not_overtake coll/bcast_reaches_every_rank_from_every_root coll/allreduce_gives_all_ranks_the_same_bits
    coll/alltoall_transposes_blocks coll/gather_orders_blocks_by_rank_for_every_root coll/scans_work_in_place
    coll/barrier_separates_what_is_before_from_what_is_after'''.split()


def processes_with(word):
    """Returns the processes of all namespaces that run with `word` in their command line or environment."""
    found = []
    for directory in Path('/proc').iterdir():
        if directory.name.isdigit() and int(directory.name) != os.getpid():
            try:
                if word.encode() in (directory / 'cmdline').read_bytes() + (directory / 'environ').read_bytes() and lives(directory.name):
                    found.append(int(directory.name))
            except OSError:
                pass
    return found


class InNamespaces(CommandTest):
    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0:
            raise RuntimeError('network namespaces need root: sudo make test-cluster')
        super().setUpClass()
        cls.net = Path(tempfile.mkdtemp(prefix='thrum-net-'))
        cls.up()
        cls.hello = cls.compile('hello', HELLO)
        # A folder of temporary files that shows what is left.
        cls.temporary = cls.scratch / 'tmp'
        cls.temporary.mkdir()
        cls.environment = os.environ | {'TMPDIR': str(cls.temporary), 'THRUM_LAUNCHER_EXEC': str(cls.net / 'reach')}

    @classmethod
    def up(cls):
        subprocess.run([HERE / 'namespaces.sh', 'up', cls.net, str(len(NODES))], check=True, timeout=120)

    @classmethod
    def tearDownClass(cls):
        subprocess.run([HERE / 'namespaces.sh', 'down', cls.net], timeout=60)
        super().tearDownClass()

    def act(self, *words, **options):
        return run(HERE / 'namespaces.sh', words[0], self.net, *words[1:], **options)

    def mpiexec(self, *arguments, **options):
        return run(BIN / 'mpiexec', *arguments, **({'env': self.environment} | options))

    def start(self, *arguments, node=None):
        command = [str(w) for w in (BIN / 'mpiexec', *arguments)]
        if node:
            command = [str(HERE / 'namespaces.sh'), 'exec', str(self.net), node, *command]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=self.environment if not node else os.environ)

    def lines(self, result):
        self.assertEqual(result[2], '')
        return sorted(self.succeeds(result).splitlines())

    def nothing_is_left(self, word, limit_s=5):
        end = time.monotonic() + limit_s
        while processes_with(word) or list(self.temporary.iterdir()):
            self.assertLess(time.monotonic(), end, f'left: {processes_with(word)} {list(self.temporary.iterdir())}')
            time.sleep(0.05)


class Jobs(InNamespaces):
    def test_ranks_of_four_hosts_are_one_job(self):
        for how in ((), ('--processes',), ('--map-by', 'node')):
            self.assertEqual(self.lines(self.mpiexec('--hosts', 'node0:2,node1:2,node2,node3:3', *how, self.hello)), names(8))

    def test_processes_run_on_their_hosts(self):
        code, output, errors = self.mpiexec('--hosts', 'node1,node3', '--prefix', 'hostname')
        self.assertEqual((code, sorted(output.splitlines()), errors), (0, ['[0] node1', '[1] node3'], ''))

    def test_messages_go_through_the_network(self):
        program = self.compile('large', body('''static char data[4 << 20]; if (rank == 0) MPI_Send(data, sizeof data, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            else MPI_Recv(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)'''))
        sent = lambda: int(self.act('exec', 'node0', 'cat', '/sys/class/net/eth0/statistics/tx_bytes')[1])
        before = sent()
        self.assertEqual(self.lines(self.mpiexec('--hosts', 'node0,node1', program)), names(2))
        self.assertGreater(sent() - before, 4 << 20)

    def test_tree_operations_cross_the_network_once_for_each_other_node(self):
        source = TESTS / 'mpi' / 'processes' / 'a_tree_operation_crosses_the_network_once_for_each_other_node.c'
        program = self.scratch / 'edges'
        self.succeeds(run(BIN / 'mpicc', '-I', TESTS / 'harness', source, '-o', program))
        for how in (('--processes',), (), ('--map-by', 'node')):
            self.succeeds(self.mpiexec('--hosts', 'node0:2,node1:2,node2:3,node3', *how, program, 4))

    def test_programs_of_the_chapters(self):
        environment = self.environment | {'THRUM_TEST_HOSTS': f'--processes --hosts {",".join(node + ":16" for node in NODES)} --map-by node'}
        for name in SAMPLE:
            source = next((TESTS / 'mpi').glob(name + '.*'))
            done = run(TESTS / 'harness' / 'run_program.sh', BIN / 'mpiexec', 'hosts', source, TREE / 'tests' / 'mpi' / name,
                       env=environment, timeout=240)
            self.assertEqual(done[0], 0, f'{name}: {done[1]} {done[2]}')


class Faults(InNamespaces):
    def running(self, word, *how, node=None):
        program = self.compile(word, SLEEPER)
        process = self.start('--hosts', 'node0:2,node1:2', '--processes', *how, program, node=node)
        for _ in range(4):
            self.assertIn('pid', process.stdout.readline())
        return process

    def victim(self, word, what):
        """A process of node1, as this namespace numbers it."""
        return next(pid for pid in processes_with(word)
                    if os.readlink(f'/proc/{pid}/ns/net') == os.readlink(f'/proc/{(self.net / "node1.pid").read_text().strip()}/ns/net')
                    and what in Path(f'/proc/{pid}/cmdline').read_text())

    def ends(self, process, word, code, *texts):
        begin = time.monotonic()
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, code, errors)
        for text in texts:
            self.assertIn(text, errors)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.nothing_is_left(word, 5)
        self.assertLess(time.monotonic() - begin, 10)

    def test_a_process_that_dies(self):
        process = self.running('sleeper_a')
        os.kill(self.victim('sleeper_a', 'sleeper_a'), signal.SIGKILL)
        self.ends(process, 'sleeper_a', 137, 'on node1', 'SIGKILL')

    def test_a_network_that_is_silent(self):
        # mpiexec reaches its agents by another way here, and sees nothing of it.
        program = self.compile('waits', body('if (rank == 0) { puts("up"); fflush(stdout); } MPI_Recv(&size, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)'))
        process = self.start('--hosts', 'node0,node1', '--processes', program)
        self.assertIn('up\n', process.stdout)
        try:
            begin = time.monotonic()
            self.act('cut', 'node1')
            _, errors = process.communicate(timeout=30)
            self.assertLess(time.monotonic() - begin, 15)
            self.assertNotEqual(process.returncode, 0)
            self.assertRegex(errors, 'MPI_ERR_PROC_ABORTED: rank [01] of the job, on node[01], is lost')
        finally:
            self.act('plug', 'node1')
        self.nothing_is_left('waits')

    def test_an_agent_that_dies(self):
        process = self.running('sleeper_b')
        ours = set(processes_with(str(self.temporary)))
        agents = [pid for pid in processes_with('--thrum-agent') if pid in ours and Path(f'/proc/{pid}/comm').read_text() == 'mpiexec\n']
        os.kill(agents[-1], signal.SIGKILL)
        self.ends(process, 'sleeper_b', 1, 'is lost')

    def test_mpiexec_that_dies(self):
        process = self.running('sleeper_c')
        process.kill()
        process.communicate(timeout=20)
        self.nothing_is_left('sleeper_c')

    def test_a_host_that_dies(self):
        try:
            process = self.running('sleeper_d')
            self.act('crash', 'node1')
            _, errors = process.communicate(timeout=30)
            for path in self.temporary.iterdir(): # nobody is left on that host who could do it
                subprocess.run(['rm', '-r', path])
            self.assertEqual((process.returncode, len(errors.splitlines())), (1, 1), errors)
            self.assertIn('host node1 is lost', errors)
            self.nothing_is_left('sleeper_d')
        finally:
            subprocess.run([HERE / 'namespaces.sh', 'down', self.net], timeout=60)
            self.net.mkdir()
            self.up()


class BySsh(InNamespaces):
    def setUp(self):
        if not (self.net / 'has_sshd').exists():
            self.skipTest('sshd is neither installed nor to be had (openssh-server)')

    def mpiexec(self, *arguments):
        return self.act('exec', 'node0', BIN / 'mpiexec', *arguments, timeout=60)

    def test_the_host_of_mpiexec_and_others(self):
        for how in ((), ('--processes',)):
            self.assertEqual(self.lines(self.mpiexec('--hosts', 'node0:2,node1:2,10.77.0.3:1', *how, self.hello)), names(5))

    def test_the_lines_of_the_readme_run_as_they_stand(self):
        section = (TESTS.parent / 'README.md').read_text().split('## On a cluster')[1].split('\n## ')[0]
        lines = [line for line in section.splitlines() if line.startswith('mpiexec --host')]
        self.assertEqual(len(lines), 2)
        self.write('nodes', 'node1 slots=8\nnode2 slots=8\n')
        self.compile('program', HELLO)
        for line in lines:
            result = self.act('exec', 'node0', 'sh', '-c', f'cd "{self.scratch}"; PATH="{BIN}:$PATH"; {line}', timeout=60)
            self.assertEqual(self.lines(result), sorted(names(16)), line)

    def test_a_host_that_does_not_answer_and_one_that_nobody_knows(self):
        for host, text in (('unplugged', 'cannot be reached'), ('nobody', 'Could not resolve')):
            result = self.mpiexec('--hosts', f'node0,{host}', self.hello)
            self.fails(result, 2, f'host {host} cannot be reached', text)
            self.assertEqual(len(result[2].splitlines()), 1, result[2])
            self.assertEqual(processes_with(str(self.hello)), [])

    def test_a_link_that_breaks_ends_the_job_on_both_sides(self):
        program = self.compile('sleeper_e', SLEEPER)
        process = self.start('--hosts', 'node0:2,node1:2', '--processes', program, node='node0')
        for _ in range(4):
            self.assertIn('pid', process.stdout.readline())
        begin = time.monotonic()
        self.act('cut', 'node1')
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 1)
        self.assertIn('host node1 is lost: no answer from it', errors)
        while processes_with('sleeper_e'):
            self.assertLess(time.monotonic() - begin, 15)
            time.sleep(0.05)
        self.act('plug', 'node1')


if __name__ == '__main__':
    unittest.main()
