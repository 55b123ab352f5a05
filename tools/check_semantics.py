#!/usr/bin/env python3
"""Checks that each promise of docs/process_semantics.md names a test, and that the tests are there.

A row of the table ends in a cell with tests as `FOLDER/NAME` (tests/*/FOLDER/NAME.c, .cc, .f90 or, with its ending, a
script; or tests/FOLDER/NAME), a link to another page that does, or "no promise".
Usage: check_semantics.py ROOT   Exit code 1 and one line per offence.
"""
import re
import sys
from pathlib import Path

ENDINGS = ('', '.c', '.cc', '.f90')


def offences(root):
    page = root / 'docs' / 'process_semantics.md'
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if not line.startswith('| ') or line.startswith('| what |'):
            continue
        cells = line.strip().strip('|').split(' | ')
        proof = cells[-1]
        names = re.findall(r'`([\w/.]+)`', proof)
        proven = names or '](' in proof or proof.strip() == 'no promise'
        if len(cells) != 4 or not proven:
            yield f'{page}:{number}: the row of {cells[0].strip()} names no test'
        for test in names:
            if not any(path.is_file() for ending in ENDINGS for folder in ('tests', 'tests/*')
                       for path in root.glob(f'{folder}/{test}{ending}')):
                yield f'{page}:{number}: there is no test {test}'


def main():
    found = list(offences(Path(sys.argv[1])))
    print('\n'.join(found))
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
