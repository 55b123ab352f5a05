#!/usr/bin/env python3
"""mpiexec --record and --replay: the matching of a run is written to a directory, and repeated in any mode."""
import os
import signal
import tempfile
import time
import unittest
from pathlib import Path

from commands import CommandTest, mpiexec, start

# Rank 0 prints the sources that wildcard receives and probes take, and the indices that waits for several requests
# return. The other ranks send after pauses that differ from run to run.
CHOICES = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
enum { kRounds = 6 };
int rank, size;
static void pause_by_chance(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    usleep((now.tv_nsec / 100 * 2654435761u + rank * 40503u) % 1500);
}
static void receive_each(int round) {
    for (int i = 1; i < size; ++i) {
        int value, flag = 0;
        MPI_Status status;
        MPI_Message message;
        if (round % 3 == 0) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
        } else if (round % 3 == 1) {
            MPI_Probe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, round, MPI_COMM_WORLD, &status);
        } else {
            int misses = 0;
            while (MPI_Improbe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &flag, &message, &status), !flag)
                ++misses;
            MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
            printf("(%d)", misses);
        }
        printf("%d", status.MPI_SOURCE);
    }
}
static void receive_all(int round) {
    MPI_Request requests[100];
    int values[100], indices[100], index, count, misses = 0;
    MPI_Status statuses[100];
    for (int i = 1; i < size; ++i)
        MPI_Irecv(&values[i - 1], 1, MPI_INT, round % 2 ? i : MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &requests[i - 1]);
    if (round % 3 == 0) {
        for (int i = 1; i < size; ++i) {
            MPI_Waitany(size - 1, requests, &index, statuses);
            printf("[%d]%d", index, statuses[0].MPI_SOURCE);
        }
    } else if (round % 3 == 1) {
        for (int left = size - 1; left > 0; left -= count) {
            MPI_Waitsome(size - 1, requests, &count, indices, statuses);
            for (int i = 0; i < count; ++i)
                printf("[%d]%d", indices[i], statuses[i].MPI_SOURCE);
        }
    } else {
        int flag = 0;
        while (MPI_Testall(size - 1, requests, &flag, statuses), !flag)
            ++misses;
        printf("(%d)", misses);
        for (int i = 1; i < size; ++i)
            printf("%d", statuses[i - 1].MPI_SOURCE);
    }
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 2 * kRounds; ++round) {
        if (rank == 0)
            (round < kRounds ? receive_each : receive_all)(round);
        else
            pause_by_chance(), MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("\n");
    MPI_Finalize();
    return 0;
}
'''

# The sources in pairs of messages; then what the first argument asks for: a crash, a sleep, an endless wait, a test in
# place of a receive (only in some runs: the second argument).
ENDS = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, size, value = 0, flag;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *end = argc > 1 ? argv[1] : "";
    for (int i = 1; rank == 0 && i < size; ++i) {
        if (i == 2 && !strcmp(end, "departs"))
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        printf("%d", status.MPI_SOURCE);
    }
    if (rank != 0)
        usleep(rand() % 100 + getpid() * 7919L % 300), MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("\n");
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(end, "crashes") && rank == 1)
        *(volatile int *)8 = 1;
    if (!strcmp(end, "hangs"))
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    if (!strcmp(end, "sleeps"))
        sleep(60);
    if (!strcmp(end, "ends early") && rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_SELF), MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_SELF, &status);
    MPI_Finalize();
    return 0;
}
'''

RACE = r'''
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, value = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
'''

CANCEL = r'''
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, value = 0, cancelled;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 20; ++i) {
        if (rank == 0) {
            MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &request);
            usleep(100);
            MPI_Cancel(&request);
            MPI_Wait(&request, &status);
            MPI_Test_cancelled(&status, &cancelled);
            printf("%d", cancelled);
            if (cancelled)
                MPI_Recv(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &status);
        } else {
            usleep(getpid() * 31 % 200 + 7 * i % 50);
            MPI_Send(&rank, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        printf("\n");
    MPI_Finalize();
    return 0;
}
'''

MODES = {
    'one worker': ('--workers', 1),
    'two workers': ('--workers', 2),
    'OS threads': ('--threads=os',),
    'processes': ('--processes',),
    'pairs of ranks': ('--ranks-per-process', 2),
}


