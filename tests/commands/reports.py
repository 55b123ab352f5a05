#!/usr/bin/env python3
"""mpiexec --report: the page has what the ranks did, and equals what the programs here are known to do."""
import json
import os
import re
import signal
import sys
import tempfile
import unittest
from pathlib import Path

import small_mpi4py
from commands import BIN, CommandTest, mpiexec, run, start

# Messages of known numbers and sizes: rank r sends r + 1 messages of 8 r bytes to each higher rank, and all meet.
MESSAGES = r'''
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, size;
    static double data[1000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int from = 0; from < rank; ++from)
        for (int i = 0; i <= from; ++i)
            MPI_Recv(data, 1000, MPI_DOUBLE, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int to = rank + 1; to < size; ++to)
        for (int i = 0; i <= rank; ++i)
            MPI_Send(data, rank, MPI_DOUBLE, to, i, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
'''

# Waits of known causes: rank 1 is late with a message, a receive and a collective operation. It sleeps, so that rank 0
# comes first whatever the workers do.
WAITS = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void be_late(int is_late) {
    if (is_late)
        usleep(100000);
}
static char large[1 << 20];
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    be_late(rank == 1);
    if (rank == 0)
        MPI_Recv(large, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // LATE_SENDER
    if (rank == 1)
        MPI_Send(large, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD); // SENDER
    MPI_Barrier(MPI_COMM_WORLD);
    be_late(rank == 1);
    if (rank == 0)
        MPI_Send(large, sizeof large, MPI_CHAR, 1, 0, MPI_COMM_WORLD); // LATE_RECEIVER
    if (rank == 1)
        MPI_Recv(large, sizeof large, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // RECEIVER
    MPI_Barrier(MPI_COMM_WORLD);
    be_late(rank == 1);
    MPI_Allreduce(MPI_IN_PLACE, large, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // COLLECTIVE
    MPI_Finalize();
}
'''

# Ends as its argument says while others wait, and after each has ended its tenth barrier.
ENDS = r'''
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, size, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 10; ++i)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 1; i < size; ++i)
            MPI_Recv(&other, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        puts("ready");
        fflush(stdout);
        if (argv[1][0] == 'c')
            raise(SIGSEGV);
        if (argv[1][0] == 'a')
            MPI_Abort(MPI_COMM_WORLD, 7);
        if (argv[1][0] == 's')
            sleep(100);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&rank, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
'''

# Each rank writes 3 times 1,000 bytes and reads as much of one file, and rank 0 writes 500 bytes to another one.
FILES = r'''
#include <mpi.h>
int main(int argc, char **argv) {
    int rank;
    static char data[1000];
    MPI_File file;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 3000 * rank, data, 1000, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, 3000 * rank + 1000, data, 1000, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, 3000 * rank + 2000, data, 1000, MPI_CHAR, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3; ++i)
        MPI_File_read_at(file, 3000 * rank + 1000 * i, data, 1000, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    if (rank == 0)
        MPI_File_write(file, data, 500, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
}
'''

# Rank r has (r + 1) MiB at one time.
MEMORY = r'''
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *volatile data = (char *)malloc(1 << 18);
    data = (char *)realloc(data, (rank + 1) << 20);
    memset(data, 1, (rank + 1) << 20);
    MPI_Barrier(MPI_COMM_WORLD);
    free(data);
    for (int i = 0; i < 100; ++i) {
        data = (char *)calloc(1, 1 << 19);
        free(data);
    }
    MPI_Finalize();
}
'''

MEMORY_OF_NEW = r'''
#include <mpi.h>
#include <numeric>
#include <vector>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int sum = 0;
    for (int i = 0; i < 10; ++i) {
        std::vector<char> data((rank + 1) << 20, char(i));
        sum += std::accumulate(data.begin(), data.end(), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == 0;
}
'''

# A rank that spawns two others, which send it 10 messages each.
SPAWN = r'''
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Comm parent, children;
    int number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
        for (int i = 0; i < 20; ++i)
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, children, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&children);
    } else {
        for (int i = 0; i < 10; ++i)
            MPI_Send(&number, 1, MPI_INT, 0, 0, parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
}
'''

# Rank 0 waits for a non-blocking collective operation to which rank 1 comes late.
NONBLOCKING = r'''
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        usleep(100000);
    MPI_Ibarrier(MPI_COMM_WORLD, &request); // LATE
    MPI_Wait(&request, MPI_STATUS_IGNORE); // WAIT
    MPI_Finalize();
}
'''

SCRIPT = '''from mpi4py import MPI
for i in range(3):
    MPI.barrier()
