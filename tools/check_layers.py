#!/usr/bin/env python3
"""Checks the includes between the folders of src/, src/fabric/ and cmd/mpiexec/ against tables of allowed edges.

A file may include from its own folder and from those that its table gives it. A table is as tight as the code: an edge that no
file needs must leave it. Folders stand in order, and may use only folders before them, so there is no cycle; tests, benchmarks,
fuzzers and what they share (FOLDER/testing/) may include from any folder before theirs. Nothing else includes from a testing/.
Usage: check_layers.py [ROOT]   Exit code 1 and one line per offence.
"""
import re
import sys
from pathlib import Path

ALLOWED = {
    'src': {
        'base': '',
        'trace': 'base',
        'observe': 'base trace',
        'fiber': 'base trace',
        'image': 'base',
        'plugin': 'base image',
        'rank': 'base trace observe fiber image',
        'libc': 'base fiber image plugin rank',
        'record': 'base rank',
        'wireup': 'base fiber rank libc',
        'fabric': 'base trace fiber',
        'datatype': 'base',
        'match': 'base',
        'comm': 'base fiber rank wireup fabric datatype match',
        'check': 'base trace fiber rank record datatype match comm',
        'pt2pt': 'base trace observe fiber rank record wireup fabric datatype match comm check',
        'meeting': 'base trace observe fiber rank datatype comm check',
        'exchange': 'base trace fiber wireup fabric comm pt2pt meeting',
        'pending': 'base trace observe fiber datatype comm check pt2pt meeting exchange',
        'coll': 'base wireup datatype comm check pt2pt meeting exchange pending',
        'rma': 'base trace fiber rank wireup fabric datatype comm check pt2pt exchange coll',
        'io': 'base trace fiber libc wireup fabric datatype comm pt2pt meeting exchange',
        'acl': 'base fiber rank wireup fabric comm meeting exchange coll',
        'inspect': 'base observe fiber image rank wireup fabric comm check pt2pt meeting rma acl',
        'bsp': 'base trace fiber image rank wireup fabric comm check exchange inspect',
        'entry': 'base observe fiber image rank wireup datatype comm check pt2pt rma io inspect bsp',
        'lifecycle': 'base observe fiber rank record wireup fabric comm check pt2pt rma io acl inspect bsp entry',
        'run': 'base fiber image rank libc wireup comm pt2pt inspect',
        'mpi': 'base trace observe fiber image rank record wireup fabric datatype comm check pt2pt meeting exchange pending coll rma io acl inspect bsp entry lifecycle',
        'removed': 'base datatype comm entry',
        'fortran': 'base rank datatype comm pt2pt entry mpi removed',
        'front': 'base image datatype comm entry mpi removed fortran',
    },
    'src/fabric': {  # the files beside these folders are above them
        'packet': '',
        'waking': '',
        'channel': 'packet waking',
        'shared_memory': 'packet waking channel',
        'network': 'packet waking',
        'endpoint': 'packet',
    },
    'cmd/mpiexec': {
        'plan': '',
        'command_line': 'plan',
        'server': 'plan',
        'start': 'plan server',
        'agents': 'plan server start',
        'launcher': 'plan server start agents',
        'runs': 'plan start',
        'fuzz': 'plan start runs',
        'explore': 'plan start runs',
    },
}
PREFIXES = {'src': '', 'src/fabric': 'fabric/', 'cmd/mpiexec': ''}  # with which files are included
FOR_TESTS = re.compile(r'_(test|bench|fuzz)$')


def is_for_tests(path):
    return FOR_TESTS.search(path.stem) or path.parent.name == 'testing'


def includes(tree, prefix):
    """Yields (file, line number, folder, folder that it includes from, whether from a testing/) for the files in `tree`.

    The second folder is '' if the included file stands in `tree` itself.
    """
    include = re.compile(rf'\s*#\s*include\s+"{prefix}(?:(\w+)/)?(?:(\w+)/)?\w')
    for path in sorted(tree.rglob('*')):
        if path.suffix not in ('.h', '.cc', '.S', '.inc') or path.parent == tree:
            continue
        own = path.relative_to(tree).parts[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = include.match(line)
            if match and (match[1] is None or (tree / match[1]).is_dir()):
                yield path, number, own, match[1] or '', 'testing' in match.groups()


def offences(tree, prefix, allowed):
    order = list(allowed)
    for folder in sorted(path.name for path in tree.iterdir() if path.is_dir()):
        if folder not in allowed and folder != 'testing':
            yield f'{tree / folder}: has no line in {__file__}'
    needed = set()
    for path, number, own, other, from_testing in includes(tree, prefix):
        if from_testing and not is_for_tests(path):
            yield f'{path}:{number}: only tests and benchmarks may include from a testing/ folder'
        if own == other or own not in allowed or (other and other not in allowed):
            continue
        if is_for_tests(path):
            if other and order.index(other) > order.index(own):
                yield f'{path}:{number}: a test of "{own}" includes from the higher folder "{other}"'
            continue
        if not other:
            if prefix:
                yield f'{path}:{number}: "{own}" may not include from {tree}, which stands above it'
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
    errors = [error for tree, allowed in ALLOWED.items() for error in offences(root / tree, PREFIXES[tree], allowed)]
    edges = sum(len(others.split()) for allowed in ALLOWED.values() for others in allowed.values())
    print('\n'.join(errors) if errors else f'{root}: {edges} edges between folders, all of them used')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
