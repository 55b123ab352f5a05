"""mpiexec -n 4 gdb ./a.out and its kin: the ranks are threads of one session, or one line says what helps."""
import os
import re
import shutil
import subprocess
import time
import unittest

from commands import BIN, PID, CommandTest, mpiexec, names, run
from tool import need

PIDS = PID.replace('printf("\\n")', 'printf(" %d\\n", getpid())')
GDB = ('gdb', '-nx', '-batch')
# Executes what follows, as a terminal (-e), or "rr record", would. (rr itself needs performance counters, which few virtual
# machines have.)
EXECUTES = '#!/bin/sh\necho "$0" >>"$0.runs"\nwhile :; do case $1 in -*|record) shift ;; *) break ;; esac; done\n"$@"\n'


class Sessions(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile('pids', PIDS, '-g')
        for name in ('xterm', 'rr'):
            cls.write(name, EXECUTES, 0o755)
        cls.environment = os.environ | {'PATH': f'{cls.scratch}:{os.environ["PATH"]}'}

    def mpiexec(self, *arguments, **options):
        return mpiexec(*arguments, **({'cwd': self.scratch, 'env': self.environment, 'timeout': 120} | options))

    def one_process(self, output, size, *arguments):
        """All ranks have printed, as threads of one process."""
        lines = re.findall(r'rank \d+ of \d+:.* \d+', output)
        self.assertEqual(sorted(line.split(':')[0] + ':' for line in lines), names(size), output)
        self.assertEqual(len({line.split()[-1] for line in lines}), 1, output)
        for argument in arguments:
            self.assertEqual(output.count(f'[{argument}]'), size, output)

    def processes(self, output, size):
        lines = re.findall(r'rank \d+ of \d+:.* \d+', output)
        self.assertEqual(sorted(line.split(':')[0] + ':' for line in lines), names(size), output)
        self.assertEqual(len({line.split()[-1] for line in lines}), size, output)

    def runs(self, name):
        path = self.scratch / (name + '.runs')
        count = len(path.read_text().splitlines()) if path.exists() else 0
        path.unlink(missing_ok=True)
        return count


@unittest.skipUnless(shutil.which('gdb'), 'gdb is not installed')
class Gdb(Sessions):
    def test_all_ranks_are_in_one_session(self):
        for command in ([*GDB, '-ex', 'run', self.program], [*GDB, '-ex', 'run', 'pids'],
                        ['env', 'A=1', *GDB, '-ex', 'run', self.program], [*GDB, '-ex', 'run', '--args', 'env', 'A=1', self.program]):
            output = self.succeeds(self.mpiexec('-n', 4, *command))
            self.one_process(output, 4)
            self.assertEqual(output.count('exited normally'), 1)

    def test_arguments_of_the_program(self):
        self.one_process(self.succeeds(self.mpiexec('-n', 3, *GDB, '-ex', 'run', '--args', self.program, 'x', 'y')), 3, 'x', 'y')

    def test_our_commands_are_there_and_breakpoints_hit_in_all_ranks(self):
        output = self.succeeds(self.mpiexec('-n', 4, *GDB, '-ex', 'break MPI_Finalize', '-ex', 'run', '-ex', 'info ranks', self.program))
        self.assertRegex(output, r'(?m)^ +Rank +State +On +Call$')
        self.assertRegex(output, r'(?m)^ +(\d+-)?3 +(ready|running|waiting)')  # ranks in the same state share a line

    def test_the_program_may_be_run_again(self):
        output = self.succeeds(self.mpiexec('-n', 2, *GDB, '-ex', 'run', '-ex', 'run', self.program))
        self.assertEqual(output.count('exited normally'), 2, output)
        self.assertEqual(len(re.findall(r'rank \d of 2:', output)), 4, output)

    def test_a_single_rank(self):
        code, output, errors = self.mpiexec('-n', 1, *GDB, '-ex', 'run', self.program)
        self.assertEqual(code, 0, errors)
        self.one_process(output, 1)
        self.assertNotIn('custom handler', errors) # of our library in gdb itself

    def test_in_a_window(self):
        output = self.succeeds(self.mpiexec('-n', 3, 'xterm', '-e', *GDB, '-ex', 'run', self.program))
        self.one_process(output, 3)
        self.assertEqual(self.runs('xterm'), 1)

    def test_a_dialogue_by_standard_input(self):
        done = subprocess.run([str(w) for w in (BIN / 'mpiexec', '-n', 3, 'gdb', '-nx', '-q', self.program)], input='run\nquit\n', text=True,
                              capture_output=True, timeout=120, env=self.environment)
        self.one_process(done.stdout, 3)

    def test_one_rank_of_several_programs(self):
        code, output, errors = self.mpiexec('-n', 1, *GDB, '-ex', 'run', self.program, ':', '-n', 2, self.program)
        self.assertEqual(code, 0, errors)
        self.processes(output, 3)
        for complaint in 'auto-load', 'custom handler': # of our commands for ranks; of our signals in gdb itself
            self.assertNotIn(complaint, errors)

    def test_programs_whose_ranks_cannot_be_threads(self):
        position = self.compile('nopie', PIDS, '-no-pie', '-fno-pie')
        self.fails(self.mpiexec('-n', 3, 'gdb', position), 2, 'not position-independent', 'one terminal', 'mpiexec -n 3 xterm -e gdb')
        self.fails(self.mpiexec('-n', 3, 'gdb'), 2, 'none of its arguments is an MPI program')
        code, output, errors = self.mpiexec('-n', 3, *GDB, '-ex', 'run', position) # no dialogue: a session for each
        self.assertEqual(code, 0, errors)
        self.processes(output, 3)
        code, output, errors = self.mpiexec('-n', 3, 'xterm', '-e', *GDB, '-ex', 'run', position)
        self.assertEqual((code, self.runs('xterm')), (0, 3), errors)
        self.processes(output, 3)

    def test_the_time_limit_ends_debugger_and_program(self):
        begin = time.monotonic()
        sleeper = self.compile('sleeper', PIDS.replace('MPI_Finalize', 'fflush(stdout); sleep(60); MPI_Finalize'))
        code, output, _ = self.mpiexec('--timeout', 4, '-n', 2, *GDB, '-ex', 'run', sleeper)
        self.assertEqual(code, 124)
        self.assertLess(time.monotonic() - begin, 30)
        pid = re.search(r'rank \d of 2: (\d+)', output)
        if pid: # it may not have come so far
            for _ in range(100):
                if not os.path.exists(f'/proc/{pid[1]}'):
                    return
                time.sleep(0.1)
            self.fail(f'process {pid[1]} is left')


class Others(Sessions):
    def test_rr_records_one_process(self):
        self.one_process(self.succeeds(self.mpiexec('-n', 4, 'rr', 'record', self.program)), 4)
        self.assertEqual(self.runs('rr'), 1)

    @unittest.skipUnless(shutil.which('strace'), 'strace is not installed')
    def test_strace(self):
        trace = self.scratch / 'trace'
        self.processes(self.succeeds(self.mpiexec('-n', 3, 'strace', '-ff', '-o', trace, self.program)), 3)
        self.processes(self.succeeds(self.mpiexec('-n', 3, 'strace', '-f', '-o', os.devnull, self.program)), 3)
        self.one_process(self.succeeds(self.mpiexec('-n', 3, '--threads=fiber', 'strace', '-f', '-o', trace, self.program)), 3)
        self.assertRegex(trace.read_text(), r'write.*rank 2 of 3')

    @unittest.skipUnless(shutil.which('ltrace'), 'ltrace is not installed')
    def test_ltrace(self):
        self.processes(self.succeeds(self.mpiexec('-n', 2, 'ltrace', '-o', os.devnull, self.program)), 2)

    @unittest.skipUnless(shutil.which('valgrind'), 'valgrind is not installed')
    def test_valgrind(self):
        output = self.succeeds(self.mpiexec('-n', 3, 'valgrind', '-q', self.program))
        self.one_process(output, 3)
        code, output, errors = self.mpiexec('-n', 2, 'valgrind', '-q', '/bin/echo', 'x') # no MPI program: one for each
        self.assertEqual((code, output), (0, 'x\n' * 2), errors)

    @unittest.skipUnless(shutil.which('valgrind'), 'valgrind is not installed')
    def test_valgrind_that_follows_mpiexec(self):
        for how, check in ([], self.one_process), (['--processes'], self.processes):
            code, output, errors = run('valgrind', '-q', '--trace-children=yes', BIN / 'mpiexec', *how, '-n', 3, self.program, timeout=200)
            self.assertEqual(code, 0, errors)
            check(output, 3)

    @unittest.skipUnless(shutil.which('lldb'), 'lldb is not installed')
    def test_lldb(self):
        if 'stopped' not in run('lldb', '-b', '-o', 'process launch -s', '/bin/true')[1]:
            self.skipTest('lldb starts no program here')
        self.one_process(self.mpiexec('-n', 3, 'lldb', '-b', '-o', 'run', self.program)[1], 3)


if __name__ == '__main__':
    unittest.main()
