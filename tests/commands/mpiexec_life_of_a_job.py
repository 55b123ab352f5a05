"""From start to end: exit codes, signals, the time limit, pipes, users."""
import os
import pty
import pwd
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from commands import BIN, HELLO, CommandTest, mpiexec, run

SLEEPER = HELLO.replace('MPI_Finalize', 'fflush(stdout); if (rank == 0) sleep(60); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize'
                        ).replace('#include <stdlib.h>', '#include <stdlib.h>\n#include <unistd.h>')


def start(*arguments, **options):
    return subprocess.Popen([str(word) for word in (BIN / 'mpiexec', *arguments)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def lives(pid):
    """Whether the process runs: it exists and is no zombie."""
    try:
        return Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except (FileNotFoundError, ProcessLookupError):
        return False


class Ends(CommandTest):
    def test_exit_code_of_a_program_without_mpi(self):
        self.assertEqual(mpiexec('-n', 2, 'true')[0], 0)
        self.assertNotEqual(mpiexec('-n', 2, 'false')[0], 0)

    def test_code_of_mpi_abort_is_the_exit_code(self):
        program = self.compile('abort', HELLO.replace('MPI_Finalize()', 'MPI_Abort(MPI_COMM_WORLD, 7)'))
        self.assertEqual(mpiexec('-n', 3, program)[0], 7)

    def test_one_of_several_ranks_that_fail_at_once_is_named(self):
        together = 'MPI_Barrier(MPI_COMM_WORLD); '
        ends = {'wrong': 'MPI_Send(&rank, 1, MPI_INT, size + rank, 0, MPI_COMM_WORLD)',
                'aborts': 'MPI_Abort(MPI_COMM_WORLD, 3)',
                'mixed': 'if (rank % 3 == 0) MPI_Abort(MPI_COMM_WORLD, 3); if (rank % 3 == 1) exit(4); abort()'}
        for name, end in ends.items():
            program = self.compile(name, HELLO.replace('MPI_Finalize()', together + end))
            for how in (('--workers', 2), ('--threads=os',)):
                for _ in range(5):
                    code, _, errors = mpiexec('-n', 8, *how, program)
                    self.assertNotEqual(code, 0)
                    reports = [line for line in errors.splitlines() if line.startswith('thrum: rank')]
                    self.assertEqual(len(reports), 1, errors)

    def test_death_by_a_signal_is_named(self):
        script = self.write('dies', '#!/bin/sh\nkill -KILL $$\n', 0o755)
        self.fails(mpiexec(script), 128 + signal.SIGKILL, 'SIGKILL', 'memory')
        script = self.write('dies', '#!/bin/sh\nkill -USR1 $$\n', 0o755)
        self.fails(mpiexec(script), 128 + signal.SIGUSR1, 'SIGUSR1')

    def test_time_limit_ends_the_job_with_124(self):
        program = self.compile('sleeper', SLEEPER)
        begin = time.monotonic()
        self.fails(mpiexec('-n', 3, '--timeout', 0.5, program), 124, 'time limit of 0.5 s reached')
        self.assertLess(time.monotonic() - begin, 10)

    def test_time_limit_ends_a_job_that_ignores_requests(self):
        script = self.write('deaf', '#!/bin/sh\ntrap "" TERM INT\nsleep 30 & wait\nsleep 30\n', 0o755)
        process = start('--timeout', 0.2, script)
        process.stdout.close(), process.stderr.close()
        self.assertEqual(process.wait(timeout=30), 124)

    def test_time_limit_from_the_environment(self):
        program = self.compile('sleeper', SLEEPER)
        limited = os.environ | {'MPIEXEC_TIMEOUT': '0.5'}
        self.fails(mpiexec('-n', 2, program, env=limited), 124, 'time limit of 0.5 s reached')
        self.assertEqual(mpiexec('--timeout', 30, 'true', env=limited)[0], 0) # the option counts
        self.fails(mpiexec('true', env=os.environ | {'MPIEXEC_TIMEOUT': 'soon'}), 2, 'MPIEXEC_TIMEOUT soon')

    def test_no_limit_is_reached_by_a_quick_job(self):
        self.assertEqual(mpiexec('--timeout', 30, 'true')[0], 0)


class Signals(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sleeper = cls.compile('sleeper', SLEEPER)

    def running(self, *arguments, **options):
        process = start(*arguments, self.sleeper, **options)
        self.assertIn('rank', process.stdout.readline())
        return process

    def test_interrupt_and_termination_end_the_job_at_once(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.running('-n', 3)
            begin = time.monotonic()
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertNotEqual(process.returncode, 0)
            self.assertLess(time.monotonic() - begin, 5)

    def test_a_second_interrupt_kills_a_job_that_does_not_listen(self):
        deaf = self.write('deaf', '#!/bin/sh\ntrap "" INT\necho rank\nsleep 30\nsleep 30\n', 0o755)
        for ranks, code in (1, 128 + signal.SIGKILL), (2, 128 + signal.SIGINT):
            process = start('-n', ranks, deaf)
            for _ in range(ranks):
                process.stdout.readline()
            for _ in range(2):
                process.send_signal(signal.SIGINT)
                time.sleep(0.3)
            self.assertEqual(process.wait(timeout=5), code)
            process.stdout.close()
            self.assertIn('interrupted again', process.stderr.read())
            process.stderr.close()

    def test_interrupt_from_a_terminal_reaches_the_whole_process_group(self):
        process = self.running('-n', 3, start_new_session=True)
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=20)
        self.assertNotEqual(process.returncode, 0)

    def test_control_c_at_a_terminal_reaches_the_job_once(self):
        script = self.write('counts', '#!/bin/sh\ntrap "echo caught" INT\necho ready\n'
                            'sleep 1\nsleep 1\necho done\n', 0o755)
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(BIN / 'mpiexec', ['mpiexec', str(script)])
        text = ''
        while True:
            try:
                text += os.read(terminal, 4096).decode()
            except OSError: # the last process has closed the terminal
                break
            if text.count('ready') == 1 and '^C' not in text:
                os.write(terminal, b'\x03')
                time.sleep(0.2)
        os.waitpid(pid, 0)
        os.close(terminal)
        self.assertEqual(text.count('caught'), 1, text)
        self.assertIn('done', text)

    def test_the_job_does_not_outlive_mpiexec(self):
        process = self.running('-n', 3)
        child, = Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()
        process.kill()
        process.communicate(timeout=20)
        for _ in range(100):
            if not lives(child):
                return
            time.sleep(0.05)
        self.fail(f'process {child} still runs')


class Surroundings(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.hello = cls.compile('hello', HELLO)

    def test_output_into_a_pipe_is_complete(self):
        code, output, _ = run('sh', '-c', f'"{BIN}/mpiexec" -n 200 "{self.hello}" | sort | uniq | wc -l')
        self.assertEqual((code, output.strip()), (0, '200'))

    def test_a_reader_that_has_enough_ends_the_job_quietly(self):
        _, output, errors = run('bash', '-c', f'"{BIN}/mpiexec" -n 2 yes | head -n 1')
        self.assertEqual((output, errors), ('y\n', ''))

    def test_standard_input_goes_to_rank_0(self):
        reader = self.compile('reader', HELLO.replace('printf("\\n")',
                              'char line[20] = ""; if (rank == 0) (void)!scanf("%19s", line); printf("%s\\n", line)'))
        done = subprocess.run([BIN / 'mpiexec', '-n', '2', reader], input='word\n', capture_output=True, text=True, timeout=60)
        self.assertEqual(sorted(done.stdout.splitlines()), ['rank 0 of 2:word', 'rank 1 of 2:'])

    def test_standard_input_goes_to_all_ranks_and_waits_for_none(self):
        summer = self.compile('summer', HELLO.replace('printf("\\n")', """
            unsigned long sum = 0, count = 0;
            for (int c; rank != 2 && (c = getchar()) != EOF; ++count)
                sum += (unsigned)c * (count % 1000 + 1);
            printf(" %lu %lu\\n", count, sum)"""))
        text = '0123456789abcde' * 30000 # more than a pipe holds; rank 2 reads nothing of it
        expected = f' {len(text)} {sum(ord(c) * (i % 1000 + 1) for i, c in enumerate(text))}'
        for how in (('--workers', 1), ('--workers', 2), ('--threads=os',)):
            done = subprocess.run([str(word) for word in (BIN / 'mpiexec', '-n', 5, *how, '--stdin', 'all', summer)], input=text,
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            self.assertEqual(sorted(done.stdout.splitlines()),
                             [f'rank {rank} of 5:{" 0 0" if rank == 2 else expected}' for rank in range(5)])

    def test_standard_input_may_go_to_no_rank(self):
        reader = self.compile('none', HELLO.replace('printf("\\n")', 'printf("%s\\n", getchar() == EOF ? "end" : "text")'))
        done = subprocess.run([BIN / 'mpiexec', '-n', '2', '--stdin', 'none', reader], input='word\n', capture_output=True, text=True, timeout=60)
        self.assertEqual(sorted(done.stdout.splitlines()), ['rank 0 of 2:end', 'rank 1 of 2:end'])

    def test_closed_standard_streams_do_no_harm(self):
        self.assertEqual(run('sh', '-c', f'"{BIN}/mpiexec" -n 2 "{self.hello}" <&-')[0], 0)

    @unittest.skipUnless(os.getuid() == 0 and shutil.which('setpriv'), 'needs root and setpriv')
    def test_an_ordinary_user_may_run_jobs(self):
        nobody = pwd.getpwnam('nobody')
        if subprocess.run(['setpriv', f'--reuid={nobody.pw_uid}', '--clear-groups', 'test', '-x', BIN / 'mpiexec']).returncode:
            self.skipTest('nobody may not read the build tree')
        output = self.succeeds(run('setpriv', f'--reuid={nobody.pw_uid}', f'--regid={nobody.pw_gid}', '--clear-groups',
                                   BIN / 'mpiexec', '-n', 3, self.hello, cwd='/'))
        self.assertEqual(len(output.splitlines()), 3)


if __name__ == '__main__':
    unittest.main()
