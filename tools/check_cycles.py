#!/usr/bin/env python3
"""Checks that no unit (x.cc with x.h) includes itself by way of others, in src/, cmd/ and compiler/.

The units in REMAINING still do; a unit that has left its cycle must leave the list, and none may be added.
Usage: check_cycles.py [ROOT]   Exit code 1 and one line per offence.
"""
import re
import sys
from pathlib import Path

FOLDERS = ('src', 'cmd', 'compiler')
INCLUDE = re.compile(r'^\s*#\s*include\s+"([\w./-]+)"', re.M)
NOT_A_UNIT = re.compile(r'_(test|bench|fuzz)$')
REMAINING = '''
src/fiber/blocking_call src/fiber/hand_over src/fiber/quiet src/fiber/sanitizer src/fiber/scheduler
src/fiber/task src/fiber/team src/fiber/thread_block src/fiber/timer src/fiber/watch
src/fiber/worker src/rank/blocking src/rank/blocking_section src/rank/getopt src/rank/job
src/rank/libc_family src/rank/libc_state src/rank/life src/rank/openmp src/rank/output
src/rank/random src/rank/signals
'''.split()


def read_units(folder):
    """Returns {unit: units that it includes}, names relative to `folder`."""
    files = {path.relative_to(folder): path for path in folder.rglob('*') if path.suffix in ('.h', '.cc')}
    units = {}
    for name, path in files.items():
        unit = name.with_suffix('')
        if NOT_A_UNIT.search(unit.name):
            continue
        includes = units.setdefault(unit, set())
        for text in INCLUDE.findall(path.read_text()):
            for place in (Path(text), Path('mpiexec') / text, name.parent / text):
                if place in files and place.with_suffix('') != unit:
                    includes.add(place.with_suffix(''))
    return units


def reachable(units, start):
    seen, left = set(), [start]
    while left:
        for unit in units.get(left.pop(), ()):
            if unit not in seen:
                seen.add(unit)
                left.append(unit)
    return seen


def units_in_cycles(root):
    for folder in FOLDERS:
        units = read_units(root / folder)
        for unit in units:
            if unit in reachable(units, unit):
                yield f'{folder}/{unit}'


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = set(units_in_cycles(root))
    errors = [f'{unit}: includes itself by way of others; move what both need into a unit below them'
              for unit in sorted(found - set(REMAINING))]
    errors += [f'{unit}: is not in a cycle any more; remove it from REMAINING in {__file__}'
               for unit in sorted(set(REMAINING) - found)]
    print('\n'.join(errors) if errors else f'{len(found)} units are in cycles, as before')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
