#!/usr/bin/env python3
"""Runs the Python programs of tests/wrong_kinds/python: each wrong one gets the report that it expects at its top, and each right one ends in silence.
With a process for each rank, and as threads if the interpreter is position-independent.

  wrong_kinds.py --bin BIN --work DIR [NAME...]

DIR is where run.py has built mpi4py. The comments at the top of a program are those of tests/harness/run_program.sh: ranks, options, exit (a
regular expression here), expect, expect-not.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

from run import is_position_independent, python_of

FOLDER = Path(__file__).resolve().parents[2] / 'wrong_kinds' / 'python'
LIMIT_S = 60


def directives(program):
    """Returns {name: [values]} of the comments at the top."""
    found = {}
    for line in program.read_text().splitlines():
        if not line.startswith('#'):
            return found
        if match := re.fullmatch(r'# ([a-z-]+): (.*)', line):
            found.setdefault(match[1], []).append(match[2])


def mistakes(program, mpiexec, python):
    """Runs a program, and returns what is not as it says."""
    wanted = directives(program)
    command = [*mpiexec, '-n', wanted['ranks'][0], *' '.join(wanted.get('options', [])).split(), python, program]
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=LIMIT_S)
    exit_code = wanted.get('exit', ['0'])[0]
    found = [] if re.fullmatch(exit_code, str(done.returncode)) else [f'exit code {done.returncode}, not {exit_code}']
    found += [f'does not say "{text}"' for text in wanted.get('expect', []) if not re.search(text, done.stdout)]
    found += [f'says "{text}"' for text in wanted.get('expect-not', []) if re.search(text, done.stdout)]
    return found and [*found, done.stdout]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', type=Path, required=True, help='folder of mpiexec')
    parser.add_argument('--work', type=Path, required=True, help='folder in which run.py has built mpi4py')
    parser.add_argument('names', nargs='*', help='programs, without .py (all)')
    a = parser.parse_args()
    python = python_of(a.work)
    modes = ['--processes'] + ['--threads=fiber'] * is_position_independent(python)
    programs = sorted(path for path in FOLDER.glob('*.py') if not a.names or path.stem in a.names)
    failures = 0
    for program in programs:
        for mode in modes:
            found = mistakes(program, [a.bin.resolve() / 'mpiexec', mode], python)
            failures += bool(found)
            print(f'{program.stem} ({mode}):', '\n    '.join(found) or 'ok', flush=True)
    print(f'{len(programs) * len(modes)} runs, {failures} failed')
    sys.exit(failures > 0 or not programs)


main()
