#!/usr/bin/env python3
"""The pytest plug-in: groups of ranks, the reports of all that can go wrong in a rank, options, and a job of mpiexec.

Needs an interpreter with pytest (Debian's python3-pytest), and uses a small module in the place of mpi4py; third_party/pytest has mpi4py.
"""
import os
import re
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

import small_mpi4py
from commands import BIN, TREE, CommandTest, run

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 120


def find_python():
    for python in dict.fromkeys([sys.executable, '/usr/bin/python3']):
        done = subprocess.run([python, '-c', 'import sys, pytest; sys.exit(sys.version_info < (3, 9) or '
                               'tuple(map(int, pytest.__version__.split(".")[:2])) < (7, 2))'], stderr=subprocess.DEVNULL)
        if done.returncode == 0:
            return python
    return None


PYTHON = find_python()
SCREEN = '''
import os, sys, time
import pytest
from mpi4py import MPI

pytestmark = pytest.mark.mpi(ranks=3)
rank = MPI.rank()

'''

KEPT = '''
import os
import pytest
from mpi4py import MPI

MADE = []


@pytest.fixture(scope='session')
def session_thing():
    MADE.append('session')


@pytest.fixture(scope='module')
def module_thing(session_thing):
    MADE.append('module')


@pytest.fixture
def thing(module_thing):
    MADE.append('function')


def note(name):
    with open(f'pids-{MPI.size()}-{name}', 'a') as file:
        file.write(f'{os.getpid()}\\n')


@pytest.mark.mpi(ranks=[1, 3])
def test_first(thing, mpi_ranks):
    assert MPI.size() == mpi_ranks
    assert MADE == ['session', 'module', 'function']
    MPI.barrier()
    note('first')


def test_alone():
    assert MPI.size() == 1 and not MADE


@pytest.mark.parametrize('letter', ['a', 'b'])
@pytest.mark.mpi(ranks=3)
def test_second(thing, letter):
    assert MADE == ['session', 'module', *['function'] * (2 if letter == 'a' else 3)]
    MPI.barrier()
    note('second')


@pytest.mark.mpi(ranks=2)
class TestMethods:
    def test_folders(self, tmp_path, mpi_tmp_path, mpi_tmpdir, mpi_file_name):
        (tmp_path / 'own').touch()
        assert mpi_tmp_path.is_dir() and str(mpi_tmpdir) == str(mpi_tmp_path)
        open(f'{mpi_file_name}-{MPI.rank()}', 'w').close()
        MPI.barrier()
        assert sorted(path.name for path in mpi_tmp_path.glob('*.hdf5-*')) == ['test_folders.hdf5-0', 'test_folders.hdf5-1']
        assert (tmp_path == mpi_tmp_path) == (MPI.rank() == 0)

    @pytest.mark.skipif(MPI.size() == 1, reason='runs in ranks')
    def test_conditions_are_those_of_the_ranks(self):
        MPI.barrier()
'''

CTYPES = '''
import ctypes
import pytest

library = ctypes.CDLL('libmpi_abi.so.1')
WORLD = ctypes.c_void_p(257)


@pytest.mark.mpi(ranks=2)
def test_without_mpi4py():
    size = ctypes.c_int()
    library.MPI_Comm_size(WORLD, ctypes.byref(size))
    library.MPI_Barrier(WORLD)
    assert size.value == 2
'''

# With at most three ranks the group of two ends when that of three starts, and one rank and two go together.
FEW = '''
import os
import pytest


def begins(ranks):
    """Whether this process has not been here before."""
    name = f'few-{ranks}-{os.getpid()}'
    is_new = not os.path.exists(name)
    open(name, 'w').close()
    return is_new


@pytest.mark.parametrize('step', [0, 1])
@pytest.mark.mpi(ranks=2)
def test_two(step):
    assert begins(2) == (step == 0)


@pytest.mark.mpi(ranks=3)
def test_three():
    assert begins(3)


@pytest.mark.mpi(ranks=1)
def test_one():
    assert begins(1)


@pytest.mark.mpi(ranks=2)
def test_two_again():
    assert begins(2)
'''

