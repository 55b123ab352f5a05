"""Jobs of several operating-system processes on this machine: mpiexec --processes and what chooses it by itself."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from commands import BIN, HELLO, PID, SLEEPER, TREE, HelloTest, body, lives, mpiexec, names, run, start


# A waitpid() that returns late when nobody has ended yet.
LATE = r'''
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>
pid_t waitpid(pid_t pid, int *status, int options) {
    pid_t (*next)(pid_t, int *, int) = (pid_t (*)(pid_t, int *, int))dlsym(RTLD_NEXT, "waitpid");
    pid_t ended = next(pid, status, options);
    if (ended == 0) usleep(300000);
    return ended;
}
'''
# Closes its output, which wakes mpiexec, and ends soon after: each rank when mpiexec has done with those before.
LEAVER = r'''
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    usleep((unsigned)atoi(getenv("PMIX_RANK")) * 500000);
    close_range(1, 2, 0);
    usleep(100000);
    _exit(0);
}
'''


class Start(HelloTest):
    def test_a_process_for_each_rank(self):
        program = self.compile('pids', PID.replace('printf("\\n")', 'printf(" %d\\n", getpid())'))
        lines = self.lines(mpiexec('--processes', '-n', 4, program))
        self.assertEqual([line.split(':')[0] + ':' for line in lines], names(4))
        self.assertEqual(len({line.split()[-1] for line in lines}), 4)

    def test_several_ranks_for_each_process(self):
        program = self.compile('pids', PID.replace('printf("\\n")', 'printf(" %d\\n", getpid())'))
        lines = self.lines(mpiexec('--ranks-per-process', 2, '-n', 5, program))
        self.assertEqual([line.split(':')[0] + ':' for line in lines], names(5))
        pids = [line.split()[-1] for line in lines]
        self.assertEqual((pids[0], pids[2]), (pids[1], pids[3]))
        self.assertEqual(len(set(pids)), 3)

    def test_one_rank_or_one_process_needs_no_wire_up(self):
        self.assertEqual(self.lines(mpiexec('--processes', self.hello)), names(1))
        self.assertEqual(self.lines(mpiexec('--ranks-per-process', 4, '-n', 3, self.hello)), names(3))

    def test_programs_follow_one_another_and_know_their_numbers(self):
        text = HELLO.replace('printf("\\n")', '''int *app, flag; MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &app, &flag);
            int *universe; MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag);
            printf(" app %d universe %s\\n", *app, flag ? "set" : "unset")''')
        program = self.compile('numbers', text)
        for how in (('--processes',), ('--ranks-per-process', 2)):
            lines = self.lines(mpiexec(*how, '-n', 2, program, 'a', ':', '-n', 3, program, 'b'))
            expected = [f'rank {rank} of 5: [{"ab"[rank > 1]}] app {int(rank > 1)} universe unset' for rank in range(5)]
            self.assertEqual(lines, expected)

    def test_each_program_of_a_process_has_its_directory(self):
        source = self.write('where.c', '''#include <mpi.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char path[PATH_MAX];
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d %s\\n", rank, getcwd(path, sizeof path));
    return MPI_Finalize();
}''')
        program, there = self.scratch / 'where', self.scratch / 'there'
        there.mkdir()
        self.succeeds(run(BIN / 'mpicc', source, '-o', program))
        for how in ((), ('--ranks-per-process', 2), ('--processes',)):
            done = mpiexec(*how, '--wdir', there, '-n', 1, program, ':', '-n', 3, program)
            self.assertEqual(self.lines(done), [f'0 {there}'] + [f'{rank} {os.getcwd()}' for rank in (1, 2, 3)], how)

    def test_programs_without_mpi_run_as_processes(self):
        self.assertEqual(self.lines(mpiexec('--processes', '-n', 3, 'echo', 'x')), ['x'] * 3)

    def test_a_script_need_not_exec_the_program(self):
        script = self.write('calls', f'#!/bin/sh\n"{self.hello}" "$@"\nexit $?\n', 0o755)
        for command in ([script], ['sh', '-c', f'"{self.hello}" inner; true']):
            lines = self.lines(mpiexec('--processes', '-n', 2, *command))
            self.assertEqual([line.split(':')[0] + ':' for line in lines], names(2))

    def test_programs_that_ranks_start_are_no_ranks(self):
        program = self.compile('starts', PID.replace('printf("\\n");', 'fflush(stdout); if (argc > 1) (void)!system(argv[1]); printf("\\n");'))
        lines = self.lines(mpiexec('--processes', '-n', 2, program, self.hello))
        self.assertEqual(' '.join(lines).count('rank 0 of 1:'), 2, lines)


class Choice(HelloTest):
    """Programs whose ranks cannot be threads get processes, and nothing is said."""

    def test_position_dependent_programs(self):
        program = self.compile('nopie', HELLO, '-no-pie', '-fno-pie')
        self.assertEqual(self.lines(mpiexec('-n', 4, program)), names(4))

    def test_static_programs_without_mpi(self):
        for flag in ('-static', '-static-pie'):
            source = self.write('plain.c', 'int puts(const char *); int main(void) { puts("here"); return 0; }')
            program = self.scratch / ('plain' + flag)
            self.assertEqual(run('gcc', source, flag, '-o', program)[0], 0)
            self.assertEqual(self.lines(mpiexec('-n', 3, program)), ['here'] * 3)

    @unittest.skipUnless(os.path.exists('/usr/bin/python3'), 'needs python3 of the distribution')
    def test_python(self):
        code = 'import os; print("python", os.environ["PMIX_RANK"])'
        self.assertEqual(self.lines(mpiexec('-n', 4, '/usr/bin/python3', '-c', code)), [f'python {i}' for i in range(4)])
        script = self.write('script.py', f'#!/usr/bin/env python3\n{code}\n', 0o755)
        self.assertEqual(self.lines(mpiexec('-n', 3, script)), [f'python {i}' for i in range(3)])

    @unittest.skipUnless(os.path.exists('/usr/bin/python3'), 'needs python3 of the distribution')
    def test_python_that_loads_mpi_late(self):
        code = ('import ctypes; mpi = ctypes.CDLL("%s"); rank = ctypes.c_int(); size = ctypes.c_int(); mpi.MPI_Init(None, None); '
                'world = ctypes.c_void_p(int("101", 16)); mpi.MPI_Comm_rank(world, ctypes.byref(rank)); '
                'mpi.MPI_Comm_size(world, ctypes.byref(size)); print(f"rank {rank.value} of {size.value}:"); mpi.MPI_Finalize()'
                % (TREE / 'lib' / 'libmpi_abi.so.1'))
        for program in (('/usr/bin/python3',), ('env', '-u', 'LD_PRELOAD', '/usr/bin/python3')):
            self.assertEqual(self.lines(mpiexec('--processes', '-n', 3, *program, '-c', code)), names(3))

    def test_who_asks_for_threads_is_refused(self):
        program = self.compile('nopie', HELLO, '-no-pie', '-fno-pie')
        for how in (('--threads=fiber',), ('--threads=os',), ('--ranks-per-process', 2)):
            self.fails(mpiexec(*how, '-n', 4, program), 2, 'not position-independent', '-fPIE')


class Streams(HelloTest):
    def test_lines_come_out_whole(self):
        writer = self.compile('writer', body('''for (int i = 0; i < 300; ++i) { for (int k = 0; k < 50; ++k) putchar('a' + rank);
            fflush(stdout); fputs("tail", stdout); fprintf(stderr, "err%d", rank); fprintf(stderr, "\\n"); putchar('\\n'); }'''))
        code, output, errors = mpiexec('--processes', '-n', 4, writer)
        self.assertEqual(code, 0)
        self.assertEqual(len([line for line in output.splitlines() if re.fullmatch(r'([a-d])\1{49}tail', line)]), 1200)
        self.assertEqual(sorted(set(errors.splitlines())), [f'err{i}' for i in range(4)])

    def test_prefix_names_the_rank(self):
        for how in (('--processes',), ('--ranks-per-process', 4)):
            lines = self.lines(mpiexec(*how, '--prefix', '-n', 11, self.hello))
            self.assertEqual(lines, sorted(f'[{rank:2}] rank {rank} of 11:' for rank in range(11)))

    def test_output_may_go_to_a_file_of_each_rank(self):
        for how in (('--processes',), ('--ranks-per-process', 4)):
            directory = self.scratch / ('out' + how[0])
            self.assertEqual(self.lines(mpiexec(*how, '--output-dir', directory, '-n', 11, self.hello)), [])
            for rank in range(11):
                self.assertEqual((directory / f'rank.{rank:02}.out').read_text(), f'rank {rank} of 11:\n')

    def test_standard_input_goes_to_one_rank(self):
        reader = self.compile('reader', HELLO.replace('printf("\\n")', 'char line[20] = ""; (void)!scanf("%19s", line); printf("%s\\n", line)'))
        for how in (('--processes',), ('--ranks-per-process', 2)):
            for rank in (0, 3):
                done = subprocess.run([str(w) for w in (BIN / 'mpiexec', *how, '-n', 4, '--stdin', rank, reader)], input='word\n',
                                      capture_output=True, text=True, timeout=60)
                self.assertEqual(sorted(done.stdout.splitlines()), [f'rank {i} of 4:{"word" if i == rank else ""}' for i in range(4)])

    def test_standard_input_of_all_ranks_is_a_file(self):
        text = self.write('input', 'word\n')
        reader = self.compile('reader', HELLO.replace('printf("\\n")', 'char line[20] = ""; (void)!scanf("%19s", line); printf("%s\\n", line)'))
        with open(text) as file:
            lines = self.lines(mpiexec('--processes', '-n', 3, '--stdin', 'all', reader, stdin=file))
        self.assertEqual(lines, [f'rank {i} of 3:word' for i in range(3)])
        self.fails(run('sh', '-c', f'echo word | "{BIN}/mpiexec" --processes -n 3 --stdin all "{reader}"'), 2, '--stdin all', 'file')

    def test_a_reader_that_has_enough_ends_the_job_quietly(self):
        _, output, errors = run('bash', '-c', f'"{BIN}/mpiexec" --processes -n 2 yes | head -n 1')
        self.assertEqual((output, errors), ('y\n', ''))


class Ends(HelloTest):
    def test_exit_codes_of_programs_without_mpi(self):
        self.assertEqual(mpiexec('--processes', '-n', 2, 'true')[0], 0)
        self.assertEqual(mpiexec('--processes', '-n', 2, 'sh', '-c', 'exit 3')[0], 3)

    def test_programs_that_a_rank_starts_leave_its_table_of_ranks_alone(self):
        script = 'for i in 1 2 3 4; do nm -D "$0" | wc -l; done'
        code, output, errors = mpiexec('--processes', '-n', 2, 'sh', '-c', script, TREE / 'lib' / 'libmpi_abi.so.1')
        self.assertEqual((code, len(set(output.split())), errors), (0, 1, ''), output)

    def test_an_exit_code_after_mpi_finalize_counts(self):
        program = self.compile('after', HELLO.replace('return 0', 'return rank == 1 ? 5 : 0'))
        self.assertEqual(mpiexec('--processes', '-n', 3, program)[0], 5)

    def test_code_of_mpi_abort_is_the_exit_code(self):
        program = self.compile('abort', body('if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7); sleep(30)'))
        for how in (('--processes',), ('--ranks-per-process', 2)):
            self.fails(mpiexec(*how, '-n', 3, program), 7, 'rank 1: MPI_Abort(MPI_COMM_WORLD, 7)')

    def test_a_rank_that_dies_ends_the_job_and_is_named(self):
        for end, code, text in (('raise(SIGKILL)', 137, 'rank 2 .*SIGKILL'), ('_exit(4)', 4, 'rank 2 .*exit code 4.*MPI_Finalize'),
                                ('exit(4)', 4, 'rank 2 .*exit code 4 without calling MPI_Finalize'),
                                ('raise(SIGUSR1)', 128 + signal.SIGUSR1, 'rank 2 .*SIGUSR1')):
            program = self.compile('dies', body(f'if (rank == 2) {end}; sleep(30)'))
            begin = time.monotonic()
            result = mpiexec('--processes', '-n', 4, program)
            self.assertLess(time.monotonic() - begin, 20)
            self.fails(result, code)
            self.assertRegex(result[2], text)
            self.assertEqual(len(result[2].splitlines()), 1, result[2])

    def test_a_rank_that_never_calls_mpi_init_keeps_nobody_waiting(self):
        program = self.compile('never', PID.replace('MPI_Init(', 'if (argc > 1 && atoi(getenv("PMIX_RANK")) == 1) return 0; MPI_Init('))
        result = mpiexec('--processes', '-n', 3, program, 'x')
        self.fails(result, 1, 'rank 1', 'without calling MPI_Init')

    def test_an_end_while_mpiexec_looks_elsewhere_is_not_missed(self):
        late = self.compile('late', LATE, '-shared', '-fPIC')
        program = self.compile('leaver', LEAVER)
        for _ in range(3):
            self.succeeds(mpiexec('--processes', '-n', 2, '--timeout', 20, program, env={**os.environ, 'LD_PRELOAD': str(late)}))

    def test_time_limit(self):
        program = self.compile('sleeper', SLEEPER)
        begin = time.monotonic()
        self.fails(mpiexec('--processes', '-n', 3, '--timeout', 1.5, program), 124, 'time limit of 1.5 s reached')
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_program_that_cannot_be_executed_is_named(self):
        broken = self.write('broken', '#!/nonexistent/interpreter\n', 0o755)
        self.fails(mpiexec('--processes', '-n', 3, broken), 126, 'broken')


class NothingIsLeft(HelloTest):
    """No process and no file stays, whoever is killed."""

    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(dir=self.scratch))
        self.environment = os.environ | {'TMPDIR': str(self.directory)}

    def running(self, count, *how):
        program = self.compile('sleeper', SLEEPER)
        process = start(*how, '-n', count, program, env=self.environment)
        pids = [int(process.stdout.readline().split()[-1]) for _ in range(count)]
        return process, pids

    def gone(self, pids):
        for _ in range(200):
            if not any(lives(pid) for pid in pids) and not list(self.directory.iterdir()):
                return
            time.sleep(0.05)
        self.fail(f'left: {[pid for pid in pids if lives(pid)]} {list(self.directory.iterdir())}')

    def test_after_an_ordinary_end(self):
        self.succeeds(mpiexec('--processes', '-n', 3, self.hello, env=self.environment))
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_after_mpiexec_was_killed(self):
        for how in (('--processes',), ('--ranks-per-process', 2)):
            process, pids = self.running(3, *how)
            process.kill()
            process.communicate(timeout=20)
            self.gone(pids)

    def test_after_any_process_was_killed(self):
        for victim in range(3):
            process, pids = self.running(3, '--processes')
            begin = time.monotonic()
            os.kill(pids[victim], signal.SIGKILL)
            _, errors = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 137)
            self.assertIn('SIGKILL', errors)
            self.assertLess(time.monotonic() - begin, 10)
            self.gone(pids)

    def test_after_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, pids = self.running(3, '--processes')
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, 128 + number)
            self.gone(pids)

    def test_after_a_shell_that_runs_the_program_was_killed(self):
        program = self.compile('sleeper', SLEEPER)
        process = start('--processes', '-n', 2, 'sh', '-c', f'echo shell $$; "{program}"; true', env=self.environment)
        shells, pids = [], []
        while len(shells) + len(pids) < 4:
            words = process.stdout.readline().split()
            (shells if words[0] == 'shell' else pids).append(int(words[-1]))
        os.kill(shells[0], signal.SIGKILL)
        process.communicate(timeout=20)
        self.gone(shells + pids)


class Refusals(HelloTest):
    def test_no_pmix_server(self):
        lonely = os.environ | {'PMIX_NAMESPACE': 'job', 'PMIX_RANK': '0'}
        result = run(self.hello, env=lonely)
        self.fails(result, 2, 'PMIx server of job job', 'launcher')
        self.assertEqual(len(result[2].splitlines()), 1, result[2])

    def test_other_versions_of_thrum(self):
        tree = self.scratch / 'other'
        (tree / 'lib').mkdir(parents=True)
        library = tree / 'lib' / 'libmpi_abi.so.1'
        content = (TREE / 'lib' / 'libmpi_abi.so.1').read_bytes()
        self.assertIn(b'wire-up 0.', content)
        library.write_bytes(content.replace(b'wire-up 0.', b'wire-up 9.'))
        script = self.write('mixed', f'#!/bin/sh\n[ "$PMIX_RANK" = 1 ] && export LD_PRELOAD="{library}"\nexec "{self.hello}"\n', 0o755)
        result = mpiexec('--processes', '-n', 2, script)
        self.fails(result, 2, 'process 1 of the job', 'runs Thrum 9.', 'but process 0', 'the same version')
        self.assertEqual(len(result[2].splitlines()), 1, result[2])

    def test_more_processes_than_mpiexec_may_have_files(self):
        result = run('bash', '-c', f'ulimit -n 60; exec "{BIN}/mpiexec" --processes -n 16 "{self.hello}"')
        self.refused(result, 1, '16 processes on a host need 88 open files', 'ulimit -n is 60', '--ranks-per-process')
        result = run('bash', '-c', f'ulimit -n 60; exec "{BIN}/mpiexec" --processes -n 9 "{self.hello}"')
        self.assertEqual(self.lines(result), names(9))

    @unittest.skipUnless(run('unshare', '-n', 'true')[0] == 0, 'needs network namespaces')
    def test_no_network_interface_is_up(self):
        self.refused(run('unshare', '-n', BIN / 'mpiexec', '--processes', '-n', 2, self.hello), 2, 'no network interface of', 'ip link set lo up')
        both = run('unshare', '-n', BIN / 'mpiexec', '--launcher', 'fork', '--hosts', 'a,b', self.hello)
        self.refused(both, 2, 'no network interface of', 'ip link set lo up')

    def test_options_that_exclude_each_other(self):
        self.fails(mpiexec('--processes', '--ranks-per-process', 2, '-n', 4, self.hello), 2, '--ranks-per-process')
        self.fails(mpiexec('--processes', '--spawn', '-n', 4, self.hello), 2, '--spawn')


if __name__ == '__main__':
    unittest.main()
