#!/usr/bin/env python3
"""mpiexec --fuzz N: runs a job with N seeds, stops at the first that goes wrong, and finds how few of its choices are enough."""
import os
import re
import shlex
import signal
import time
import unittest
from pathlib import Path

from commands import BIN, CommandTest, lives, mpiexec, run, start

# Behaves by its seed as a program whose schedules a seed decides: MODE EVERY CHOICES. It goes wrong with each seed that
# is a multiple of EVERY and has at least CHOICES choices. The variable is hidden from programs, but the kernel shows it.
STAND_IN = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static const char *schedule(void) {
    static char text[1 << 20];
    FILE *file = fopen("/proc/self/environ", "r");
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    for (char *at = text; at < text + size; at += strlen(at) + 1)
        if (!strncmp(at, "THRUM_SEED=", 11))
            return at + 11;
    fprintf(stderr, "no seed\n");
    exit(99);
}
int main(int argc, char **argv) {
    const char *mode = argv[1];
    long every = argc > 2 ? atol(argv[2]) : 1000000;
    unsigned long long needed = argc > 3 ? strtoull(argv[3], 0, 10) : 1;
    char *end, line[100];
    long seed = strtol(schedule(), &end, 10);
    unsigned long long choices = *end == ':' ? strtoull(end + 1, 0, 10) : ~0ull;
    int wrong = seed % every == 0 && choices >= needed, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; ++i)
        printf("rank %d, line %d\n", (rank + (int)seed) % 3, i);
    if (!strcmp(mode, "read") && rank == 0 && fgets(line, sizeof line, stdin))
        printf("read %s", line);
    if (!strcmp(mode, "clock")) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        printf("time %ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
    }
    if (!strcmp(mode, "slow"))
        usleep(200000);
    /* The next seed goes wrong, too, and earlier. */
    if (!strcmp(mode, "two") && choices >= needed && (wrong || seed == every + 1)) {
        usleep(wrong ? 400000 : 0);
        exit(wrong ? 7 : 8);
    }
    if (wrong && (!strcmp(mode, "code") || !strcmp(mode, "read")))
        exit(7);
    if (wrong && !strcmp(mode, "once")) {
        FILE *file = fopen(argv[4], "wx");
        if (file)
            exit(7);
    }
    if (wrong && !strcmp(mode, "signal"))
        abort();
    if (wrong && !strcmp(mode, "hang"))
        for (;;)
            sleep(1);
    if (wrong && !strcmp(mode, "deadlock"))
        MPI_Recv(&rank, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(mode, "output"))
        printf("sum %d\n", wrong ? 13 : 12);
    if (!strcmp(mode, "warning"))
        fprintf(stderr, "thrum: warning: rank %d: old, at a.c:9\n", (rank + (int)seed) % 3);
    if (wrong && !strcmp(mode, "warning"))
        fprintf(stderr, "thrum: warning: rank %d: new, at a.c:10\n", rank);
    MPI_Finalize();
    return 0;
}
'''

# Messages may come in 24 orders; the program forgets one of them.
RACE = r'''
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, order = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 4; ++i) {
        int value;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        order = 10 * order + value;
    }
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (order == 4213)
        MPI_Abort(MPI_COMM_WORLD, 5);
    MPI_Finalize();
    return 0;
}
'''


def descendants(pid):
    """The processes below `pid`."""
    found = []
    for path in Path(f'/proc/{pid}/task').glob('*/children'):
        try:
            children = [int(word) for word in path.read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
        for child in children:
            found += [child, *descendants(child)]
    return found


class ManySchedules(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile('stand_in', STAND_IN, '-g')

    def fuzz(self, seeds, *arguments, ranks=3, options=(), **more):
        return mpiexec('--fuzz', seeds, *options, '-n', ranks, self.program, *arguments, **more)

    def goes_wrong(self, result, code, schedule, *texts):
        """The result is a seed that goes wrong, and the command repeats it. Returns the command."""
        self.fails(result, code, *texts)
        command = result[2].splitlines()[-1]
        self.assertIn(f' --seed {schedule} ', command)
        return command

    def test_seeds_that_end_well_give_one_line(self):
        code, output, errors = self.fuzz(20, 'well')
        self.assertEqual((code, output), (0, ''), errors)
        self.assertRegex(errors, r'^mpiexec: 20 seeds: all end well, with the same output \(\d+\.\d s\)\n$')

    def test_the_first_seed_that_goes_wrong_is_shrunk_and_repeated(self):
        for mode, code, choices, text in (
                ('code', 7, 23, 'seed 5 of 100: exit code 7; the 4 before it end well'),
                ('signal', 134, 1, 'exit code 134 (SIGABRT)'),
                ('deadlock', 86, 1000, 'exit code 86 (deadlock)'),
                ('output', 1, 2, 'prints "sum 13" instead of "sum 12"'),
                ('warning', 1, 3, 'a new warning, "thrum: warning: rank ')):
            with self.subTest(mode):
                result = self.fuzz(100, mode, 5, choices)
                self.goes_wrong(result, code, f'5:{choices}', 'mpiexec: seed 5 of 100: ', text, 'ends so 3 times of 3')
                self.assertIn('first choice is' if choices == 1 else f'first {choices:,} choices are', result[2])

    def test_the_output_of_the_shrunk_run_is_shown(self):
        _, output, errors = self.fuzz(100, 'output', 5)
        self.assertEqual(output.count('sum 13\n'), 3, errors)
        self.assertNotIn('sum 12', output)
        self.assertIn('thrum: DEADLOCK', self.fuzz(100, 'deadlock', 5)[2])

    def test_the_result_is_the_lowest_seed_even_if_a_higher_one_ends_first(self):
        self.goes_wrong(self.fuzz(100, 'two', 6), 7, '6:1', 'seed 6 of 100')

    def test_the_command_repeats_the_run_with_all_its_words(self):
        words = ('', 'a b', "it's", '$HOME', '--fuzz')
        result = mpiexec('-fuzz=40', '--seed', 10, '-n', 3, '--fuzz-compare', 'exit', self.program, 'code', 17, 2, *words)
        command = self.goes_wrong(result, 7, '17:2', 'seed 17, number 8 of 40')
        self.assertEqual(shlex.split(command), [str(word) for word in (
            BIN / 'mpiexec', '--seed', '17:2', '-n', 3, self.program, 'code', 17, 2, *words)])
        self.assertEqual(run('sh', '-c', command)[0], 7)
        self.assertEqual(run('sh', '-c', command.replace('17:2', '17:1'))[0], 0)

    def test_a_race_between_messages_is_found_and_repeated(self):
        race = self.compile('race', RACE)
        result = mpiexec('--fuzz', 100, '-n', 5, race)
        self.fails(result, 5)
        command = shlex.split(result[2].splitlines()[-1])
        seed, choices = map(int, command[command.index('--seed') + 1].split(':'))
        self.assertEqual([run(*command)[0] for _ in range(20)], [5] * 20, command)
        self.assertEqual(mpiexec('--seed', f'{seed}:{choices - 1}', '-n', 5, race)[0], 0)
        for earlier in range(1, seed):
            self.assertEqual(mpiexec('--seed', earlier, '-n', 5, race)[0], 0)

    def test_several_programs_are_one_job(self):
        result = mpiexec('--fuzz', 9, '-n', 2, self.program, 'well', ':', '-n', 1, self.program, 'code', 4, 6)
        command = self.goes_wrong(result, 7, '4:6')
        self.assertIn(f' : -n 1 {self.program} code 4 6', command)

    def test_a_run_beyond_the_time_limit_goes_wrong(self):
        result = self.fuzz(9, 'hang', 2, options=('--timeout', 1.5))
        self.goes_wrong(result, 124, '2:1', 'exit code 124 (time limit)', 'time limit of 1.5 s reached')

    def test_what_a_seed_does_not_always_do_is_not_shrunk(self):
        result = self.fuzz(9, 'once', 3, 1, self.scratch / 'is_there')
        self.goes_wrong(result, 7, '3', 'seed 3 of 9: exit code 7', 'the same seed does not always end so')

    def test_without_any_seed_the_job_must_end_well(self):
        result = self.fuzz(9, 'code', 1, 0)
        self.goes_wrong(result, 7, '1:0', 'goes wrong without any seed: exit code 7')

    def test_output_with_times_is_refused_unless_only_exit_codes_count(self):
        code, output, errors = self.fuzz(9, 'clock')
        self.assertEqual((code, output), (2, ''), errors)
        self.assertRegex(errors, r'^mpiexec: --fuzz compares .* prints "time .*" instead of "time .*--fuzz-compare exit\n$')
        code, _, errors = self.fuzz(9, 'clock', options=('--fuzz-compare', 'exit'))
        self.assertRegex(errors, r'^mpiexec: 9 seeds: all end well \(\d+\.\d s\)\n$')
        self.assertEqual(self.fuzz(9, 'output', 2, options=('--fuzz-compare=exit',))[0], 0)

    def test_each_run_reads_the_file_that_is_standard_input(self):
        file = self.write('in put', 'first\nsecond\n')
        with open(file, 'rb') as stdin:
            result = self.fuzz(9, 'read', 4, stdin=stdin)
        command = self.goes_wrong(result, 7, '4:1')
        self.assertIn('read first\n', result[1])
        self.assertTrue(command.endswith(f"read 4 < '{file}'"), command)

    def test_a_pipe_is_not_standard_input_of_many_runs(self):
        result = self.fuzz(2, 'read', stdin=None, input='first\n')
        self.assertEqual(result[0], 0, result[2])
        self.assertIn('note: ignored: standard input', result[2])

    def test_mistakes_are_reported_once(self):
        for words, code, text in (
                (('--fuzz', 0, '-n', 2, self.program), 2, '--fuzz 0: expected a whole number of at least 1'),
                (('--fuzz', 'x', '-n', 2, self.program), 2, '--fuzz x: expected a whole number of at least 1'),
                (('--fuzz', 5, '--fuzz-compare', 'x', self.program), 2, 'expected output or exit'),
                (('--fuzz', 5, '--processes', '-n', 2, self.program), 2, '--processes'),
                (('--fuzz', 5, '--hosts', 'a,b', '-n', 2, self.program), 2, '--hosts'),
                (('--fuzz', 5, '--output-dir', self.scratch / 'o', self.program), 2, '--output-dir'),
                (('--fuzz', 5, '--seed', '3:4', self.program), 2, 'the first seed'),
                (('--fuzz', 5, '-n', 2, 'bash', '-c', self.program), 2, 'name the MPI program itself'),
                (('--fuzz', 5, '--unknwn', self.program), 2, 'unknown option'),
                (('--fuzz', 5, '-n', 2), 2, 'no program given'),
                (('--fuzz', 5, '-n', 2, './missing'), 127, './missing: No such file')):
            with self.subTest(text):
                result = mpiexec(*words)
                self.fails(result, code, text)
                self.assertEqual(len(result[2].splitlines()), 1, result[2])
        file = self.write('config', f'--fuzz 3 -n 2 {self.program} well\n')
        self.fails(mpiexec('-configfile', file), 2, 'not in -configfile')

    def ended_by(self, sent):
        """Starts a long job, ends it by a signal. Returns mpiexec, what it says, and after how many seconds all is gone."""
        scratch = self.scratch / 'temporary'
        scratch.mkdir(exist_ok=True)
        job = start('--fuzz', 1000, '-n', 3, self.program, 'slow', env=os.environ | {'TMPDIR': str(scratch)})
        below = []
        while len(below) < 2 and job.poll() is None:  # a run and its job
            time.sleep(0.2)
            below = descendants(job.pid)
        self.assertGreaterEqual(len(below), 2)
        before = time.monotonic()
        job.send_signal(sent)
        _, errors = job.communicate(timeout=30)
        while any(lives(pid) for pid in below) and time.monotonic() < before + 10:
            time.sleep(0.01)
        seconds = time.monotonic() - before
        self.assertEqual([pid for pid in below if lives(pid)], [])
        self.assertEqual(list(scratch.iterdir()), [])
        return job.returncode, errors, seconds

    def test_signals_end_all_runs_at_once(self):
        for sent in signal.SIGINT, signal.SIGTERM:
            code, errors, seconds = self.ended_by(sent)
            self.assertEqual(code, 128 + sent)
            self.assertRegex(errors, r'^mpiexec: interrupted after \d+ of 1,000 seeds(, none of which goes wrong)?\n$')
            self.assertLess(seconds, 2)
        self.ended_by(signal.SIGKILL)

    def test_a_terminal_shows_the_progress(self):
        text = self.shown_on_a_terminal(BIN / 'mpiexec', '--fuzz', '12', '-n', '3', self.program, 'slow')
        self.assertRegex(text, rb'mpiexec: \d+ of 12 seeds, all well; \d+ a second, \d+ s left')
        self.assertRegex(text, rb'\r\x1b\[Kmpiexec: 12 seeds: all end well, with the same output \(.* s\)\r\n$')


if __name__ == '__main__':
    unittest.main()