FAULTS = SCREEN + '''
@pytest.fixture
def no_data_in_rank_2():
    if rank == 2:
        raise ValueError('no data')


@pytest.fixture
def fails_at_the_end():
    yield
    assert rank != 1


def test_assertion():
    print('reading', rank)
    values = [1, rank]
    if rank == 1:
        assert values == [1, 2]
    MPI.barrier()


def test_group_is_there_again():
    MPI.barrier()


def test_leaves_a_message():
    open(f'left-{os.getpid()}', 'w').close()
    if rank == 1:
        MPI.send(2)


def test_gets_no_message_of_the_one_before():
    assert not os.path.exists(f'left-{os.getpid()}')


def test_all_fail_alike():
    assert MPI.size() == 4


def test_each_fails():
    assert rank == 5


def test_setup(no_data_in_rank_2):
    MPI.barrier()


def test_teardown(fails_at_the_end):
    MPI.barrier()


def test_deadlock():
    if rank:
        MPI.recv(0)


def test_crash():
    if rank == 1:
        os.kill(os.getpid(), 11)
    MPI.barrier()


def test_exit_code():
    print('going', rank, file=sys.stderr)
    if rank == 1:
        os._exit(3)
    MPI.barrier()


def test_abort():
    if rank == 1:
        MPI.abort(7)
    MPI.barrier()


def test_sys_exit():
    if rank == 1:
        sys.exit(4)


@pytest.mark.parametrize('size', [MPI.size()])
def test_parameters_differ(size):
    pass


def test_all_skip():
    pytest.skip('not today')


def test_one_skips():
    if rank == 1:
        pytest.skip('not today')


@pytest.mark.xfail(reason='bug 1')
def test_expected_failure_of_one():
    assert rank != 0
    MPI.barrier()


@pytest.mark.xfail(reason='bug 2', strict=True)
def test_unexpected_pass():
    pass
'''
LASTS = SCREEN + '''
def test_lasts():
    if rank == 0:
        time.sleep(60)
    MPI.barrier()
'''


def at(function, part, text=FAULTS, name='faults_test.py'):
    """FILE:LINE of the first line with `part` in a function."""
    lines = text.splitlines()
    begin = next(index for index, line in enumerate(lines) if line.startswith(f'def {function}('))
    return f'{name}:{next(index for index in range(begin, len(lines)) if part in lines[index]) + 1}'


# What the report of each test has, in this order. Further lines may be between.
REPORTS = {
    'test_assertion': ['--- rank 1 ---', 'assert values == [1, 2]', 'E +assert [1, 1] == [1, 2]', at('test_assertion', 'assert values') + ': AssertionError',
                       'ranks 0,2 waited in MPI_Barrier at ' + at('test_assertion', 'barrier'), 'Captured stdout call',
                       'rank 0: reading 0', 'rank 2: reading 2'],
    'test_all_fail_alike': ['--- ranks 0-2 ---', 'E +assert 3 == 4'],
    'test_each_fails': ['--- rank 0 ---', 'assert 0 == 5', '--- rank 1 ---', 'assert 1 == 5', '--- rank 2 ---', 'assert 2 == 5'],
    'test_setup': ['--- rank 2, in its setup ---', 'ValueError: no data', 'ranks 0,1 waited in MPI_Barrier at ' + at('test_setup', 'barrier')],
    'test_teardown': ['--- rank 1, in its teardown ---', 'assert 1 != 1'],
    'test_deadlock': ['DEADLOCK: all 3 ranks are blocked and no message can arrive',
                      f'ranks 1,2: MPI_Recv from rank 0, tag 0, MPI_COMM_WORLD, at {at("test_deadlock", "recv")} in test_deadlock',
                      'rank 0 had finished the test'],
    'test_crash': ['rank 1 ended with exit code 139 without calling MPI_Finalize', 'Segmentation fault', at('test_crash', 'kill').replace(':', '", line ') + ' in test_crash'],
    'test_exit_code': ['rank 1 ended with exit code 3 without calling MPI_Finalize', 'Captured stderr call', 'rank 1: going 1'],
    'test_abort': [f'rank 1: MPI_Abort(MPI_COMM_WORLD, 7) (at {at("test_abort", "abort(7)")} in test_abort)'],
    'test_sys_exit': ['--- rank 1 ---', 'SystemExit: 4'],
    'test_parameters_differ[1]': ['--- ranks 0-2, in its setup ---', 'it has not collected this test'],
    'test_one_skips': ['the ranks disagree: ranks 0,2 ran it; rank 1 skipped the test (not today)'],
    'test_unexpected_pass': ['[XPASS(strict)]'],
}
OUTCOMES = {'test_group_is_there_again': 'passed', 'test_leaves_a_message': 'passed', 'test_gets_no_message_of_the_one_before': 'passed',
            'test_all_skip': 'skipped', 'test_expected_failure_of_one': 'skipped'}

