#!/usr/bin/env python3
"""Runs ctest, and shows at the end what failed tests printed, and which tests were skipped and why.

Whole tests may be skipped, and single cases of Python's unittest and of GoogleTest. The summary of ctest comes again after
that, so that it is the last thing to read: of a long log often only the end is at hand. The exit code is ctest's.
Usage: run_tests.py BUILD_DIR CTEST [ARGUMENT]...
"""
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

SHOWN_MAX = 3  # tests of one reason
FAILURES_MAX = 8  # failed tests whose output is shown, and how many lines of it: the last
LINES_MAX = 60
NOT_RUN = re.compile(r'Test +#\d+: (\S+) \.+ *\*\*\*(Skipped|Not Run \((\w+)\))')
FAILED = re.compile(r'^\t *\d+ - (\S+) \((?!Skipped|Disabled)', re.MULTILINE)
RECORD = re.compile(r'^\d+/\d+ Test: (\S+)\n.*?^Output:\n-+\n(.*?)<end of output>', re.MULTILINE | re.DOTALL)
# "test_a (x.Y.test_a) ... skipped 'reason'"; a line of documentation may stand between the two.
CASE = re.compile(r' *(\w+) \(([\w.]+)\)')
UNITTEST = re.compile(r'\.\.\. skipped ([\'"])(.*)\1$')
GOOGLETEST = re.compile(r'^\S+:\d+: Skipped\n(.*)\n\n?\[  SKIPPED \] (\S+) \(', re.MULTILINE)
SUMMARY = re.compile(r'^\d+% tests passed.*|^Total Test time.*|^The following tests FAILED:\n(?:\t.*\n)+', re.MULTILINE)


def skipped_cases(output):
    """Yields the skipped cases of a program with Python's unittest. A class that is skipped as a whole is its `setUpClass`."""
    case = ''
    for line in output.splitlines():
        if match := CASE.match(line):
            case = match[1] if match[1].startswith('test') else match[2]
        if match := UNITTEST.search(line):
            yield match[2], case


def reasons(console, outputs):
    """Yields (reason, test) for all that did not run."""
    skipped = {test: why for test, _, why in NOT_RUN.findall(console)}
    for test, why in skipped.items():
        lines = [line.strip() for line in outputs.get(test, '').splitlines() if line.strip()]
        yield (f'not run by ctest: {why}' if why else lines[-1] if lines else 'the test does not say why'), test
    for test, output in outputs.items():
        if test not in skipped:
            for why, case in skipped_cases(output):
                yield why, f'{test}: {case}'
            for why, case in GOOGLETEST.findall(output):
                yield why, f'{test}: {case}'


def print_skips(console, outputs):
    tests = defaultdict(list)
    for reason, test in reasons(console, outputs):
        if test not in tests[reason]:
            tests[reason].append(test)
    if tests:
        print('\nSkipped, and why:')
    for reason in sorted(tests):
        names = sorted(tests[reason])
        more = f' and {len(names) - SHOWN_MAX} more' if len(names) > SHOWN_MAX else ''
        print(f'  {reason}: {", ".join(names[:SHOWN_MAX])}{more}')


def print_failures(console, outputs):
    failed = FAILED.findall(console)
    for test in failed[:FAILURES_MAX]:
        lines = outputs.get(test, 'no output is on record').rstrip().splitlines()
        print(f'\n{test} failed; ' + (f'the last {LINES_MAX} of its {len(lines)} lines:' if len(lines) > LINES_MAX else 'it printed:'))
        print('\n'.join(f'  {line}' for line in lines[-LINES_MAX:]))
    if len(failed) > FAILURES_MAX:
        print(f'\n{len(failed) - FAILURES_MAX} more failed.')


def main(build, command):
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / 'ctest.log'
        code = subprocess.run([*command, '--output-log', log]).returncode
        console = log.read_text(errors='replace') if log.exists() else ''
    record = Path(build) / 'Testing' / 'Temporary' / 'LastTest.log'
    if record.exists():
        outputs = dict(RECORD.findall(record.read_text(errors='replace')))
        print_failures(console, outputs)
        print_skips(console, outputs)
    print()
    for match in SUMMARY.finditer(console):
        print(match[0].rstrip())
    return code


if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(130)
