"""Programs that make runs of ranks, as a user starts them: the examples of the three test frameworks, with a fault planted on
one rank of 8, whose reports are compared; every macro of Catch2; a C program, with and without mpiexec."""
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
    def check(self, name, success, failures, function, *arguments):
        code, output = run([PROGRAMS / name, *arguments])
        self.assertEqual(code, 0, output)
        self.assertIn(success, output)
        code, output = run([PROGRAMS / name, *arguments], PLANT_FAULT='5')
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
            'test cases: 2 | 2 failed'), r'\w+\(MPI_ABI_Comm\*\)', '[shift]')

    def test_doctest(self):
        self.check('doctest', 'Status: SUCCESS!', (
            '{file}:{check}: ERROR: CHECK( shift(rank, world) == (rank + 7) % 8 ) is NOT correct!\n  values: CHECK( -1 == 4 )\n'
            '  logged: rank 5 of 8',
            '{file}:{requirement}: FATAL ERROR: REQUIRE( shift(rank, world) == (rank + 7) % 8 ) is NOT correct!\n'
            '  values: REQUIRE( -1 == 4 )\n  logged: rank 5 of 8',
            '0 passed | 2 failed'), r'\w+\(MPI_ABI_Comm\*\)')


class Catch2Macros(unittest.TestCase):
    """The test cases of catch2_macros.cc, by their tags."""
    REFUSAL = 'rank {} of 2: a macro that only the thread of a test may use, such as SECTION or GENERATE, was used in a rank; ' \
              'call thrum::check_run() inside of it'

    def run_case(self, tag, n_failed, *expected):
        """Runs the cases of this tag; `expected` are texts of the report. Returns the report."""
        code, output = run([PROGRAMS / 'catch2', tag])
        self.assertEqual(code != 0, n_failed > 0, output)
        whole = squeezed(output)
        for text in (*expected, f' {n_failed} failed' if n_failed else 'All tests passed'):
            self.assertIn(text, whole)
        self.assertNotRegex(output, '(?m)^thrum:')
        return whole

    def test_pass_in_ranks(self):
        self.run_case('[pass]', 0)
        self.run_case('[around]', 0)

    def test_are_kept_with_rank_and_messages(self):
        infos = ' with message: rank is {0} with message: rank, rank + 1 := {0}, {1}'
        for rank in (0, 1):
            own = infos.format(rank, rank + 1)
            whole = self.run_case(
                '[fail]', 16, f'CHECK( rank > 4 ) explicitly with message: rank {rank} of 2: {rank} > 4{own} with message: unscoped',
                f'rank {rank} of 2: !({rank} < 4){own}', f'rank {rank} of 2: no exception was thrown where one was expected{own}',
                f'CHECK_THROWS_AS( throw_unless_0(1), std::logic_error ) explicitly with message: rank {rank} of 2: unexpected exception: bad 1{own}',
                f'CHECK_THROWS_WITH( throw_unless_0(2), "bad 3" ) explicitly with message: rank {rank} of 2: "bad 2" equals: "bad 3"{own}',
                f'CHECK_NOTHROW( throw_unless_0(1) ) explicitly with message: rank {rank} of 2: unexpected exception: bad 1{own}',
                f'CHECK_THAT( std::string("hello"), ContainsSubstring("elll") ) explicitly with message: rank {rank} of 2: "hello" contains: "elll"{own}',
                f'warning: rank {rank} of 2: careful, {rank}{own}', f'rank {rank} of 2: the end of {rank}{own}')
        self.assertEqual(whole.count('unscoped'), 2)
        self.assertNotIn('out of scope', whole)

    def test_make_texts_in_all_ranks_at_the_same_time(self):
        self.run_case('[together]', 8 * 20, 'rank 7 of 8: 7 == 19999 (0x4e1f) with message: i := 19999')

    def test_of_the_tests_thread_are_refused_in_ranks(self):
        for tag in ('[section]', '[generate]'):
            self.run_case(tag, 2, self.REFUSAL.format(0), self.REFUSAL.format(1))

    def test_skip_in_one_rank(self):
        code, output = run([PROGRAMS / 'catch2', '[skip]'])
        if 'No tests' in output:
            self.skipTest('version 2 of Catch2 has no SKIP')
        self.assertIn('SKIPPED: explicitly with message: rank 1 of 2: not in 1', squeezed(output))

    def test_let_the_end_of_a_rank_pass(self):
        lines = (Path(__file__).parent / 'catch2_macros.cc').read_text().splitlines()
        call = next(i for i, line in enumerate(lines, 1) if 'check_run(3' in line)
        self.run_case('[unwound]', 2, f'rank 0 of 3: alone catch2_macros.cc:{call}: FAILED: explicitly with message: 1 of 3 ranks failed',
                      'DEADLOCK: all 2 ranks that have not ended are blocked')

    def test_report_nested_runs(self):
        self.run_case('[nested]', 2, 'rank 0 of 2: rank 1 of 2: 1 == 0', 'rank 1 of 2: rank 1 of 2: 1 == 0')

    def test_work_with_private_globals(self):
        self.run_case('[private]', 2, 'CHECK( std::string("a") == "b" ) explicitly with message: rank 1 of 2: '
                                      '(values are not shown if ranks have private globals)')

    def test_outside_of_ranks_are_those_of_catch2(self):
        self.run_case('[outside]', 3, 'CHECK( thrum_run_rank() == 1 ) with expansion: -1 == 1 with message: an information',
                      'due to unexpected exception with message', '"bad 1" equals: "bad 2"')


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
