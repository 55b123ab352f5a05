#!/usr/bin/env python3
"""Checks the includes between the folders of src/, and of cmd/mpiexec/, against tables of allowed edges.

A file may include from its own folder and from those that its table gives it. A table is as tight as the code: an edge that no
file needs must leave it. Folders stand in order, and may use only folders before them, so there is no cycle; tests, benchmarks
and fuzzers may include from any folder before theirs.
Usage: check_layers.py [ROOT]   Exit code 1 and one line per offence.
"""
import re
import sys
from pathlib import Path

ALLOWED = {
    'src': {
        'base': '',
        'trace': 'base',
        'fiber': 'base trace',
        'image': 'base',
        'rank': 'base trace fiber image',
        'wireup': 'base fiber rank',
        'fabric': 'base trace fiber',
        'datatype': 'base',
        'match': 'base',
        'comm': 'base fiber rank wireup fabric datatype match',
        'pt2pt': 'base trace fiber rank wireup fabric datatype match comm',
        'meeting': 'base trace fiber rank datatype comm',
        'exchange': 'base trace fiber wireup comm pt2pt meeting',
        'pending': 'base fiber datatype comm pt2pt meeting exchange',
        'coll': 'base wireup datatype comm pt2pt meeting exchange pending',
        'rma': 'base trace fiber rank wireup fabric datatype comm pt2pt exchange coll',
        'io': 'base trace fiber rank wireup fabric datatype comm pt2pt meeting exchange',
        'acl': 'base fiber rank wireup fabric comm meeting exchange coll',
        'inspect': 'base fiber image rank wireup fabric comm pt2pt rma acl',
        'bsp': 'base trace fiber image rank wireup fabric comm exchange inspect',
        'mpi': 'base trace fiber image rank wireup fabric datatype comm pt2pt meeting exchange pending coll rma io acl inspect bsp',
        'fortran': 'comm mpi',
    },
    'cmd/mpiexec': {
        'plan': '',
        'command_line': 'plan',
        'server': 'plan',
        'start': 'plan server',
        'agents': 'plan server start',
        'launcher': 'plan server start agents',
    },
}
INCLUDE = re.compile(r'\s*#\s*include\s+"(\w+)/')
FOR_TESTS = re.compile(r'_(test|bench|fuzz)$')


def includes(tree):
    """Yields (file, line number, folder, folder that it includes from) for the files in folders of `tree`."""
    for path in sorted(tree.rglob('*')):
        if path.suffix not in ('.h', '.cc', '.S', '.inc') or path.parent == tree:
            continue
        own = path.relative_to(tree).parts[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match[1] != own and (tree / match[1]).is_dir():
                yield path, number, own, match[1]


def offences(tree, allowed):
    order = list(allowed)
    for folder in sorted(path.name for path in tree.iterdir() if path.is_dir()):
        if folder not in allowed:
            yield f'{tree / folder}: has no line in {__file__}'
    needed = set()
    for path, number, own, other in includes(tree):
        if own not in allowed or other not in allowed:
            continue
        if FOR_TESTS.search(path.stem):
            if order.index(other) > order.index(own):
                yield f'{path}:{number}: a test of "{own}" includes from the higher folder "{other}"'
            continue
        needed.add((own, other))
        if other not in allowed[own].split():
            yield f'{path}:{number}: "{own}" may not include from "{other}" ({__file__})'
    for own, others in allowed.items():
        for other in others.split():
            if order.index(other) >= order.index(own):
                yield f'{__file__}: "{own}" stands before "{other}", which it may use'
            if (own, other) not in needed:
                yield f'{__file__}: no file of "{own}" includes from "{other}" any more; remove the edge'


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    errors = [error for tree, allowed in ALLOWED.items() for error in offences(root / tree, allowed)]
    edges = sum(len(others.split()) for allowed in ALLOWED.values() for others in allowed.values())
    print('\n'.join(errors) if errors else f'{root}: {edges} edges between folders, all of them used')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
