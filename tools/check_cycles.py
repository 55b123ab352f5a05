#!/usr/bin/env python3
"""Checks that no unit (x.cc with x.h) includes itself by way of others, in src/, cmd/ and compiler/.

Usage: check_cycles.py [ROOT]   Exit code 1 and one line per offence.
"""
import re
import sys
from pathlib import Path

FOLDERS = ('src', 'cmd', 'compiler')
INCLUDE = re.compile(r'^\s*#\s*include\s+"([\w./-]+)"', re.M)
NOT_A_UNIT = re.compile(r'_(test|bench|fuzz)$')


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
    errors = [f'{unit}: includes itself by way of others; move what both need into a unit below them'
              for unit in sorted(units_in_cycles(root))]
    print('\n'.join(errors) if errors else f'{root}: no unit is in a cycle')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
