#!/usr/bin/env python3
"""mpiexec --top and --live, and thrum top: what the ranks of a running job do; holding its ranks."""
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import termios
import threading
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from commands import BIN, TREE, CommandTest, mpiexec, run, start

# A token goes round and round until the file exists that the argument names.
RING = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, size, go = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        puts("the ring turns");
        fflush(stdout);
    }
    while (go) {
        if (rank == 0) {
            go = access(argv[1], F_OK) != 0;
            MPI_Send(&go, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        }
        MPI_Recv(rank ? &go : &size, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        if (rank > 0) {
            usleep(size < 100 ? 2000 : 0);
            MPI_Send(&go, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return argc > 2 ? atoi(argv[2]) : 0;
}
'''

# Rank 1 waits for rank 0, which computes until the file exists.
LATE = r'''
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, value = 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        puts("ready");
        fflush(stdout);
        for (volatile long i = 0; access(argv[1], F_OK) != 0; ++i)
            ;
        if (argc > 2)
            raise(SIGSEGV);
        MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    }
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // RECEIVE
    MPI_Barrier(MPI_COMM_WORLD); // BARRIER
    MPI_Finalize();
}
'''
# Polls in a loop, and looks now and then whether it is to stop.
POLLS = r'''
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, found;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        puts("the polls begin");
        fflush(stdout);
    }
    while (access(argv[1], F_OK) != 0)
        for (int i = 0; i < 100000; i++)
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE); // POLL
    MPI_Finalize();
    return 0;
}
'''

# Rank 0 sends three messages that rank 1 receives in another order.
QUEUES = r'''
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, values[100] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (access(argv[1], F_OK) != 0)
        usleep(1000);
    if (argc > 2 && rank == 0) // many that are received late
        for (int i = 0; i < 70; ++i)
            MPI_Send(values, 1, MPI_INT, 1, 50, MPI_COMM_WORLD);
    if (rank == 0)
        for (int tag = 1; tag <= 3; ++tag)
            MPI_Send(values, 10 * tag, MPI_INT, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Request request;
        MPI_Irecv(values, 5, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
        for (int tag = 3; tag >= 1; --tag)
            MPI_Recv(values + 50, 40, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
'''


# Rank 0 spawns two ranks; all compute, with calls, until the file exists. The new ones wait for it.
SPAWN = r'''
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, value = 0;
    MPI_Comm parent, others;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (parent != MPI_COMM_NULL)
        MPI_Recv(&value, 1, MPI_INT, 0, 4, parent, MPI_STATUS_IGNORE);
    else if (rank == 0)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &others, MPI_ERRCODES_IGNORE);
    while (parent == MPI_COMM_NULL && access(argv[1], F_OK) != 0) {
        usleep(1000);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    for (int i = 0; parent == MPI_COMM_NULL && rank == 0 && i < 2; ++i)
        MPI_Send(&value, 1, MPI_INT, i, 4, others);
    MPI_Finalize();
}
'''

# A library whose relocation takes 3 seconds.
SLOW = r'''
#include <sys/syscall.h>
#include <time.h>
static int one(void) { return 1; }
static void *choose(void) {
    struct timespec pause = {3, 0};
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_nanosleep), "D"(&pause), "S"(0) : "rcx", "r11", "memory");
    return one;
}
static int chosen(void) __attribute__((ifunc("choose")));
int (*volatile slow)(void) = chosen;
'''

# Two threads of rank 0 call MPI now and then until the file exists.
THREADS = r'''
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>
static const char *stop;
static void *call(void *unused) {
    for (int rank; access(stop, F_OK) != 0; usleep(1000))
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return unused;
}
int main(int argc, char **argv) {
    int provided;
    stop = argv[1];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_t thread;
    pthread_create(&thread, NULL, call, NULL);
    call(NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
}
'''


def line_of(text, mark):
    return next(number for number, line in enumerate(text.splitlines(), 1) if mark in line)


def wait_until(condition, what, limit_s=20):
    end = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f'not within {limit_s} s: {what}')
        time.sleep(0.02)


class Live:
    """The page of a job that was started with --live."""

    def __init__(self, *arguments, **options):
        self.job = start('--live', 0, *arguments, **options)
        self.said = ''
        while not (found := re.search(r'http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/', self.said)):
            line = self.job.stderr.readline()
            if not line:
                raise AssertionError(f'no address: {self.said}')
            self.said += line
        self.port, self.token = int(found[1]), found[2]
        self.address = found[0]

    def ask(self, path, post=False):
        request = urllib.request.Request(self.address + path, method='POST' if post else 'GET')
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read().decode()

    def state(self):
        return json.loads(self.ask('state'))

    def act(self, path):
        return json.loads(self.ask(path, post=True))['text']

    def fresh(self):
        """The state, at least one look after the last one."""
        time.sleep(0.5)
        return self.state()

    def end(self):
        """Returns exit code, standard output and the rest of standard error."""
        output, errors = self.job.communicate(timeout=30)
        return self.job.returncode, output, errors


class LiveTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ring = cls.compile('ring', RING, '-g', '-O1')
        cls.late = cls.compile('late', LATE, '-g', '-O1')
        cls.polls = cls.compile('polls', POLLS, '-g', '-O1')
        cls.queues = cls.compile('queues', QUEUES, '-g', '-O1')

    def setUp(self):
        self.stop = self.scratch / 'stop'
        self.stop.unlink(missing_ok=True)
        self.jobs = []

    def tearDown(self):
        self.stop.touch()
        for job in self.jobs:
            if job.poll() is None:
                job.terminate()  # held ranks would not see the file
            try:
                job.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                job.kill()
                job.communicate()

    def live(self, *arguments, **options):
        page = Live(*arguments, **options)
        self.jobs.append(page.job)
        return page

    def running(self, *arguments):
        """A job whose program has written its first line."""
        job = start(*arguments)
        self.jobs.append(job)
        self.assertTrue(job.stdout.readline())
        return job

    def settled(self, pid):
        """What thrum top says when all ranks but the one that computes wait."""
        texts = []

        def waits():
            texts.append(self.succeeds(self.top('--once', pid)))
            return 'MPI_Recv at' in texts[-1] and 'MPI_Barrier at' in texts[-1] and 'computing' in texts[-1] and 'before the first' not in texts[-1]
        wait_until(waits, texts)
        return texts[-1]

    def rank_process(self, pid):
        for child in Path(f'/proc/{pid}/task/{pid}/children').read_text().split():
            if 'libmpi_abi' in Path(f'/proc/{child}/maps').read_text():
                return child
        raise AssertionError('no process with ranks')

    def top(self, *arguments, **options):
        return run(BIN / 'thrum', 'top', *arguments, **options)


class Top(LiveTest):
    def test_without_a_terminal_blocks_of_lines_go_to_standard_error(self):
        self.stop.touch()
        code, output, errors = mpiexec('--top', '-n', 4, self.ring, self.stop)
        self.assertEqual((code, output), (0, 'the ring turns\n'), errors)
        self.assertRegex(errors, r'(?m)^ring: 4 ranks, \d+ workers?, .*; the job has ended normally$')
        self.assertRegex(errors, r'(?m)^  4 ended')
        self.assertRegex(errors, r'(?m)^  \d+ calls, 4 messages, 16 B in all$')
        self.assertNotIn('\33', errors)

    def test_mpiexec_needs_no_standard_input(self):
        self.stop.touch()
        for more in (('--top',), ('--live', 0)):
            code, output, errors = run('sh', '-c', 'exec "$@" <&-', 'sh', BIN / 'mpiexec', *more, '-n', 2, self.ring, self.stop)
            self.assertEqual((code, output), (0, 'the ring turns\n'), errors)
            self.assertRegex(errors, 'the live view is at' if '--live' in more else 'the job has ended normally')

    def test_the_end_of_a_job_that_fails_is_told(self):
        self.stop.touch()
        code, _, errors = mpiexec('--top', '-n', 2, self.ring, self.stop, 7)
        self.assertEqual(code, 7)
        self.assertIn('the job has ended with exit code 7', errors)

    def test_an_observed_job_shows_calls_lines_and_who_waits(self):
        job = self.running('--top', '-n', 4, self.late, self.stop)
        for pid in (job.pid, self.rank_process(job.pid)):
            text = self.settled(pid)
            self.assertRegex(text, r'^late: 4 ranks, ')
            self.assertRegex(text, rf'(?m)^ +1 rank: MPI_Recv at late\.c:{line_of(LATE, "// RECEIVE")} in main, waiting for [\d.]+ m?s  \(rank 1\)$')
            self.assertRegex(text, rf'(?m)^ +2 ranks: MPI_Barrier at late\.c:{line_of(LATE, "// BARRIER")} in main, waiting for .* \(ranks 2,3\)$')
            self.assertRegex(text, r'(?m)^ +1 rank: computing for .* \(rank 0\)$')
            self.assertRegex(text, r'(?m)^  rank 1 waits for rank 0, MPI_Recv at')
            self.assertRegex(text, r'(?m)^  ranks 2,3 wait for ranks 0,1, MPI_Barrier at')
            self.assertRegex(text, r'(?m)^Slowest\n  rank 0: computing ')
        self.stop.touch()
        self.assertEqual(job.wait(20), 0)

    def test_a_loop_of_polls_is_shown_as_its_call(self):
        job = self.running('--top', '-n', 2, self.polls, self.stop)
        time.sleep(0.2)  # most polls are no longer timed
        texts = []

        def both_poll():
            texts.append(self.succeeds(self.top('--once', job.pid)))
            return re.search(rf'(?m)^ +2 ranks: MPI_Iprobe at polls\.c:{line_of(POLLS, "// POLL")} in main', texts[-1])
        wait_until(both_poll, texts)
        self.stop.touch()
        self.assertEqual(job.wait(20), 0)

    def test_rates_are_those_of_the_job(self):
        job = self.running('--top', '-n', 2, self.ring, self.stop)
        text = self.succeeds(self.top('--once', job.pid))
        rate = float(re.search(r'([\d.]+) messages/s', text)[1])
        self.assertTrue(50 < rate < 2000, text)  # two messages in 2 ms or more

    def test_a_job_that_is_not_observed_shows_its_calls(self):
        for more in ((), ('--processes',)):
            job = self.running(*more, '-n', 3, self.late, self.stop)
            text = self.settled(job.pid)
            self.assertRegex(text, rf'(?m)^ +1 rank: MPI_Recv at late\.c:{line_of(LATE, "// RECEIVE")} in main.*\(rank 1\)$')
            self.assertRegex(text, rf'(?m)^ +1 rank: MPI_Barrier at late\.c:{line_of(LATE, "// BARRIER")} in main.*\(rank 2\)$')
            self.assertIn('computing  (rank 0)', text)
            self.assertIn('not observed: times, messages and who waits for whom', text)
            self.stop.touch()
            self.assertEqual(job.wait(20), 0)
            self.stop.unlink()

    def test_the_next_program_of_a_script_is_shown(self):
        other = self.compile('other', RING, '-g', '-O1')
        for more in ((), ('--top',)):
            script = self.write('script', f'#!/bin/sh\n{self.ring} {self.stop}\n{other} {self.stop}.2\n', 0o755)
            job = self.running(*more, '-n', 2, script)
            shown = subprocess.Popen([str(BIN / 'thrum'), 'top', '--interval', '0.2', str(job.pid)], stdout=subprocess.PIPE, text=True)

            def until(text):
                for _ in range(200):
                    if text in shown.stdout.readline():
                        return
                self.fail(f'{more}: {text} is not shown')
            until('at ring.c')
            self.stop.touch()
            until('at other.c')
            self.scratch.joinpath('stop.2').touch()
            self.assertIn('the job has ended', shown.communicate(timeout=20)[0])
            self.assertEqual(job.wait(20), 0)
            self.stop.unlink()
            self.scratch.joinpath('stop.2').unlink()

    def test_a_job_that_just_starts_is_no_error(self):
        self.succeeds(run('gcc', '-shared', '-fPIC', self.write('slow.c', SLOW), '-o', self.scratch / 'libslow.so'))
        # libmpi is before the library in the list of objects, which are relocated from the end.
        program = self.compile('starting', RING.replace('int main', 'extern int (*volatile slow)(void);\nint main').replace('go = 1', 'go = slow()'),
                               f'-L{TREE}/lib', '-lmpi_abi', f'-L{self.scratch}', '-lslow', f'-Wl,-rpath,{self.scratch}')
        job = start('-n', 2, program, self.stop)
        self.jobs.append(job)

        def begins():
            with contextlib.suppress(AssertionError, FileNotFoundError):
                return self.rank_process(job.pid)
        wait_until(begins, 'a process')
        self.assertIn('no rank has begun yet', self.succeeds(self.top('--once', job.pid)))

    def test_blocks_follow_each_other_until_the_job_ends(self):
        job = self.running('--top', '-n', 2, self.ring, self.stop)
        shown = subprocess.Popen([str(BIN / 'thrum'), 'top', '--interval', '0.2', str(job.pid)], stdout=subprocess.PIPE, text=True)
        for _ in range(3):
            while not shown.stdout.readline().startswith('ring: 2 ranks'):
                pass
        self.stop.touch()
        rest = shown.communicate(timeout=20)[0]
        self.assertRegex(rest, r'the job has ended normally')
        self.assertEqual(shown.returncode, 0)

    def test_a_crash_while_watched_is_told(self):
        job = self.running('--top', '-n', 2, self.late, self.stop, 'crash')
        shown = subprocess.Popen([str(BIN / 'thrum'), 'top', '--interval', '0.2', str(job.pid)], stdout=subprocess.PIPE, text=True)
        shown.stdout.readline()
        self.stop.touch()
        self.assertRegex(shown.communicate(timeout=20)[0], r'the job has ended, by a crash, a report or a signal: ranks 0,1 had not ended')
        job.wait(20)

    def test_what_is_no_job_is_refused_in_one_line(self):
        for arguments, text in (((2**22 + 5,), 'there is no process 4194309'),
                                ((os.getpid(),), 'is not part of a job of Thrum'),
                                (('--once',), 'the id of a process is missing'),
                                (('x7',), 'x7 is not the id of a process'),
                                ((1, 2), 'one process is expected'),
                                (('--interval', '0', 1), '--interval 0 is not a number of seconds'),
                                (('--colour', 1), 'unknown option --colour')):
            code, output, errors = self.top(*arguments)
            self.assertIn(code, (1, 2))
            self.assertEqual(output, '')
            self.assertIn(text, errors)
            self.assertEqual(len(errors.splitlines()), 1, errors)

    def test_a_process_of_another_user_may_not_be_looked_at(self):
        folder = self.write('empty', '').parent
        user = {} if os.geteuid() else {'user': 65534}
        code, output, errors = self.top(1, cwd=folder, **user)
        if not user and Path('/proc/1').stat().st_uid == os.geteuid():
            self.skipTest('process 1 is ours, too')
        self.assertEqual((code, output), (1, ''))
        self.assertEqual(errors, 'thrum top: process 1 may not be looked at: Permission denied\n')

    def test_hosts_and_many_runs_are_refused(self):
        for arguments in (('--top', '--hosts', 'localhost'), ('--live', 0, '--hosts', 'localhost'), ('--top', '--fuzz', 3), ('--live', 0, '--explore')):
            code, _, errors = mpiexec(*arguments, '-n', 2, self.ring, self.stop)
            self.assertEqual(code, 2)
            self.assertIn('leave', errors)
            self.assertEqual(len(errors.splitlines()), 1, errors)

    def test_a_job_of_processes_is_shown_as_one(self):
        job = self.running('--top', '--processes', '-n', 3, self.late, self.stop)
        text = self.settled(job.pid)
        self.assertRegex(text, r'^late: 3 ranks, 3 processes, ')
        self.assertRegex(text, r'(?m)^  rank 1 waits for rank 0, MPI_Recv at')
        self.stop.touch()
        self.assertEqual(job.wait(20), 0)


def stop_all_threads(pid):
    """Stops a process. On a busy machine a thread goes on until the one that has got the signal runs."""
    os.kill(pid, signal.SIGSTOP)
    states = lambda: {file.read_text().rsplit(')', 1)[1].split()[0] for file in Path(f'/proc/{pid}/task').glob('*/stat')}
    wait_until(lambda: states() == {'T'}, 'all threads are stopped')


class Screen:
    """A command on a terminal of its own."""

    def __init__(self, *command, rows=30, columns=100):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self.theirs = theirs
        self.process = subprocess.Popen([str(word) for word in command], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        self.text = ''

    def read(self, seconds=0.1):
        while select.select([self.ours], [], [], seconds)[0]:
            try:
                self.text += os.read(self.ours, 65536).decode(errors='replace')
            except OSError:
                return self.text
        return self.text

    def until(self, pattern, limit_s=20):
        wait_until(lambda: re.search(pattern, self.read(0.05)), pattern, limit_s)

    def press(self, key):
        self.text = ''
        os.write(self.ours, key.encode())

    def end(self, limit_s=20):
        wait_until(lambda: (self.read(0.05), self.process.poll() is not None)[1], 'end', limit_s)
        self.read()
        after = termios.tcgetattr(self.theirs)
        os.close(self.theirs)
        os.close(self.ours)
        return self.process.returncode, after == self.before


class OnATerminal(LiveTest):
    def test_thrum_top_draws_holds_and_quits(self):
        job = self.running('--top', '-n', 2, self.ring, self.stop)
        screen = Screen(BIN / 'thrum', 'top', job.pid)
        screen.until(r'\x1b\[\?1049h')
        screen.until(r'ring: 2 ranks')
        screen.press('p')
        screen.until(r'[12] held')
        screen.press('s')
        screen.until(r'rank \d: MPI_')
        screen.press('u')
        screen.until(r'Queues|No messages')
        screen.press('g')
        screen.until(r'the ranks go on')
        screen.press('q')
        self.assertEqual(screen.end(), (0, True))
        self.assertTrue(screen.text.rstrip().endswith('\33[?1049l'), screen.text[-100:])
        self.stop.touch()
        self.assertEqual(job.wait(20), 0)

    def test_a_process_that_does_not_answer_does_not_end_the_view(self):
        job = self.running('--top', '-n', 2, self.ring, self.stop)
        process = int(self.rank_process(job.pid))
        screen = Screen(BIN / 'thrum', 'top', job.pid)
        screen.until(r'ring: 2 ranks')
        stop_all_threads(process)
        screen.press('u')
        screen.until(rf'process {process} did not answer')
        os.kill(process, signal.SIGCONT)
        screen.press('u')
        screen.until(r'Queues|No messages')
        screen.press('q')
        self.assertEqual(screen.end(), (0, True))

    def test_quitting_lets_held_ranks_go_on(self):
        job = self.running('--top', '-n', 2, self.ring, self.stop)
        screen = Screen(BIN / 'thrum', 'top', job.pid)
        screen.until(r'ring: 2 ranks')
        screen.press('p')
        screen.until(r'[12] held')
        screen.process.send_signal(signal.SIGINT)
        self.assertEqual(screen.end(), (0, True))
        self.stop.touch()
        self.assertEqual(job.wait(20), 0)

    def test_mpiexec_draws_below_the_output(self):
        screen = Screen(BIN / 'mpiexec', '--top', '-n', 2, self.ring, self.stop)
        screen.until('the ring turns')
        screen.until(r'\x1b\[1;15r')  # 15 of 30 rows scroll
        screen.until(r'\x1b\[16;1H\x1b\[0m\x1b\[2K\x1b\[7mring: 2 ranks')
        self.stop.touch()
        self.assertEqual(screen.end()[0], 0)
        self.assertIn('\33[r', screen.text[-60:])

    def test_ctrl_c_ends_the_job_and_gives_the_terminal_back(self):
        screen = Screen(BIN / 'mpiexec', '--top', '-n', 2, self.ring, self.stop)
        screen.until(r'ring: 2 ranks')
        os.killpg(screen.process.pid, signal.SIGINT)
        self.assertEqual(screen.end()[0], 128 + signal.SIGINT)
        self.assertIn('\33[r', screen.text)

    def test_a_terminal_that_is_too_small_gets_no_picture(self):
        screen = Screen(BIN / 'mpiexec', '--top', '-n', 2, self.ring, self.stop, rows=3, columns=15)
        screen.until('the ring turns')
        time.sleep(0.7)
        self.assertNotIn('ranks', screen.read())
        self.stop.touch()
        self.assertEqual(screen.end()[0], 0)

    def test_a_new_size_is_taken(self):
        screen = Screen(BIN / 'mpiexec', '--top', '-n', 2, self.ring, self.stop)
        screen.until(r'\x1b\[1;15r')
        fcntl.ioctl(screen.theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 20, 60, 0, 0))
        screen.until(r'\x1b\[1;10r')
        self.stop.touch()
        self.assertEqual(screen.end()[0], 0)


class OnThePage(LiveTest):
    def refusal(self, page, path, method='GET'):
        with socket.create_connection(('127.0.0.1', page.port), timeout=10) as connection:
            connection.sendall(f'{method} {path} HTTP/1.1\r\nHost: x\r\n\r\n'.encode())
            return connection.makefile('rb').read().decode().splitlines()[0]

    def test_only_who_has_the_token_gets_an_answer(self):
        page = self.live('-n', 2, self.ring, self.stop)
        self.assertIn('<title>mpiexec --live</title>', page.ask(''))
        wait_until(lambda: page.state()['ranks'] == 2, 'ranks')
        wrong = page.token[:-1] + ('0' if page.token[-1] != '0' else '1')
        for path in ('/', '/state', f'/{wrong}/', f'/{wrong}/state', f'/{page.token}', f'/{page.token}x/state', '//state', f'/x/{page.token}/'):
            self.assertEqual(self.refusal(page, path), 'HTTP/1.1 403 Forbidden', path)
        self.assertEqual(self.refusal(page, '/pause', 'POST'), 'HTTP/1.1 403 Forbidden')
        self.assertEqual(self.refusal(page, f'/{page.token}/nothing'), 'HTTP/1.1 404 Not Found')
        self.assertEqual(self.refusal(page, f'/{page.token}/rank?rank=9'), 'HTTP/1.1 400 Bad Request')
        self.assertEqual(self.refusal(page, f'/{page.token}/state', 'DELETE'), 'HTTP/1.1 405 Method Not Allowed')
        self.stop.touch()
        self.assertEqual(page.end(), (0, 'the ring turns\n', ''))

    def test_it_listens_on_this_machine_only(self):
        page = self.live('-n', 2, self.ring, self.stop)
        listening = [line.split() for line in Path('/proc/net/tcp').read_text().splitlines()[1:]]
        addresses = [fields[1] for fields in listening if fields[3] == '0A' and int(fields[1].split(':')[1], 16) == page.port]
        self.assertEqual(addresses, [f'0100007F:{page.port:04X}'])

    def test_long_requests_and_clients_that_leave_do_no_harm(self):
        page = self.live('-n', 2, self.ring, self.stop)
        with socket.create_connection(('127.0.0.1', page.port), timeout=10) as connection:
            connection.sendall(b'GET /' + b'x' * 8300)
            self.assertIn(b'431', connection.recv(100))
        idle = [socket.create_connection(('127.0.0.1', page.port), timeout=10) for _ in range(100)]  # more than are served
        for connection in idle[:50]:
            connection.sendall(b'GET /')
        wait_until(lambda: page.state()['ranks'] == 2, 'ranks')
        for connection in idle:
            connection.close()
        with socket.create_connection(('127.0.0.1', page.port), timeout=10) as connection:
            connection.sendall(b'\0\1\2 nonsense\r\n\r\n')
            self.assertIn(b'400', connection.recv(100))
        self.assertEqual(page.state()['ranks'], 2)

    def test_a_client_that_sends_without_end_keeps_no_other_waiting(self):
        page = self.live('-n', 2, self.ring, self.stop)
        wait_until(lambda: page.state()['ranks'] == 2, 'ranks')

        def flood():
            with socket.create_connection(('127.0.0.1', page.port), timeout=10) as connection, contextlib.suppress(OSError):
                while True:
                    connection.sendall(b'x' * (1 << 20))
        floods = [threading.Thread(target=flood) for _ in range(2)]
        for thread in floods:
            thread.start()
        for _ in range(5):
            self.assertEqual(page.state()['ranks'], 2)
        self.stop.touch()
        self.assertEqual(page.end()[0], 0)
        for thread in floods:
            thread.join(10)
            self.assertFalse(thread.is_alive())

    def test_a_port_that_cannot_be_used_is_an_error_before_the_start(self):
        with socket.create_server(('127.0.0.1', 0)) as taken:
            port = taken.getsockname()[1]
            code, output, errors = mpiexec('--live', port, '-n', 2, self.ring, self.stop)
        self.assertEqual((code, output), (2, ''))
        self.assertEqual(errors, f'mpiexec: --live {port}: Address already in use; --live 0 takes a free port\n')
        for text in ('70000', '-1', 'x', '1.5', ''):
            code, output, errors = mpiexec('--live', text, '-n', 2, self.ring, self.stop)
            self.assertEqual((code, output), (2, ''), text)
            self.assertEqual(len(errors.splitlines()), 1, errors)

    def test_the_page_gets_to_know_how_the_job_ends(self):
        page = self.live('-n', 2, self.ring, self.stop, 9)
        self.assertEqual(page.fresh()['ended'], '')
        self.stop.touch()
        wait_until(lambda: page.state()['ended'] == 'the job has ended with exit code 9', 'end')
        self.assertEqual(page.end()[0], 9)

    def test_one_rank_is_told_in_detail(self):
        page = self.live('-n', 2, self.late, self.stop)
        wait_until(lambda: page.state()['counts'][3] == 1, 'rank 1 waits')
        rank = json.loads(page.ask('rank?rank=1'))
        self.assertEqual((rank['state'], rank['peer'], rank['tag']), ('waiting', 0, 3))
        self.assertEqual(rank['place'], f'MPI_Recv at late.c:{line_of(LATE, "// RECEIVE")} in main')


    def test_ranks_that_were_spawned_follow_the_first_ones(self):
        spawn = self.compile('spawn', SPAWN, '-g')
        for more in ((), ('--processes',)):
            page = self.live(*more, '-n', 3, spawn, self.stop)
            wait_until(lambda: page.state()['counts'][3] == 2, 'two ranks wait')
            state = page.state()
            self.assertEqual((state['ranks'], state['states'][3:]), (5, 'ww'))
            rank = json.loads(page.ask('rank?rank=4'))
            self.assertEqual((rank['state'], rank['peer'], rank['tag']), ('waiting', 0, 4))
            self.stop.touch()
            self.assertEqual(page.end()[0], 0)
            self.stop.unlink()


class Held(LiveTest):
    def hold(self, page, ranks):
        """All ranks are held, or wait for one that is."""
        page.act('pause')

        def stands():
            counts = page.state()['counts']
            return counts[4] > 0 and counts[4] + counts[3] == ranks
        wait_until(stands, 'held')

    def held_at(self, page, rank):
        """The call at which the rank is held, when it is."""
        seen = []

        def is_held():
            time.sleep(0.45)  # a new look
            seen.append(json.loads(page.ask(f'rank?rank={rank}')))
            return seen[-1]['state'] == 'held'
        wait_until(is_held, seen)
        return seen[-1]['place']

    def test_held_ranks_make_no_call_until_they_go_on(self):
        for more in ((), ('--threads=os',), ('--processes',)):
            page = self.live(*more, '-n', 3, self.ring, self.stop)
            wait_until(lambda: page.state()['calls'] > 20, 'calls')
            self.hold(page, 3)
            first = page.fresh()
            time.sleep(1)
            second = page.fresh()
            self.assertTrue(first['held'] and second['held'])
            for what in ('calls', 'messages', 'counts'):
                self.assertEqual(first[what], second[what])
            self.assertIn('the ranks go on', page.act('go'))
            self.assertGreater(page.fresh()['calls'], second['calls'])
            self.stop.touch()
            code, _, errors = page.end()
            self.assertEqual((code, errors), (0, ''), more)
            self.stop.unlink()

    def test_a_step_is_one_call_of_one_rank(self):
        page = self.live('-n', 3, self.ring, self.stop)
        self.hold(page, 3)
        before = page.fresh()
        said = page.act('step')
        self.assertRegex(said, r'^rank \d: MPI_\w+ at ring\.c:\d+ in main')
        after = page.state()
        # A call that waits has not ended; a send lets a rank end its receive and come to its next call.
        self.assertLessEqual(after['calls'] - before['calls'], 2)
        for _ in range(12):
            page.act('step')
        self.assertGreater(page.state()['calls'], before['calls'])

    def test_a_step_can_be_that_of_a_given_rank(self):
        page = self.live('-n', 2, self.ring, self.stop)
        self.hold(page, 2)
        held = [group for group in page.state()['groups'] if group['state'] == 'held']
        number = held[0]['first']
        self.assertRegex(page.act(f'step?rank={number}'), rf'^rank {number}: MPI_')
        with self.assertRaises(urllib.error.HTTPError):
            page.act('step?rank=2')
        with self.assertRaises(urllib.error.HTTPError):
            page.act('step?rank=x')

    def test_steps_go_on_until_one_message(self):
        page = self.live('-n', 3, self.ring, self.stop)
        self.hold(page, 3)
        for _ in range(6):
            before = page.state()['messages']
            page.act('message')
            self.assertLessEqual(page.state()['messages'] - before, 1)
        first = page.state()['messages']
        for _ in range(8):
            page.act('message')
        self.assertGreater(page.state()['messages'], first)

    def test_queues_are_shown_while_ranks_are_held(self):
        page = self.live('-n', 2, self.queues, self.stop)
        page.act('pause')
        self.stop.touch()
        wait_until(lambda: page.state()['counts'][4] == 2, 'held')
        for rank, call in ((0, 'MPI_Send'), (1, 'MPI_Irecv')):
            while not self.held_at(page, rank).startswith(call):
                page.act(f'step?rank={rank}')
        self.assertEqual(json.loads(page.ask('queues'))['entries'], [])
        for _ in range(3):
            self.held_at(page, 0)
            page.act('step?rank=0')
        page.act('step?rank=1')
        self.held_at(page, 1)
        entries = json.loads(page.ask('queues'))['entries']
        self.assertEqual([(e['rank'], e['posted'], e['source'], e['tag'], e['bytes'], e['comm']) for e in entries],
                         [(1, True, 0, 9, 20, 'MPI_COMM_WORLD')]
                         + [(1, False, 0, tag, 40 * tag, 'MPI_COMM_WORLD') for tag in (1, 2, 3)])
        page.act('step?rank=1')  # receives tag 3
        entries = json.loads(page.ask('queues'))['entries']
        self.assertEqual([e['tag'] for e in entries if not e['posted']], [1, 2])
        page.act('go')
        self.assertEqual(page.end()[0], 0)

    def test_how_many_entries_of_a_long_queue_are_not_listed_is_told(self):
        page = self.live('-n', 2, self.queues, self.stop, 'many')
        page.act('pause')
        self.stop.touch()
        wait_until(lambda: page.state()['counts'][4] == 2, 'held')
        while page.state()['messages'] < 60:
            page.act('step?rank=0')
        queues = json.loads(page.ask('queues'))
        self.assertEqual(len(queues['entries']), 50)
        self.assertEqual(queues['more'], [{'rank': 1, 'posted': 0, 'unexpected': 10}])
        page.act('go')
        self.assertEqual(page.end()[0], 0)

    def test_no_deadlock_is_reported_while_ranks_are_held(self):
        for more in ((), ('--processes',)):
            page = self.live(*more, '-n', 2, self.late, self.stop)
            wait_until(lambda: page.state()['counts'][3] == 1, 'rank 1 waits')
            page.act('pause')
            self.stop.touch()
            wait_until(lambda: page.state()['counts'][4] == 1, 'rank 0 is held')
            time.sleep(3)
            self.assertEqual(page.state()['counts'][3:5], [1, 1])
            page.act('go')
            code, _, errors = page.end()
            self.assertEqual((code, errors), (0, ''))
            self.stop.unlink()

    def test_ctrl_c_and_the_time_limit_end_a_job_that_is_held(self):
        page = self.live('-n', 2, self.ring, self.stop)
        self.hold(page, 2)
        page.job.send_signal(signal.SIGINT)
        self.assertEqual(page.end()[0], 128 + signal.SIGINT)
        page = self.live('--timeout', 3, '-n', 2, self.ring, self.stop)
        self.hold(page, 2)
        self.assertEqual(page.end()[0], 124)

    def test_ranks_go_on_when_the_program_that_holds_them_is_killed(self):
        page = self.live('-n', 2, self.ring, self.stop)
        self.hold(page, 2)
        for child in Path(f'/proc/{page.job.pid}/task/{page.job.pid}/children').read_text().split():
            if Path(f'/proc/{child}/comm').read_text().strip() == 'thrum-view':
                os.kill(int(child), signal.SIGKILL)
        self.stop.touch()
        self.assertEqual(page.end()[0], 0)

    def test_another_program_that_shows_the_job_may_let_the_ranks_go_on(self):
        page = self.live('-n', 2, self.ring, self.stop)
        self.hold(page, 2)
        screen = Screen(BIN / 'thrum', 'top', page.job.pid)
        screen.until('ring: 2 ranks.*HELD')
        screen.press('g')
        screen.until('the ranks go on')
        time.sleep(2)  # the page would renew its hold
        first = page.fresh()
        self.assertFalse(first['held'])
        self.assertGreater(page.fresh()['calls'], first['calls'])
        screen.press('q')
        self.assertEqual(screen.end(), (0, True))

    def test_a_hold_that_cannot_be_asked_for_is_told(self):
        folder = self.scratch / 'observed'
        folder.mkdir()
        page = self.live('-n', 2, self.ring, self.stop, env=os.environ | {'TMPDIR': str(folder)})
        wait_until(lambda: page.state()['ranks'] == 2, 'ranks')
        next(folder.iterdir()).joinpath('hold').mkdir()
        with self.assertRaises(urllib.error.HTTPError) as refused:
            page.act('pause')
        self.assertIn('cannot hold the ranks', refused.exception.read().decode())

    def test_two_threads_of_a_rank_that_were_held_compute_again(self):
        threads = self.compile('threads', THREADS, '-g', '-pthread')
        page = self.live('-n', 1, threads, self.stop)
        wait_until(lambda: page.state()['calls'] > 20, 'calls')
        page.act('pause')
        self.held_at(page, 0)
        time.sleep(0.5)
        page.act('go')
        time.sleep(1)
        self.assertGreater(json.loads(page.ask('rank?rank=0'))['computing'], 0.5)

    def test_steps_need_a_hold(self):
        page = self.live('-n', 2, self.ring, self.stop)
        self.assertEqual(page.act('step'), 'the ranks are not held')
        with self.assertRaises(urllib.error.HTTPError):
            page.ask('queues')


if __name__ == '__main__':
    unittest.main()
