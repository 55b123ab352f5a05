#!/usr/bin/env python3
"""What a test in several ranks costs with the pytest plug-in: the first of a group, which starts its ranks, and those after it.

  bench/pytest_groups.py --build build/release [--python PYTHON] [--ranks N...] [--tests N]

Prints a table: seconds of the first test, the median of the others, and how often the second goes into the first. All of a line comes
from one session. A test is a barrier, called by ctypes. PYTHON (default: this one) must have pytest.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = '''
import ctypes
import pytest


@pytest.mark.parametrize('number', range({tests}))
@pytest.mark.mpi(ranks={ranks})
def test_barrier(number):
    ctypes.CDLL('libmpi_abi.so.1').MPI_Barrier(ctypes.c_void_p(257))
'''
TIMER = '''
import os
import sys
import time

began = 0


def pytest_runtest_logstart():
    global began
    began = time.perf_counter()


def pytest_runtest_logfinish():
    if 'pytest_thrum.worker' in sys.modules:
        return  # a rank
    with open(os.environ['TIMES'], 'a') as file:
        file.write(f'{time.perf_counter() - began}\\n')
'''


def measure(options, ranks):
    """Returns the seconds of each test of one session, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / 'conftest.py').write_text(TIMER)
        (place / 'test_barriers.py').write_text(TESTS.format(ranks=ranks, tests=options.tests))
        environment = {**os.environ, 'PATH': f'{options.build}/bin:{os.environ["PATH"]}', 'LD_LIBRARY_PATH': f'{options.build}/lib',
                       'PYTHONPATH': str(ROOT / 'packaging' / 'pytest'), 'TIMES': str(place / 'times'), 'PYTEST_DISABLE_PLUGIN_AUTOLOAD': '1'}
        done = subprocess.run([options.python, '-m', 'pytest', '-q', '-p', 'pytest_thrum.plugin', '-p', 'no:cacheprovider', folder], cwd=folder,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f'exit code {done.returncode} of pytest:\n{done.stdout}')
        return [float(line) for line in (place / 'times').read_text().split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=lambda text: Path(text).resolve(), required=True, help='the build tree of Thrum')
    parser.add_argument('--python', default=sys.executable)
    parser.add_argument('--ranks', type=int, nargs='+', default=[1, 2, 4, 8])
    parser.add_argument('--tests', type=int, default=200)
    options = parser.parse_args()
    print('| ranks | first test | later ones | ratio |\n|---|---|---|---|')
    for ranks in options.ranks:
        first, *later = measure(options, ranks)
        median = statistics.median(later)
        print(f'| {ranks} | {first:.2f} s | {median * 1000:.1f} ms | {first / median:.0f} |', flush=True)


main()