'''


def line_of(text, mark):
    return next(number for number, line in enumerate(text.splitlines(), 1) if mark in line)


def own_machines(test):
    """Returns a launcher whose agents have a temporary directory and a boot id of their own, as on other machines, and that directory."""
    if os.geteuid():
        test.skipTest('needs root to give each agent a file system of its own')
    temporary = Path(tempfile.mkdtemp(dir=test.scratch))
    boot = '/proc/sys/kernel/random'
    inside = test.write('inside', f'#!/bin/sh\nmount -t tmpfs tmpfs {temporary} && cat {boot}/uuid >{temporary}/boot && '
                        f'mount --bind {temporary}/boot {boot}/boot_id && exec sh -c "$1"\n', 0o755)
    return test.write('reach', f'#!/bin/sh\nexec unshare -m {inside} "$2"\n', 0o755), temporary


def data_of(page):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.S)
    return json.loads(found[1])


class Data:
    """What a page has."""

    def __init__(self, page):
        self.all = data_of(page)
        self.run = self.all['run']

    def place(self, site):
        if site < 0:
            return 'unknown'
        s = self.all['sites'][site]
        return f'{self.all["functions"][s["function"]]} {Path(s["file"]).name}:{s["line"]} {s["in"]}'

    def calls(self, function):
        """Calls of a function, by line."""
        result = {}
        for row in self.all['calls']:
            site = self.all['sites'][row['site']]
            if self.all['functions'][site['function']] == function:
                result[site['line']] = row
        return result


class ReportTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.messages = cls.compile('messages', MESSAGES, '-g')
        cls.waits = cls.compile('waits', WAITS, '-g')
        cls.ends = cls.compile('ends', ENDS, '-g')

    def setUp(self):
        self.page = Path(tempfile.mkdtemp(dir=self.scratch)) / 'page.html'

    def report(self, *arguments, code=0):
        actual, output, errors = mpiexec('--report', self.page, *arguments)
        self.assertEqual(actual, code, output + errors)
        self.assertIn(f'mpiexec: the report is in {self.page}', errors)
        return Data(self.page)


class Figures(ReportTest):
    def check_messages(self, data, ranks):
        expected = {(a, b): [a + 1, (a + 1) * 8 * a] for a in range(ranks) for b in range(a + 1, ranks)}
        self.assertEqual(data.all['matrix']['block'], 1)
        self.assertEqual({(a, b): [n, size] for a, b, n, size in data.all['matrix']['entries']}, expected)
        for name, i in ('messages', 0), ('bytes', 1):
            self.assertEqual(data.all['ranks'][name], [sum(expected[a, b][i] for b in range(a + 1, ranks))
                                                       for a in range(ranks)])
        messages = sum(n for n, _ in expected.values())
        size_sum = sum(size for _, size in expected.values())
        self.assertEqual(sum(n for _, n, _ in data.all['sizes']), messages)
        for exponent, n, size in data.all['sizes']:
            least = 0 if exponent < 0 else 1 << exponent
            self.assertLessEqual(n * least, size)
            self.assertLessEqual(size, n * (0 if exponent < 0 else 2 * least - 1))
        send, = data.calls('MPI_Send').values()
        receive, = data.calls('MPI_Recv').values()
        self.assertEqual([send['calls'], send['bytes'], send['ranks']], [messages, size_sum, ranks - 1])
        self.assertEqual([receive['calls'], receive['bytes'], receive['ranks']], [messages, 0, ranks - 1])
        self.assertEqual(list(data.calls('MPI_Send')), [line_of(MESSAGES, 'MPI_Send')])
        barrier, = data.calls('MPI_Barrier').values()
        self.assertEqual([barrier['calls'], barrier['ranks']], [ranks, ranks])

    def test_counts_are_those_of_the_program(self):
        for options in [], ['--workers', '1'], ['--threads=os'], ['--processes'], ['--ranks-per-process', '3']:
            with self.subTest(options=options):
                data = self.report('-n', 8, *options, self.messages)
                self.check_messages(data, 8)
                self.assertEqual([data.run['ranks'], data.run['ended'], data.run['complete']], [8, 'normally', True])
                self.assertIn('--report', data.run['command'])
                for key in 'seconds', 'mpi', 'wait', 'ready':
                    self.assertEqual(len(data.all['ranks'][key]), 8)
                for seconds, mpi, wait, ready in zip(*(data.all['ranks'][k] for k in ('seconds', 'mpi', 'wait', 'ready'))):
                    self.assertLessEqual(0, ready)
                    self.assertLessEqual(ready, wait)
                    self.assertLessEqual(wait, mpi)
                    self.assertLessEqual(mpi, seconds)
                    self.assertLessEqual(seconds, data.run['seconds'] * 1.001)

    def test_a_thousand_ranks(self):
        data = self.report('-n', 1000, self.compile('ring', r'''
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, size, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; ++i)
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &other, 1, MPI_INT, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
''', '-g'))
        self.assertEqual(sorted(map(tuple, data.all['matrix']['entries'])),
                         sorted((r, (r + 1) % 1000, 3, 12) for r in range(1000)))
        sendrecv, = data.calls('MPI_Sendrecv').values()
        self.assertEqual([sendrecv['calls'], sendrecv['ranks']], [3000, 1000])

    def test_several_hosts(self):
        self.check_messages(self.report('-n', 8, '--launcher', 'fork', '--hosts', 'a:4,b:4', self.messages), 8)

    def test_hosts_with_file_systems_of_their_own(self):
        reach, temporary = own_machines(self)
        arguments = '-n', 8, '--launcher-exec', reach, '--hosts', 'a:4,b:4', '--ranks-per-process', 2, self.messages
        self.succeeds(mpiexec('--report', self.page, *arguments, env={**os.environ, 'TMPDIR': str(temporary)}))
        data = Data(self.page)
        self.check_messages(data, 8)
        self.assertEqual([data.run['processes'], data.run['complete']], [4, True])
        self.assertEqual(os.listdir(temporary), [])

    def test_files(self):
        program = self.compile('files', FILES, '-g')
        for options in [], ['--ranks-per-process', '2']:
            with self.subTest(options=options):
                names = [str(self.page.with_name(name)) for name in ('first.data', 'second.data')]
                data = self.report('-n', 4, *options, program, *names)
                rows = {row['name']: row for row in data.all['files']}
                self.assertEqual({name: [row[key] for key in ('writes', 'reads', 'bytes_written', 'bytes_read', 'ranks')]
                                  for name, row in rows.items()},
                                 {names[0]: [12, 12, 12000, 12000, 4], names[1]: [1, 0, 500, 0, 4]})
                opened = sum(row['seconds'] for row in data.calls('MPI_File_open').values())
                self.assertGreater(sum(row['seconds'] for row in rows.values()), opened)
                self.assertLess(sum(row['seconds'] for row in rows.values()), sum(data.all['ranks']['mpi']))

    def test_memory_of_each_rank(self):
        variants = {'clones': self.compile('memory', MEMORY, '-g'),
                    'privatized': self.compile('memory_privatized', MEMORY, '-g', '--privatize')}
        for name, program in variants.items():
            for options in [], ['--threads=os'], ['--ranks-per-process', '2']:
                with self.subTest(program=name, options=options):
                    data = self.report('-n', 4, *options, program)
                    for rank, memory in enumerate(data.all['ranks']['memory']):
                        self.assertGreaterEqual(memory, rank + 1 << 20)
                        self.assertLess(memory, (rank + 1 << 20) + (1 << 19))
                    self.assertGreater(data.run['memory'], 10 << 20)

    def test_memory_of_new(self):
        program = self.compile('memory_of_new', MEMORY_OF_NEW, '-g', compiler='mpicxx')
        privatized = self.compile('memory_of_new_privatized', MEMORY_OF_NEW, '-g', '--privatize', compiler='mpicxx')
        for file in program, privatized:
            memory = self.report('-n', 3, file).all['ranks']['memory']
            for rank in range(3):
                self.assertGreaterEqual(memory[rank], rank + 1 << 20)
                self.assertLess(memory[rank], (rank + 1 << 20) + (1 << 19))

    def test_a_rank_that_is_a_process_has_its_memory(self):
        data = self.report('-n', 2, '--processes', self.compile('memory_of_processes', MEMORY))
        self.assertEqual(sum(data.all['ranks']['memory']), data.run['memory'])
        self.assertGreater(min(data.all['ranks']['memory']), 1 << 20)

    def test_ranks_that_were_spawned(self):
        program = self.compile('spawn', SPAWN, '-g')
        for options in [], ['--processes']:
            with self.subTest(options=options):
                data = self.report('-n', 1, *options, program)
                self.assertEqual([data.run['ranks'], data.run['added_ranks'], data.run['complete']], [3, 2, True])
                self.assertEqual(sorted(map(tuple, data.all['matrix']['entries'])), [(1, 0, 10, 40), (2, 0, 10, 40)])
                send, = data.calls('MPI_Send').values()
                self.assertEqual([send['calls'], send['ranks']], [20, 2])

    def test_lines_of_python(self):
        small_mpi4py.make(self)
        data = self.report('-n', 2, '--processes', sys.executable, self.write('script.py', SCRIPT))
        self.assertEqual({line: row['calls'] for line, row in data.calls('MPI_Barrier').items()}, {3: 6})


class Waits(ReportTest):
    def check_waits(self, data, kinds):
        lines = {mark: line_of(WAITS, mark) for mark in
                 ('LATE_SENDER', '// SENDER', 'LATE_RECEIVER', '// RECEIVER', 'COLLECTIVE')}
        place = lambda function, mark: f'{function} waits.c:{lines[mark]} main'
        expected = {'late sender': (place('MPI_Recv', 'LATE_SENDER'), place('MPI_Send', '// SENDER')),
                    'late receiver': (place('MPI_Send', 'LATE_RECEIVER'), place('MPI_Recv', '// RECEIVER')),
                    'collective': (place('MPI_Allreduce', 'COLLECTIVE'), place('MPI_Allreduce', 'COLLECTIVE'))}
        for kind in kinds:
            row = next(r for r in data.all['waits'] if (data.place(r['site']), data.place(r['cause'])) == expected[kind])
            self.assertEqual([row['kind'], row['count'], row['ranks'], row['cause_rank']], [kind, 1, 1, 1])
            self.assertGreater(row['seconds'], 0.08)
            self.assertLess(row['seconds'], 10)

    def test_the_rank_and_the_line_that_others_wait_for_are_named(self):
        for options in ['--workers', '1'], ['--workers', '2'], ['--threads=os']:
            with self.subTest(options=options):
                data = self.report('-n', 2, *options, self.waits)
                self.check_waits(data, ['late sender', 'late receiver', 'collective'])
        data = self.report('-n', 2, '--processes', self.waits)
        for kind, mark in ('late sender', 'LATE_SENDER'), ('late receiver', 'LATE_RECEIVER'):
            row = next(r for r in data.all['waits'] if (r['kind'], r['cause']) == (kind, -1) and
                       data.place(r['site']).split()[1] == f'waits.c:{line_of(WAITS, mark)}')
            self.assertEqual([row['count'], row['ranks'], row['cause_rank']], [1, 1, 1])
            self.assertGreater(row['seconds'], 0.08)

    def test_who_comes_late_to_a_nonblocking_collective_operation(self):
        data = self.report('-n', 2, '--workers', '2', self.compile('nonblocking', NONBLOCKING, '-g'))
        row = next(r for r in data.all['waits'] if data.place(r['site']).startswith('MPI_Wait '))
        self.assertEqual([row['kind'], data.place(row['cause']), row['cause_rank'], row['count']],
                         ['collective', f'MPI_Ibarrier nonblocking.c:{line_of(NONBLOCKING, "LATE")} main', 1, 1])
        self.assertGreater(row['seconds'], 0.08)

    def test_who_comes_last(self):
        data = self.report('-n', 2, '--workers', '2', self.waits)
        collective = next(c for c in data.all['collectives'] if 'MPI_Allreduce' in data.place(c['site']))
        self.assertEqual([collective['members'], collective['calls']], [2, 1])
        self.assertEqual([last[:2] for last in collective['last']], [[1, 1]])
        self.assertGreater(collective['spread'], 0.08)

    def test_the_critical_path_is_the_late_ranks(self):
        data = self.report('-n', 2, '--workers', '2', self.waits)
        path = data.all['path']
        computing = sum(p['seconds'] for p in path if p['rank'] == 1 and p['site'] == -1)
        self.assertGreater(computing, 0.25)
        self.assertAlmostEqual(sum(p['seconds'] for p in path), data.run['seconds'], delta=0.05)


class Ends(ReportTest):
    def test_a_job_that_fails_has_a_page(self):
        for how, code, ended in ('crash', 139, 'with exit code 139 (SIGSEGV)'), ('abort', 7, 'with exit code 7'), \
                ('deadlock', 86, 'with exit code 86'):
            for options in [], ['--processes']:
                with self.subTest(how=how, options=options):
                    data = self.report('-n', 4, *options, self.ends, how, code=code)
                    self.assertEqual(data.run['ended'], ended)
                    self.assertEqual(data.run['complete'], False)
                    first = data.calls('MPI_Barrier')[line_of(ENDS, 'MPI_Barrier')]
                    self.assertEqual(first['calls'], 40)
                    if how == 'deadlock':
                        self.assertTrue(any('MPI_Recv' in f for f in data.all['findings']), data.all['findings'])

    def test_a_killed_job_has_a_page(self):
        for signum in signal.SIGINT, signal.SIGTERM:
            with self.subTest(signal=signum):
                job = start('--report', self.page, '-n', 4, self.ends, 'sleep')
                self.assertEqual(job.stdout.readline(), 'ready\n')
                job.send_signal(signum)
                job.communicate(timeout=60)
                data = Data(self.page)
                self.assertEqual(data.run['ended'], f'with exit code {128 + signum} ({signum.name})')
                self.assertFalse(data.run['complete'])
                self.assertEqual(data.calls('MPI_Barrier')[line_of(ENDS, 'MPI_Barrier')]['calls'], 40)

    def test_the_jobs_exit_code_stays(self):
        self.assertEqual(self.report('-n', 2, self.messages, 3, code=3).run['ended'], 'with exit code 3')

    def test_nothing_is_left_behind(self):
        with tempfile.TemporaryDirectory() as temporary:
            for arguments in (self.messages,), (self.messages, 3):
                mpiexec('--report', self.page, '-n', 2, *arguments, env={**os.environ, 'TMPDIR': temporary})
                self.assertEqual(os.listdir(temporary), [])


class BadInput(ReportTest):
    def small_disk(self, size):
        """A file system of `size` bytes, as an environment; root only."""
        folder = Path(tempfile.mkdtemp(dir=self.scratch))
        if run('mount', '-t', 'tmpfs', '-o', f'size={size}', 'tmpfs', folder)[0]:
            self.skipTest('needs root to mount a small file system')
        self.addCleanup(run, 'umount', folder)
        return {**os.environ, 'TMPDIR': str(folder)}

    def test_the_disk_is_full_while_the_job_runs(self):
        code, output, errors = mpiexec('--report', self.page, '-n', 64, self.messages, env=self.small_disk('512k'))
        self.assertEqual(code, 0, output + errors)
        data = Data(self.page)
        self.assertFalse(data.run['complete'])
        self.assertGreater(data.run['lost'], 0)

    def test_the_disk_is_full_before_it_begins(self):
        self.fails(mpiexec('--report', self.page, '-n', 2, self.messages, env=self.small_disk('16k')), 2,
                   'in which the ranks are observed: No space left on device')

    def test_the_page_cannot_be_written(self):
        self.fails(mpiexec('--report', '/nonexistent/page.html', '-n', 2, self.messages), 2,
                   '--report /nonexistent/page.html: No such file or directory')
        self.fails(mpiexec('--report', self.scratch, '-n', 2, self.messages), 2, 'Is a directory')

    def test_a_program_without_mpi(self):
        data = self.report('-n', 2, '/bin/true')
        self.assertEqual([data.run['ranks'], data.all['calls']], [2, []])

    def test_what_it_cannot_be_used_with(self):
        self.fails(mpiexec('--report', self.page, '--fuzz', 3, '-n', 2, self.messages), 2, 'leave out one of the two')


class Comparison(ReportTest):
    def test_two_pages_become_one(self):
        self.report('-n', 4, self.messages)
        other = self.page.with_name('other.html')
        self.succeeds(mpiexec('--report', other, '-n', 8, self.messages))
        both = self.page.with_name('both.html')
        self.succeeds(run(BIN / 'thrum', 'report', '-o', both, self.page, other))
        self.assertEqual([r['run']['ranks'] for r in data_of(both)['compare']], [4, 8])
        self.fails(run(BIN / 'thrum', 'report', '-o', both, self.page, both), 1, f'{both} is not a page of mpiexec --report')

    def test_what_is_no_page(self):
        text = self.write('text.html', '<html></html>')
        self.fails(run(BIN / 'thrum', 'report', text, text), 1, 'is not a page of mpiexec --report')
        self.report('-n', 2, self.messages)
        truncated = self.write('truncated.html', self.page.read_text().split('"ranks"')[0])
        self.fails(run(BIN / 'thrum', 'report', self.page, truncated), 1, f'{truncated} is not a page of mpiexec --report')
        self.fails(run(BIN / 'thrum', 'report', text), 2, 'two pages')
        self.fails(run(BIN / 'thrum', 'report', '/nonexistent', '/nonexistent'), 1, '/nonexistent: No such file')
        self.succeeds(run(BIN / 'thrum', 'report', '--help'))


if __name__ == '__main__':
    unittest.main()
