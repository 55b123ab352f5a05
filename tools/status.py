#!/usr/bin/env python3
"""Writes docs/status.md: which MPI functions work, from mpi.api and what the build defines.

A function counts as working in C if the core holds a definition of its implementation, thrum::mpi::name; in Fortran if
libmpifort.a also defines the name that the interface calls.
The text of docs/status.md before the line MARKER is written by hand and kept.

Usage: status.py --build DIR [--check]    --check: exit code 1 if docs/status.md is not up to date
"""
import argparse
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / 'src/entry'), str(ROOT / 'src/fortran')]
import f08  # noqa: E402  (src/fortran/f08.py)
import f77  # noqa: E402  (src/fortran/f77.py)

STATUS = ROOT / 'docs' / 'status.md'
MARKER = '<!-- From here on written by tools/status.py (make status). Do not edit. -->'
PREFACE = '''# Status

This page lists what works and what is missing. The tables below are made from the build.

'''
SYMBOL = re.compile(r'^\S*\s+([A-Za-z])\s+thrum::mpi::(\w+)\(')


def chapters():
    """Yields (title, function names) for each commented section of mpi.api."""
    title, names = None, []
    for line in (ROOT / 'src/entry/mpi.api').read_text().splitlines():
        if line.startswith('# ') and not line.startswith('#  '):
            if names:
                yield title, names
            title, names = line[2:].strip(), []
        elif match := re.match(r'(\w+)\(', line):
            names.append(match[1])
    if names:
        yield title, names


def implemented(build):
    """The lower-case names that the core defines."""
    archive = build / 'src' / 'libthrum_core.a'
    if not archive.exists():
        sys.exit(f'status.py: {archive} does not exist; build first')
    listing = subprocess.run(['nm', '-C', '--defined-only', archive], capture_output=True, text=True, check=True)
    found = (SYMBOL.match(line) for line in listing.stdout.splitlines())
    return {match[2] for match in found if match and match[1] == 'T'}


def in_fortran(build):
    """Returns for each interface (the functions that the standard gives it, those of them that work)."""
    listing = subprocess.run(['nm', '--defined-only', build / 'lib' / 'libmpifort.a'], capture_output=True, text=True, check=True)
    defined = {line.split()[-1] for line in listing.stdout.splitlines() if line}
    functions = [f for f in f77.parse_api(ROOT / 'src/entry/mpi.api') if f77.has_fortran_form(f)]
    of_f77 = {f.name for f in functions if f'mpi_{f.name.lower()}_' in defined}
    of_f08 = {f.name for f in functions if f.name not in f08.ABSENT and all(f08.symbols(f, large)[1] in defined for large in f08.forms(f))}
    wanted = {f.name for f in functions}
    return {'mpif.h': (wanted, of_f77), 'mpi': (wanted, of_f77), 'mpi_f08': (wanted - f08.ABSENT, of_f08)}


def tables(build):
    working = implemented(build)
    fortran = in_fortran(build)
    all_chapters = list(chapters())
    total = sum(len(names) for _, names in all_chapters)
    works = sum(name.lower() in working for _, names in all_chapters for name in names)
    yield f'{works} of {total} functions work (each with its large-count form, if it has one).\n'
    yield 'In Fortran, of the functions that the standard gives each interface:\n'
    yield '| chapter | C: work | missing |' + ''.join(f' `{name}`: work | missing |' for name in fortran)
    yield '|---|---:|---:|' + '---:|---:|' * len(fortran)
    for title, names in all_chapters:
        here = sum(name.lower() in working for name in names)
        cells = [here, len(names) - here]
        for wanted, found in fortran.values():
            works_here = sum(name in wanted & found and name.lower() in working for name in names)
            cells += [works_here, len(wanted & set(names)) - works_here]
        yield f'| {title} |' + ''.join(f' {cell} |' for cell in cells)
    for heading, wanted in (('Missing', False), ('Working', True)):
        for title, names in all_chapters:
            chosen = [f'MPI_{name}' for name in names if (name.lower() in working) == wanted]
            if chosen and heading:
                yield f'\n## {heading}'
                heading = None
            if chosen:
                yield '\n' + textwrap.fill(f'**{title}** ({len(chosen)}): {", ".join(chosen)}.', 100)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release')
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    old = STATUS.read_text() if STATUS.exists() else ''
    by_hand = old.split(MARKER)[0] if MARKER in old else PREFACE
    new = by_hand + MARKER + '\n\n' + '\n'.join(tables(options.build)) + '\n'
    if options.check:
        if new != old:
            print('docs/status.md is not up to date: run "make status" and commit it')
        return int(new != old)
    STATUS.parent.mkdir(exist_ok=True)
    STATUS.write_text(new)
    return 0


if __name__ == '__main__':
    sys.exit(main())
