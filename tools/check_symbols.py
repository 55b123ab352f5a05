#!/usr/bin/env python3
"""Checks what libmpi_abi.so.1 exports against mpi.h.

For each MPI_X of mpi.h a weak MPI_X and a strong PMPI_X, which are one function (MPI 5.0 section 15.2); beside them
nothing but the functions of beside.api and what EXTRA lists; nothing that the standard has removed (section 18.1).
Usage: check_symbols.py BUILD_DIR     Exit code 1 and one line per offence.
"""
import re
import subprocess
import sys
from pathlib import Path

# Names of the ABI without a prototype in mpi.h, and what libmpi must show of itself (src/entry/exports.map).
EXTRA_MPI = {'MPI_Psend_init_c', 'MPI_Precv_init_c'}
EXTRA = re.compile(r'__libc_start_main|_dl_find_object|dl_iterate_phdr|thrum_debug_\w+|thrum_fortran_\w+|thrum_removed_\w+|thrum_(?:openmpi|mpich)_\w+|thrum_check_\w+|thrum_c?bsp_\w+|thrum_run(_\w+)?|thrum_result_free')
REMOVED = '''Address Errhandler_create Errhandler_get Errhandler_set Type_extent Type_hindexed Type_hvector Type_lb
    Type_struct Type_ub'''.split()
BESIDE = Path(__file__).parent.parent / 'src/entry/beside.api'
PROTOTYPE = re.compile(r'^[\w ]+?[ *](P?MPI_\w+)\(', re.M)


def exported(library):
    """name -> (type, address) of the dynamic symbols that the library defines."""
    listing = subprocess.run(['nm', '-D', '--defined-only', library], capture_output=True, text=True, check=True)
    symbols = {}
    for line in listing.stdout.splitlines():
        address, kind, name = line.split()
        symbols[name.split('@')[0]] = kind, address
    return symbols


def declared(header):
    """Functions of mpi.h, without the typedefs of callbacks."""
    lines = (line for line in header.read_text().splitlines() if not line.startswith((' ', '#', 'typedef', '}')))
    return set(PROTOTYPE.findall('\n'.join(lines)))


def beside():
    """Functions of <thrum/acl.h> and its kin."""
    return {name for line in BESIDE.read_text().splitlines() if (name := line.split('#')[0].strip())}


def offences(symbols, functions):
    for name in sorted(beside() - symbols.keys()):
        yield f'{name} of beside.api is not exported'
    for name in sorted(name for name in functions if name.startswith('MPI_')):
        if 'P' + name not in functions:
            yield f'mpi.h declares no P{name}'
        for symbol, kind in ((name, 'W'), ('P' + name, 'T')):
            if symbol not in symbols:
                yield f'{symbol} is not exported'
            elif symbols[symbol][0] != kind:
                yield f'{symbol} is of type {symbols[symbol][0]}, not {kind}'
        if symbols.get(name, (0, 0))[1] != symbols.get('P' + name, (0, 0))[1]:
            yield f'{name} is not the same function as P{name}'
    known = functions | beside() | EXTRA_MPI | {'P' + name for name in EXTRA_MPI}
    for name in sorted(symbols):
        if name not in known and not EXTRA.fullmatch(name):
            yield f'{name} is exported, but is neither in mpi.h nor beside.api nor listed here'
    for name in REMOVED:
        for symbol in (f'MPI_{name}', f'PMPI_{name}'):
            if symbol in symbols or symbol in functions:
                yield f'{symbol} was removed from MPI, but is there'


def main():
    build = Path(sys.argv[1])
    functions = declared(build / 'include' / 'mpi.h')
    errors = list(offences(exported(build / 'lib' / 'libmpi_abi.so.1'), functions))
    print('\n'.join(errors) if errors else f'{len(functions)} functions of mpi.h: all are exported, and nothing else')
    return 1 if errors or len(functions) < 1000 else 0


if __name__ == '__main__':
    sys.exit(main())
