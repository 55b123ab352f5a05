#!/usr/bin/env python3
"""Checks that src/ is one total order of layers.

A file may include only from its own folder or from a layer that stands before it in LAYERS.
Usage: check_layers.py [SRC]   Exit code 1 and one line per offence when the order is broken.
"""
import re
import sys
from pathlib import Path

LAYERS = ('base trace fiber image rank wireup fabric datatype match comm pt2pt '
          'meeting exchange pending coll rma io '
          'acl inspect bsp mpi fortran').split()
INCLUDE = re.compile(r'\s*#\s*include\s+"([\w.]+)/')


def offences(src):
    for path in sorted(src.rglob('*')):
        if path.suffix not in ('.h', '.cc', '.S', '.inc'):
            continue
        own = path.relative_to(src).parts[0]
        if own not in LAYERS:
            yield f'{path}: "{own}" is not a layer; add it to LAYERS in {__file__} or move the file'
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match[1] in LAYERS and LAYERS.index(match[1]) > LAYERS.index(own):
                yield (f'{path}:{number}: layer "{own}" must not include from the higher layer '
                       f'"{match[1]}"; pass a callback down instead')


def main():
    src = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / 'src')
    errors = list(offences(src))
    print('\n'.join(errors) if errors else f'{src}: layers are in order')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
