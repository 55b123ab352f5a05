#!/usr/bin/env python3
"""tools/run_tests.py lists what a run of ctest skipped, and why; ends with ctest's summary; and returns its exit code.

Before the list it repeats the last lines that each failed test printed.

Usage: skipped_tests_are_listed.py RUN_TESTS CTEST CMAKE
"""
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = r'''
cmake_minimum_required(VERSION 3.25)
project(some_tests NONE)
enable_testing()
add_test(NAME whole COMMAND sh -c "echo begins; echo 'needs a moon'; exit 77")
add_test(NAME other COMMAND sh -c "echo 'needs a moon'; exit 77")
add_test(NAME silent COMMAND sh -c "exit 77")
add_test(NAME switched_off COMMAND sh -c "exit 0")
add_test(NAME passes COMMAND sh -c "echo 'needs a star'")
add_test(NAME python COMMAND ${PYTHON} -B -m unittest -v cases WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME google COMMAND sh -c "cat google.txt")
set_tests_properties(google PROPERTIES WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(whole other silent PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(switched_off PROPERTIES DISABLED ON)
'''
FAILING = '''
add_test(NAME fails COMMAND sh -c "echo no; exit 1")
add_test(NAME fails_at_length COMMAND sh -c "seq 1000; exit 1")
'''
FAILURES = '''
fails failed; it printed:
  no

fails_at_length failed; the last 60 of its 1000 lines:
  941
'''
CASES = '''
import unittest
class Some(unittest.TestCase):
    def test_of_a_file(self):
        """Has a line of documentation."""
        self.skipTest("the file's gone")
    def test_that_runs(self):
        pass
class None_(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise unittest.SkipTest('no compiler')
    def test_of_the_compiler(self):
        pass
'''
GOOGLE = '''[ RUN      ] Pages.AreHuge
huge_pages_test.cc:77: Skipped
this system makes no huge pages

[  SKIPPED ] Pages.AreHuge (0 ms)
[       OK ] Pages.AreSmall (0 ms)
'''
LIST = '''Skipped, and why:
  needs a moon: other, whole
  no compiler: python: cases.None_
  not run by ctest: Disabled: switched_off
  the file's gone: python: test_of_a_file
  the test does not say why: silent
  this system makes no huge pages: google: Pages.AreHuge
'''


def run(run_tests, ctest, cmake, folder, text):
    (folder / 'CMakeLists.txt').write_text(text)
    build = folder / 'build'
    subprocess.run([cmake, '-S', folder, '-B', build, f'-DPYTHON={sys.executable}'], check=True, stdout=subprocess.DEVNULL)
    return subprocess.run([sys.executable, run_tests, build, ctest, '--test-dir', build], capture_output=True, text=True)


def check(condition, done):
    if not condition:
        sys.exit(f'exit code {done.returncode}\n{done.stdout}{done.stderr}')


def main(run_tests, ctest, cmake):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / 'cases.py').write_text(CASES)
        (folder / 'google.txt').write_text(GOOGLE)
        done = run(run_tests, ctest, cmake, folder, PROJECT)
        before, _, after = done.stdout.partition(LIST)
        check(done.returncode == 0 and after, done)
        check('100% tests passed' in before and ' failed; ' not in before, done)  # ctest's own output comes as it is
        check(after.strip().startswith('100% tests passed, 0 tests failed') and 'Total Test time' in after.splitlines()[-1], done)
        done = run(run_tests, ctest, cmake, folder, PROJECT + FAILING)
        before, _, after = done.stdout.partition(LIST)
        check(FAILURES in before and '  1000\n' in before, done)
        check(done.returncode not in (0, 1) and '2 tests failed' in after and '- fails (Failed)' in after, done)


if __name__ == '__main__':
    main(*sys.argv[1:])
