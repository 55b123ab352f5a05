"""Programs that make runs of ranks, as a user starts them: the examples of the three test frameworks, with a fault planted on
one rank of 8, whose reports are compared; a C program, with and without mpiexec."""
import os
import re
import subprocess
import unittest
from pathlib import Path

TREE = Path(os.environ['THRUM_TREE'])
PROGRAMS = TREE / 'tests/programs/run'
WAITS = '''1 of 8 ranks failed, 7 ended by the run: they waited for ever
rank 5: failed assertion at {file}:{requirement}
DEADLOCK: all 7 ranks that have not ended are blocked and no message can arrive
  ranks 0-4,6,7: MPI_Barrier on MPI_COMM_WORLD, at {file}:{barrier} in {function}; missing: rank 5 (ended)
  rank 5 has ended'''


def run(command, **environment):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout


def squeezed(text):
    """The text without folders, and with single spaces: Catch2 breaks lines."""
    return re.sub(r'\s+', ' ', re.sub(r'[\w./-]*/(?=\w+\.cc)', '', re.sub(r'/\n\s*', '/', text)))


class Frameworks(unittest.TestCase):
    def check(self, name, success, failures, function):
        code, output = run([PROGRAMS / name])
        self.assertEqual(code, 0, output)
        self.assertIn(success, output)
        code, output = run([PROGRAMS / name], PLANT_FAULT='5')
        self.assertNotEqual(code, 0, output)
        source = (Path(__file__).resolve().parents[3] / f'examples/testing/{name}.cc').read_text().splitlines()
        lines = {word: next(i for i, line in enumerate(source, 1) if pattern in line)
                 for word, pattern in (('check', 'EXPECT_EQ' if name == 'gtest' else 'CHECK('),
                                       ('requirement', 'ASSERT_EQ' if name == 'gtest' else 'REQUIRE('),
                                       ('barrier', 'MPI_Barrier'))}
        whole = squeezed(output).replace(f'{name}. cc', f'{name}.cc')
        for expected in (*failures, WAITS):
            text = squeezed(expected.format(file=f'{name}.cc', function='FUNCTION', **lines))
            self.assertRegex(whole, re.escape(text).replace('FUNCTION', function))
        self.assertNotIn('rank 4 of 8', output)
        self.assertNotIn('thrum:', output)

    def test_googletest(self):
        self.check('gtest', '[  PASSED  ] 2 tests.', (
            '{file}:{check}: Failure\nrank 5 of 8: Expected equality of these values:\n  shift(rank, world)\n    Which is: -1\n',
            '{file}:{requirement}: Failure\nrank 5 of 8: Expected equality of these values:\n',
            '2 FAILED TESTS'), r'thrum_ranks_of_Shift_IsCompleteBeforeTheBarrier\(MPI_ABI_Comm\*\)')

    def test_catch2(self):
        self.check('catch2', 'All tests passed', (
            '{file}:{check}: FAILED:\n  CHECK( shift(rank, world) == (rank + 7) % 8 )\nexplicitly with message:\n  rank 5 of 8: -1 == 4\n',
            '{file}:{requirement}: FAILED:\n  REQUIRE( shift(rank, world) == (rank + 7) % 8 )\nexplicitly with message:\n'
            '  rank 5 of 8: -1 == 4\n',
            'test cases: 2 | 2 failed'), r'\w+\(MPI_ABI_Comm\*\)')

    def test_doctest(self):
        self.check('doctest', 'Status: SUCCESS!', (
            '{file}:{check}: ERROR: CHECK( shift(rank, world) == (rank + 7) % 8 ) is NOT correct!\n  values: CHECK( -1 == 4 )\n'
            '  logged: rank 5 of 8',
            '{file}:{requirement}: FATAL ERROR: REQUIRE( shift(rank, world) == (rank + 7) % 8 ) is NOT correct!\n'
            '  values: REQUIRE( -1 == 4 )\n  logged: rank 5 of 8',
            '0 passed | 2 failed'), r'\w+\(MPI_ABI_Comm\*\)')


class CallsFromC(unittest.TestCase):
    LINE = 'rank {}: sum 4, 1 failed, first 2: 1 of 4 ranks failed'

    def test_without_mpiexec(self):
        for arguments in ([], ['init']):
            code, output = run([PROGRAMS / 'from_c', *arguments])
            self.assertEqual(code, 0, output)
            self.assertIn(self.LINE.format(0) + '\nrank 2: ended with exit code 9', output)

    def test_in_the_ranks_of_mpiexec(self):
        for n in (1, 3):
            code, output = run([TREE / 'bin/mpiexec', '-n', str(n), PROGRAMS / 'from_c', 'init'])
            self.assertEqual(code, 0, output)
            for rank in range(n):
                self.assertIn(self.LINE.format(rank), output)

    def test_is_refused_in_several_processes(self):
        code, output = run([TREE / 'bin/mpiexec', '-n', '2', '--processes', PROGRAMS / 'from_c', 'init'])
        self.assertNotEqual(code, 0, output)
        self.assertIn('thrum_run: called in a job of several processes', output)

    def test_is_refused_if_the_process_cannot_have_ranks(self):
        code, output = run([PROGRAMS / 'from_c'], THRUM_SPAWN='0')
        self.assertNotEqual(code, 0, output)
        self.assertIn('thrum_run: the process was not prepared for ranks', output)


if __name__ == '__main__':
    unittest.main()
