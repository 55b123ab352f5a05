#!/usr/bin/env python3
"""thrum demo: each lesson runs, and its page shows what the lesson says."""
import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from commands import BIN, CommandTest, SLEEPER, TREE, run
from reports import data_of, line_of

LESSONS = {'ring': 8, 'deadlock': 4, 'halo': 16, 'trees': 8, 'imbalance': 8}
SOURCES = Path(__file__).resolve().parents[2] / 'examples' / 'lessons'


def source_of(name):
    return (SOURCES / f'{name}.c').read_text()


def on_a_busy_machine(test):
    """Repeats a test that compares times: other processes may stop a rank for longer than the milliseconds of a lesson."""
    @functools.wraps(test)
    def repeated(self):
        for _ in range(5):
            try:
                return test(self)
            except AssertionError as error:
                failure = error
        raise failure
    return repeated


class LessonTest(CommandTest):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=self.scratch))

    def demo(self, *arguments, code=0, folder=None, **environment):
        """Runs thrum demo; returns its standard output and error."""
        without_display = {name: value for name, value in os.environ.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY')}
        actual, output, errors = run(BIN / 'thrum', 'demo', *arguments, cwd=folder or self.folder, env=without_display | environment)
        self.assertEqual(actual, code, output + errors)
        return output, errors

    def data(self, name):
        return data_of(self.folder / f'{name}.html')

    def refused(self, message, *arguments, code, **more):
        output, errors = self.demo(*arguments, code=code, **more)
        self.assertEqual(errors, f'thrum demo: {message}\n')
        self.assertEqual(output, '')


class Lessons(LessonTest):
    def lesson(self, name, *arguments):
        output, errors = self.demo(name, *arguments)
        self.assertIn(f'mpiexec: the report is in {name}.html', errors)
        self.assertIn(f'Open the page in a browser: {name}.html', output)
        self.assertIn('Look at:\n  - ', output)
        for file in f'{name}.c', name, f'{name}.html', f'{name}.json':
            self.assertTrue((self.folder / file).is_file(), file)
        return output, errors, self.data(name)

    def waits(self, data, kind):
        return sum(wait['seconds'] for wait in data['waits'] if wait['kind'] == kind)

    def call_at(self, data, name, mark):
        """Returns the call in the line of the lesson that has `mark`."""
        line = line_of(source_of(name), mark)
        return next(call for call in data['calls'] if data['sites'][call['site']]['line'] == line)

    @on_a_busy_machine
    def test_ring(self):
        output, _, data = self.lesson('ring')
        self.assertIn('The token has made 24 visits to 8 ranks.', output)
        self.assertEqual({(a, b): n for a, b, n, _ in data['matrix']['entries']}, {(r, (r + 1) % 8): 3 for r in range(8)})
        ranks = data['ranks']
        self.assertGreater(sum(ranks['wait']), 0.7 * sum(ranks['seconds']), 'all but one wait at any moment')
        self.assertGreater(self.waits(data, 'late sender'), 0.7 * sum(ranks['wait']))
        self.assertGreater(data['run']['seconds'], 3 * 8 * 0.002, 'the work of all ranks, one after the other')

    def test_deadlock(self):
        output, errors, data = self.lesson('deadlock')
        self.assertIn('All ranks have exchanged 100 bytes.', output)
        self.assertNotIn('1000000 bytes.', output)
        self.assertIn('This deadlock is the lesson', output)
        self.assertIn('thrum: DEADLOCK: all 4 ranks are blocked', errors)
        self.assertIn(f'at deadlock.c:{line_of(source_of("deadlock"), "MPI_Send(mine")} in exchange', errors)
        self.assertIn('in a cycle: 0 -> 1 -> 2 -> 3 -> 0', errors)
        self.assertFalse(data['run']['complete'])
        self.assertIn('DEADLOCK', ''.join(data['findings']))
        self.assertEqual(self.call_at(data, 'deadlock', 'MPI_Send(mine')['calls'], 4, 'those that ended')

    @on_a_busy_machine
    def test_halo(self):
        output, _, data = self.lesson('halo')
        self.assertIn('After 20 steps the heat of all ranks is 1000.', output)
        pairs = {(a, b): n for a, b, n, _ in data['matrix']['entries']}
        self.assertEqual(pairs, {(r, r + d): 20 for r in range(16) for d in (-1, 1) if 0 <= r + d < 16})
        computing = [s - m for s, m in zip(data['ranks']['seconds'], data['ranks']['mpi'])]
        self.assertEqual(max(range(16), key=computing.__getitem__), 8, 'the rank with the delay')

    @on_a_busy_machine
    def test_trees(self):
        output, _, data = self.lesson('trees')
        times = dict(re.findall(r'(?m)^(line|binomial tree|MPI_Bcast) +([\d.]+) s$', output))
        line, tree, bcast = (float(times[name]) for name in ('line', 'binomial tree', 'MPI_Bcast'))
        self.assertGreater(line, 7e-3)
        self.assertGreater(tree, 3e-3)
        self.assertLess(tree, line)
        self.assertLess(bcast, line)
        expected = {(0, r): 1 for r in range(1, 8)}
        for have in 1, 2, 4:
            for r in range(have):
                expected[r, r + have] = expected.get((r, r + have), 0) + 1
        self.assertEqual({(a, b): n for a, b, n, _ in data['matrix']['entries']}, expected)

    @on_a_busy_machine
    def test_imbalance(self):
        output, _, data = self.lesson('imbalance')
        cells = 63 * 64 // 2
        blocks, turn = (float(re.search(rf'(?m)^{cells} cells in {how}: +([\d.]+) s$', output)[1]) for how in ('blocks', 'turn'))
        self.assertGreater(blocks, turn)
        lines = [n for n, text in enumerate(source_of('imbalance').splitlines(), 1) if 'MPI_Allreduce(' in text]
        first, second = ({data['sites'][c['site']]['line']: c for c in data['calls']}[line] for line in lines)
        self.assertGreater(first['wait'], 2 * second['wait'])
        last = {data['sites'][c['site']]['line']: c['last'] for c in data['collectives']}[lines[0]]
        self.assertEqual(max(last, key=lambda row: row[1])[0], 7)

    def test_each_runs_with_other_numbers_of_ranks(self):
        for name in LESSONS:
            for ranks in 1, 2, 3, 64:
                with self.subTest(name, ranks=ranks):
                    _, _, data = self.lesson(name, '-n', ranks)
                    self.assertEqual(data['run']['ranks'], ranks)

    def test_programs_compile_without_a_warning(self):
        for name in LESSONS:
            code, output, errors = run(BIN / 'mpicc', '-Wall', '-Wextra', '-Werror', '-Wno-unused-parameter', '-c', SOURCES / f'{name}.c', '-o', self.folder / 'x.o')
            self.assertEqual(code, 0, output + errors)

    def test_programs_compile_with_an_mpi_without_regions(self):
        shutil.copytree(TREE / 'include', self.folder, dirs_exist_ok=True)
        (self.folder / 'thrum' / 'annotate.h').unlink()
        compiler = self.succeeds(run(BIN / 'mpicc', '-show')).split()[0]
        for name in LESSONS:
            self.succeeds(run(compiler, '-Wall', '-Wextra', '-Werror', '-Wno-unused-parameter', '-I', self.folder, '-fsyntax-only', SOURCES / f'{name}.c'))


class Timelines(LessonTest):
    """The timeline of each page shows what its lesson says."""

    def timeline(self, name):
        self.demo(name)
        data = self.data(name)
        timeline = data['timeline']
        self.assertNotIn('left_out', timeline)
        self.assertEqual(timeline['ranks'], LESSONS[name])

        def place(site):
            return data['functions'][data['sites'][site]['function']], data['sites'][site]['line']

        calls = [(rank, begin, end, *place(site), wait, group) for rank, begin, end, site, wait, group in timeline['calls']]
        return calls, sorted(timeline['messages'], key=lambda message: message[1]), [(rank, *place(site)) for rank, _, site in timeline['open']]

    def test_ring_is_a_staircase(self):
        calls, messages, still_open = self.timeline('ring')
        self.assertEqual([(source, dest) for source, _, dest, *_ in messages], [(r % 8, (r + 1) % 8) for r in range(24)])
        for before, after in zip(messages, messages[1:]):
            self.assertGreaterEqual(after[1], before[3] + 2000, 'the next rank works for 2 ms before it sends')
        self.assertEqual(sum(name == 'MPI_Recv' for *_, name, _, _, _ in calls), 24)
        self.assertEqual(still_open, [])

    def test_deadlock_has_calls_that_never_ended(self):
        _, messages, still_open = self.timeline('deadlock')
        line = line_of(source_of('deadlock'), 'MPI_Send(mine')
        self.assertEqual(sorted(still_open), [(rank, 'MPI_Send', line) for rank in range(4)])
        self.assertEqual(sorted((source, dest, size) for source, _, dest, _, size, _ in messages), [(r, (r + 1) % 4, 100) for r in range(4)])

    @on_a_busy_machine
    def test_halo_has_a_delay_that_travels(self):
        calls, messages, _ = self.timeline('halo')
        self.assertEqual(len(messages), 2 * 15 * 20)
        for distance in 1, 2, 3, 4:
            for rank in 8 - distance, 8 + distance:
                waits = [end - begin for r, begin, end, name, *_ in calls if (r, name) == (rank, 'MPI_Waitall')]
                self.assertEqual(len(waits), 20)
                self.assertGreater(max(waits[3 + distance : 5 + distance]), 5000, f'rank {rank} waits for the delay in step {4 + distance}')

    def test_trees_has_a_fan_and_a_tree(self):
        calls, messages, _ = self.timeline('trees')
        pairs = [(source, dest) for source, _, dest, *_ in messages]
        self.assertEqual(sorted(pairs[:7]), [(0, r) for r in range(1, 8)])
        self.assertEqual(sorted(pairs[7:]), sorted((r, r + have) for have in (1, 2, 4) for r in range(have)))
        groups = {group for *_, name, _, _, group in calls if name == 'MPI_Bcast'}
        self.assertEqual(len(groups), 1)
        self.assertEqual(sorted(call[0] for call in calls if call[-1] in groups), list(range(8)))

    @on_a_busy_machine
    def test_imbalance_has_a_last_rank(self):
        calls, _, _ = self.timeline('imbalance')
        operations = {}
        for call in calls:
            if call[3] == 'MPI_Allreduce':
                operations.setdefault(call[-1], []).append(call)
        ordered = sorted(operations.values(), key=lambda members: members[0][1])
        self.assertEqual([len(members) for members in ordered], [8] * 10)
        for members in ordered[:5]:
            self.assertEqual(max(members, key=lambda call: call[1])[0], 7)

    def test_phases_are_regions(self):
        for name, phases in ('trees', ['line', 'binomial tree', 'MPI_Bcast']), ('imbalance', ['in blocks', 'in turn']):
            self.demo(name)
            timeline = self.data(name)['timeline']
            for rank in range(LESSONS[name]):
                regions = sorted((begin, timeline['region_names'][number]) for of, begin, _, number in timeline['regions'] if of == rank)
                self.assertEqual([region for _, region in regions], phases)


class Command(LessonTest):
    def test_without_a_name_it_lists_the_lessons(self):
        output, _ = self.demo()
        listed = re.findall(r'(?m)^  (\w+) +(\S.*)$', output)
        self.assertEqual({name for name, _ in listed}, set(LESSONS))
        self.assertEqual(output, self.demo('--help')[0])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_number_of_ranks_is_that_of_the_lessons_comment(self):
        for name, ranks in LESSONS.items():
            self.assertIn(f'-n {ranks} ./{name}', source_of(name))

    def test_a_page_is_opened_where_there_is_a_display(self):
        tools = Path(tempfile.mkdtemp(dir=self.scratch))
        opened = self.folder / 'opened'
        (tools / 'xdg-open').write_text(f'#!/bin/sh\necho "$1" >{opened}.tmp; mv {opened}.tmp {opened}; sleep 30\n')
        (tools / 'xdg-open').chmod(0o755)
        path = f'{tools}:{os.environ["PATH"]}'
        output, _ = self.demo('ring', '--no-open', PATH=path, DISPLAY=':9')
        self.assertIn('Open the page in a browser: ring.html', output)
        output, _ = self.demo('ring', PATH=path, DISPLAY=':9')
        self.assertIn('Opening the page: ring.html', output)
        for _ in range(100):
            if opened.exists():
                break
            time.sleep(0.05)
        self.assertEqual(opened.read_text(), 'ring.html\n')

    def test_a_changed_program_is_used(self):
        self.demo('deadlock')
        source = self.folder / 'deadlock.c'
        source.write_text(source.read_text().replace('exchange(1000000);', 'exchange(200);'))
        output, errors = self.demo('deadlock')
        self.assertIn('Using ./deadlock.c, which differs from the lesson.', output)
        self.assertIn('All ranks have exchanged 200 bytes.', output)
        self.assertIn('The job ended normally: this program no longer deadlocks.', output)
        self.assertNotIn('DEADLOCK', errors)

    def test_a_program_that_fails_gives_its_exit_code(self):
        (self.folder / 'ring.c').write_text('int main(void) { return 7; }\n')
        _, errors = self.demo('ring', code=7)
        self.assertIn('thrum demo: mpiexec ended with exit code 7; what the ranks did until then is in ring.html\n', errors)

    def test_a_job_that_does_not_start_has_no_page_not_even_an_older_one(self):
        self.demo('ring')
        _, errors = self.demo('ring', code=2, THRUM_WORKERS='none')
        self.assertTrue(errors.endswith('\nthrum demo: mpiexec ended with exit code 2\n'), errors)
        self.assertFalse((self.folder / 'ring.html').exists())

    def test_ctrl_c_ends_the_job_and_the_page_is_written(self):
        (self.folder / 'ring.c').write_text(SLEEPER)
        job = subprocess.Popen([BIN / 'thrum', 'demo', 'ring', '--no-open'], cwd=self.folder, start_new_session=True, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not job.stdout.readline().startswith('rank '):
            self.assertIsNone(job.poll())
        os.killpg(job.pid, signal.SIGINT)
        _, errors = job.communicate(timeout=60)
        self.assertIn(job.returncode, (-signal.SIGINT, 130), errors)  # shells differ
        self.assertIn('mpiexec: the report is in ring.html\n', errors)
        self.assertFalse(self.data('ring')['run']['complete'])

    def test_a_program_that_does_not_compile_is_named(self):
        (self.folder / 'ring.c').write_text('int main(void) { return }\n')
        _, errors = self.demo('ring', code=1)
        self.assertTrue(errors.endswith('thrum demo: ring.c does not compile: see the message of the compiler above\n'), errors)

    def test_wrong_command_lines_are_refused(self):
        self.refused('unknown lesson rings; thrum demo lists them', 'rings', code=2)
        self.refused('unknown lesson ../ring; thrum demo lists them', '../ring', code=2)
        self.refused('unknown option --fast; see thrum demo --help', 'ring', '--fast', code=2)
        self.refused('one lesson at a time: ring or halo', 'ring', 'halo', code=2)
        self.refused('-n needs a number of ranks', 'ring', '-n', code=2)
        for number in '0', '-1', 'x', '', '1.5', '10000000':
            self.refused(f'-n {number}: not a number of ranks from 1 to 999999', 'ring', '-n', number, code=2)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_files_that_are_something_else_are_left_alone(self):
        for file, text, kind in ('ring.html', 'my notes', 'a page of mpiexec --report'), ('imbalance.json', '{"mine": 1}', 'a trace'), \
                ('halo', 'a ring of light', 'a program'):
            (self.folder / file).write_text(text)
            self.refused(f'./{file} exists and is not {kind}; use another folder', file.split('.')[0], code=1)
            self.assertEqual((self.folder / file).read_text(), text)
        for folder in 'trees', 'deadlock.json':
            (self.folder / folder).mkdir()
            self.refused(f'./{folder} exists, but is not a writable file', folder.split('.')[0], code=1)

    def test_a_folder_that_cannot_be_written_is_named(self):
        self.refused('cannot write ./ring.c' if os.getuid() == 0 else 'cannot write to the folder /proc', 'ring', folder='/proc', code=1)

    def test_a_missing_compiler_is_named(self):
        self.refused('there is no compiler: no-such-cc is not installed', 'ring', code=1, THRUM_CC='no-such-cc')

    def test_it_works_in_folders_and_trees_with_odd_names(self):
        odd = self.folder / "a b'c"
        odd.mkdir()
        output, _ = self.demo('ring', folder=odd)
        self.assertIn('24 visits', output)
        self.assertTrue((odd / 'ring.html').exists())

    def test_the_installed_lessons_are_those_of_the_source(self):
        installed = TREE / 'share' / 'thrum' / 'lessons'
        self.assertEqual({path.name: path.read_text() for path in installed.iterdir()}, {path.name: path.read_text() for path in SOURCES.iterdir()})


if __name__ == '__main__':
    unittest.main()