JOB = '''
import pytest
from mpi4py import MPI

rank = MPI.rank()


@pytest.mark.mpi(ranks=[2, 3])
def test_size(mpi_ranks):
    assert MPI.size() == mpi_ranks


def test_fails_in_rank_1():
    print('in', rank)
    assert rank != 1


@pytest.mark.skipif(rank == 1, reason='not here')
def test_one_skips():
    pass
'''

HANGS = SCREEN + '''
def test_hangs():
    if rank == 1:
        assert rank == 0
    MPI.barrier()
'''

WAITS = SCREEN + '''
def test_passes():
    pass


def test_waits():
    open(f'waits-{rank}', 'w').close()
    if rank == 0:
        time.sleep(60)
    MPI.barrier()
'''

MARK = '''
import pytest


@pytest.mark.{mark}
def test_marked():
    pass
'''


@unittest.skipUnless(PYTHON, 'no interpreter has pytest 7.2 or later (install python3-pytest)')
class PytestPlugin(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        small_mpi4py.make(cls)
        cls.environment = {name: value for name, value in os.environ.items() if not name.startswith(('THRUM_', 'PYTEST'))}
        cls.environment |= {'PATH': f'{BIN}:{os.environ["PATH"]}', 'LD_LIBRARY_PATH': str(TREE / 'lib'), 'COLUMNS': '200',
                            'PYTHONPATH': f'{cls.scratch}:{ROOT / "packaging" / "pytest"}', 'PYTHONDONTWRITEBYTECODE': '1',
                            'PYTEST_DISABLE_PLUGIN_AUTOLOAD': '1'}
        cls.write('pytest.ini', '[pytest]\nmarkers = none\n')

    def command(self, *words):
        return [PYTHON, '-m', 'pytest', '-p', 'pytest_thrum.plugin', '-p', 'no:cacheprovider', *words]

    def pytest(self, *words, launcher=(), **variables):
        """Returns the exit code and what pytest has printed."""
        code, output, errors = run(*launcher, *self.command(*words), cwd=self.scratch, env={**self.environment, **variables}, timeout=LIMIT_S)
        return code, output + errors

    def check(self, result, code, *texts):
        self.assertEqual(result[0], code, result[1])
        for text in texts:
            self.assertIn(text, result[1])

    def in_this_order(self, text, lines):
        """Each of `lines` is in a line of `text`; " +" stands for spaces."""
        rest = iter(text.splitlines())
        for line in lines:
            pattern = re.escape(line).replace(re.escape(' +'), ' +')
            self.assertTrue(any(re.search(pattern, one) for one in rest), f'no {line!r}, or not in this order:\n{text}')

    def test_groups_are_kept(self):
        self.write('kept_test.py', KEPT)
        self.check(self.pytest('kept_test.py', '-W', 'error'), 0, '7 passed')
        pids = {path.name: path.read_text().split() for path in self.scratch.glob('pids-*')}
        self.assertEqual(len(set(pids['pids-3-first'])), 3)
        self.assertEqual(sorted(pids['pids-3-first'] * 2), sorted(pids['pids-3-second']))
        self.assertFalse(set(pids['pids-1-first']) & set(pids['pids-3-first']))

    def test_without_mpi4py(self):
        self.write('ctypes_test.py', CTYPES)
        self.check(self.pytest('ctypes_test.py'), 0, '1 passed')

    def test_threads(self):
        self.write('ctypes_test.py', CTYPES)
        code, text = self.pytest('ctypes_test.py', '--mpi-options=--threads fiber')
        self.check((code, text), *((1, 'did not start') if 'is not position-independent' in text else (0, '1 passed')))

    def test_only_so_many_ranks_are_kept(self):
        folder = self.scratch / 'few'
        folder.mkdir()
        self.write('few/conftest.py', 'import pytest_thrum.controller\n\npytest_thrum.controller._IDLE_MOST = 3\n')
        self.write('few/few_test.py', FEW)
        self.check(self.pytest('few/few_test.py'), 0, '5 passed')

    def test_reports(self):
        self.write('faults_test.py', FAULTS)
        code, text = self.pytest('faults_test.py', '--mpi-timeout=60', '--junitxml=junit.xml')
        self.assertEqual(code, 1, text)
        found = {case.get('name'): case for case in xml.etree.ElementTree.parse(self.scratch / 'junit.xml').iter('testcase')}
        self.assertEqual(set(found), {*REPORTS, *OUTCOMES}, text)
        parts = re.split(r'(?m)^_{5,} (?:ERROR at \w+ of )?(\S+) _{5,}$', text)
        sections = dict(zip(parts[1::2], parts[2::2]))
        for name, lines in REPORTS.items():
            with self.subTest(name):
                self.in_this_order(sections[name], lines)
        for name, outcome in OUTCOMES.items():
            with self.subTest(name):
                self.assertEqual([child.tag for child in found[name]], ['skipped'] if outcome == 'skipped' else [], text)
        self.in_this_order(text, ['faults_test.py::test_leaves_a_message', 'rank 2 has not received a message of rank 1 with tag 0'])
        self.assertRegex(text, r'(?m)^FAILED faults_test\.py::test_assertion - rank 1: assert \[1, 1\] == \[1, 2\]$')

    def test_a_test_that_lasts_too_long(self):
        self.write('lasts_test.py', LASTS)
        code, text = self.pytest('lasts_test.py', '-o', 'mpi_timeout=5')
        self.assertEqual(code, 1, text)
        self.in_this_order(text, ['the test did not end within 5 s', 'rank 0 outside of MPI',
                                  'ranks 1,2 waited in MPI_Barrier at ' + at('test_lasts', 'barrier', LASTS, 'lasts_test.py')])

    def test_a_job_of_mpiexec(self):
        self.write('job_test.py', JOB)
        result = self.pytest('job_test.py', '-rfEs', launcher=(BIN / 'mpiexec', '-n', 2))
        self.check(result, 1, 'mpi: 2 ranks of one job', '1 failed, 1 passed, 1 skipped, 1 error', 'needs 3 ranks, and this job has 2',
                   'the ranks disagree: rank 0 ran it; rank 1 skipped the test (not here)', 'rank 0: in 0', 'rank 1: in 1',
                   'FAILED job_test.py::test_fails_in_rank_1 - rank 1: assert 1 != 1')
        self.assertEqual(result[1].count('test session starts'), 1, result[1])

    def test_the_last_failures_of_a_job(self):
        self.write('job_test.py', JOB)
        command = [BIN / 'mpiexec', '-n', 2, PYTHON, '-m', 'pytest', '-p', 'pytest_thrum.plugin', 'job_test.py']
        run(*command, cwd=self.scratch, env=self.environment)
        code, output, errors = run(*command, '--lf', cwd=self.scratch, env=self.environment)
        self.check((code, output + errors), 1, '1 failed, 2 deselected, 1 error')

    def test_a_failure_in_a_job_whose_other_ranks_hang(self):
        self.write('hangs_test.py', HANGS)
        result = self.pytest('hangs_test.py', launcher=(BIN / 'mpiexec', '-n', 3))
        self.check(result, 86, 'rank 1: hangs_test.py::test_hangs failed, and other ranks have not come as far:', 'assert 1 == 0',
                   'ranks 0,2: MPI_Barrier on MPI_COMM_WORLD, at ' + at('test_hangs', 'barrier', HANGS, 'hangs_test.py') + ' in test_hangs; missing: rank 1')

    def test_ctrl_c(self):
        self.write('waits_test.py', WAITS)
        process = subprocess.Popen(self.command('waits_test.py'), cwd=self.scratch, env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a job in the background ignores it
        self.addCleanup(process.kill)
        deadline = time.monotonic() + LIMIT_S
        while len(list(self.scratch.glob('waits-*'))) < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1)  # until they are in their calls
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=LIMIT_S)[0]
        self.assertEqual(process.returncode, 2, text)
        self.assertIn('KeyboardInterrupt', text)
        self.assertIn('waits_test.py::test_waits was interrupted: rank 0 outside of MPI; ranks 1,2 waited in MPI_Barrier', text)

    def test_options_of_pytest(self):
        self.write('faults_test.py', FAULTS)
        self.check(self.pytest('faults_test.py', '-x', '-q', '-k', 'alike or again'), 1, '1 failed, 1 passed')
        self.check(self.pytest('faults_test.py', '-s', '-q', '-k', 'assertion', '--mpi-options=--prefix'), 1, 'reading 2')
        self.check(self.pytest('faults_test.py', '--collect-only', '-q'), 0, 'faults_test.py::test_assertion')
        self.write('quits_test.py', SCREEN + 'def test_quits():\n    if rank == 1:\n        pytest.exit("enough")\n    MPI.barrier()\n')
        self.check(self.pytest('quits_test.py'), 2, 'rank 1: enough')
        code, text = run(PYTHON, '-m', 'pytest', '-p', 'pytest_thrum.plugin', '-p', 'no:pytest_thrum.plugin', 'quits_test.py', cwd=self.scratch,
                         env=self.environment)[:2]
        self.assertNotIn('rank 1: enough', text)

    def test_side_by_side(self):
        if run(PYTHON, '-c', 'import xdist')[0]:
            self.skipTest('pytest-xdist is not installed (python3-pytest-xdist)')
        self.write('faults_test.py', FAULTS)
        words = ('-p', 'xdist.plugin', '-n2')
        result = self.pytest('faults_test.py', *words, '-k', 'alike or again or assertion or all_skip')
        self.check(result, 1, '2 failed, 1 passed, 1 skipped', 'ranks 0,2 waited in MPI_Barrier at ' + at('test_assertion', 'barrier'),
                   'FAILED faults_test.py::test_assertion - rank 1: assert [1, 1] == [1, 2]')
        self.check(self.pytest('faults_test.py', *words, launcher=(BIN / 'mpiexec', '-n', 2)), 4, 'cannot be combined with pytest-xdist')

    def test_wrong_markers(self):
        for mark, text in (
                ('mpi(ranks=0)', 'mpi(ranks=0): 0 is not a number of ranks; use a whole number from 1, or a list of them'),
                ('mpi(ranks="4")', "mpi(ranks='4'): '4' is not a number of ranks"),
                ('mpi(ranks=[])', 'mpi(ranks=[]): the list of numbers of ranks is empty'),
                ('mpi(ranks=[2, 2])', 'mpi(ranks=[2, 2]): a number of ranks appears twice in [2, 2]'),
                ('mpi(ranks=2, min_size=1)', 'mpi(ranks=...): give nothing besides ranks'),
                ('mpi(rank=2)', 'mpi(rank=...): unknown; known are ranks, min_size, minsize'),
                ('parallel(2, nprocs=3)', 'parallel(...): give the number of ranks once'),
                ('parallel(True)', 'parallel(True): True is not a number of ranks')):
            self.write('marked_test.py', MARK.format(mark=mark))
            self.check(self.pytest('marked_test.py'), 2, f'marked_test.py::test_marked: {text}')
        self.write('marked_test.py', MARK.format(mark='parallel(3)'))
        self.check(self.pytest('marked_test.py', PYTEST_MPI_MAX_NPROCS='2'), 2, '3 ranks are more than PYTEST_MPI_MAX_NPROCS=2 allows')
        self.write('marked_test.py', MARK.format(mark='mpi(2)'))
        self.check(self.pytest('marked_test.py', '--with-mpi'), 1, 'mpi(2): the marker takes no positional argument; write mpi(ranks=2)')

    def test_wrong_options_and_other_commands(self):
        self.write('marked_test.py', MARK.format(mark='mpi(ranks=2)'))
        self.check(self.pytest('marked_test.py', '--mpi-timeout=0'), 4, "--mpi-timeout: '0' is not a number of seconds above 0")
        self.check(self.pytest('marked_test.py', '--mpi-ranks=x'), 4, "--mpi-ranks: 'x' is not a number of ranks")
        self.check(self.pytest('marked_test.py', '-o', 'mpi_ranks=0'), 4, "mpi_ranks: '0' is not a number of ranks")
        self.check(self.pytest('marked_test.py', '--mpi-options=--nonsense'), 1, 'ranks 0,1 did not start: mpiexec: unknown option --nonsense')
        self.check(self.pytest('marked_test.py', PATH='/nonexistent'), 1, 'pytest-thrum: there is no mpiexec in PATH')
        other = self.scratch / 'other'
        other.mkdir()
        self.write('other/mpiexec', '#!/bin/sh\necho "mpiexec (Open MPI) 4.1.4"\n', mode=0o755)
        self.check(self.pytest('marked_test.py', PATH=f'{other}:{self.environment["PATH"]}'), 1,
                   f"{other}/mpiexec is not Thrum's mpiexec (it says: mpiexec (Open MPI) 4.1.4)")
        self.check(self.pytest('marked_test.py', OMPI_COMM_WORLD_SIZE='2'), 4, "this is a job of Open MPI: start pytest with Thrum's mpiexec")


if __name__ == '__main__':
    unittest.main()