class RecordReplayTest(CommandTest):

    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(dir=self.scratch))

    def record(self, mode, program, *arguments, ranks=4, options=()):
        """Records a run; returns its directory and its output."""
        directory = self.directory / f'record-{len(list(self.directory.glob("record-*")))}'
        output = self.succeeds(mpiexec('-n', ranks, *mode, *options, '--record', directory, program, *arguments))
        return directory, output

    def test_a_record_of_each_mode_is_repeated_in_all_modes(self):
        program = self.compile('choices', CHOICES, '-g')
        for name, mode in MODES.items():
            directory, output = self.record(mode, program)
            for again in MODES.values():
                with self.subTest(recorded=name, replayed=again):
                    self.assertEqual(self.succeeds(mpiexec('-n', 4, *again, '--replay', directory, program)), output)

    def test_a_record_of_a_seeded_run_needs_no_seed(self):
        program = self.compile('choices', CHOICES, '-g')
        outputs = set()
        for seed in range(1, 5):
            directory, output = self.record((), program, options=('--seed', seed))
            outputs.add(output)
            for again in MODES.values():
                self.assertEqual(self.succeeds(mpiexec('-n', 4, *again, '--replay', directory, program)), output)
        self.assertGreater(len(outputs), 1)

    def test_a_race_that_a_seed_shows_is_repeated_each_time_in_threads_and_processes(self):
        program = self.compile('race', RACE, '-g')
        for seed in range(1, 101):
            directory = self.directory / f'seed-{seed}'
            if mpiexec('-n', 3, '--seed', seed, '--record', directory, program)[0] != 0:
                break
        for mode in ('--processes', '--workers=2'):
            for _ in range(10):
                self.fails(mpiexec('-n', 3, mode, '--replay', directory, program), 86, 'rank 0: MPI_Recv from rank 2')

    def test_a_cancelled_receive_is_cancelled_again(self):
        program = self.compile('cancel', CANCEL, '-g')
        directory, output = self.record(('--workers', 2), program, ranks=2)
        for mode in MODES.values():
            self.assertEqual(self.succeeds(mpiexec('-n', 2, *mode, '--replay', directory, program)), output)

    def test_the_record_of_a_run_that_ends_badly_is_complete(self):
        program = self.compile('ends', ENDS, '-g')
        for end, code in (('crashes', 139), ('hangs', 86)):
            for mode in (('--workers', 2), ('--processes',)):
                directory = self.directory / f'{end}{mode[0]}'
                first = mpiexec('-n', 6, *mode, '--record', directory, program, end)
                self.assertEqual(first[0], code)
                for _ in range(3):
                    again = mpiexec('-n', 6, '--workers', 2, '--replay', directory, program, end)
                    self.assertEqual(again[:2], first[:2])

    def test_the_record_of_a_run_that_is_ended_is_followed_to_its_end(self):
        program = self.compile('ends', ENDS, '-g')
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            directory = self.directory / f'signal-{number}'
            job = start('-n', 6, '--record', directory, program, 'sleeps')
            output = job.stdout.readline()
            time.sleep(0.2)
            os.kill(job.pid, number)
            job.communicate()
            self.assertEqual(mpiexec('-n', 6, '--replay', directory, program)[:2], (0, output))
            errors = mpiexec('-n', 6, '--replay', directory, program, 'ends early')[2]
            self.assertIn('rank 0 has come to the end of its record, which was cut off there', errors)

    def test_a_run_that_departs_from_its_record_says_where(self):
        program = self.compile('ends', ENDS, '-g')
        directory, _ = self.record((), program)
        self.fails(mpiexec('-n', 4, '--replay', directory, program, 'departs'), 16,
                   'rank 0', 'MPI_Iprobe', 'ends.c:', 'the run departs from its record',
                   'which has here a receive from MPI_ANY_SOURCE (outcome 2 of the rank)')
        self.fails(mpiexec('-n', 4, '--replay', directory, program, 'ends early'), 16,
                   'rank 0', 'MPI_Recv', 'which has here MPI_Finalize')
        longer, _ = self.record((), program, 'ends early')
        self.fails(mpiexec('-n', 4, '--replay', longer, program), 16,
                   'rank 0', 'MPI_Finalize', 'which has here a receive from MPI_ANY_SOURCE')

    def test_directories_that_cannot_be_used(self):
        program = self.compile('ends', ENDS, '-g')
        directory, _ = self.record((), program)
        self.fails(mpiexec('-n', 4, '--record', directory, program), 2, 'a record needs a new directory', 'not empty')
        self.fails(mpiexec('-n', 4, '--record', program, program), 2, 'this one is a file')
        self.fails(mpiexec('-n', 4, '--record', '/proc/1/none', program), 2, '/proc/1/none', 'No such file')
        self.fails(mpiexec('-n', 4, '--replay', self.directory / 'none', program), 2, 'is not a record')
        self.fails(mpiexec('-n', 4, '--replay', self.directory, program), 2, 'is not a record')
        self.fails(mpiexec('-n', 3, '--replay', directory, program), 2, 'the record of a job of 4 ranks', 'has 3')
        self.fails(mpiexec('-n', 4, '--replay', directory, '--record', directory, program), 2, 'leave out either')
        self.fails(mpiexec('-n', 4, '--fuzz', 2, '--record', self.directory / 'fuzz', program), 2, '--record')
        (directory / 'job').write_text('something else\n')
        self.fails(mpiexec('-n', 4, '--replay', directory, program), 2, 'does not begin like that of a record')


if __name__ == '__main__':
    unittest.main()
