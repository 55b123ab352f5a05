#!/usr/bin/env python3
"""Turns mpi.api into the Fortran face of MPI: entry points, their names in the program, mpif.h, modules mpi and mpi_f08.

Usage: generate.py --chapters MPI_API             prints the names of the chapters, separated by semicolons
       generate.py MPI_API MPI_H_IN INCLUDE_DIR OUT_DIR
  INCLUDE_DIR/mpif.h, OUT_DIR/mpi.f90, mpi_f08.f90   constants and interfaces
  OUT_DIR/entries.inc, declarations.inc    thrum_fortran_send(...) in libmpi: converts, then as MPI_Send does
  OUT_DIR/f08_entries.inc, f08_declarations.inc      the same for mpi_f08, where they differ: thrum_fortran_send_f08ts(...)
  OUT_DIR/program_CHAPTER.c                mpi_send_ in libmpifort.a: jumps to thrum_fortran_send
  INCLUDE_DIR/i8/mpif.h, OUT_DIR/i8/..., OUT_DIR/i8_..., OUT_DIR/program_i8_CHAPTER.c    the same for INTEGERs of 8 bytes
  .../r8/..., .../r8d8/...    mpif.h and modules for REALs of 8 bytes, and DOUBLE PRECISION of 16 or 8
"""
import re
import sys

import f08
import i8
from f77 import (BY_HAND, REALS, chapters, declaration, entry, module_mpi, mpif_h, program_names, standard_declarations, write)

PROGRAM_HEAD = """#include "fortran/program/buffer.h"
#include "fortran/program/integer.h"
#include "fortran/program/tool.h"
/* The functions are weak: otherwise the compiler may take them for different ones. */
#define IS_TOOL(name) __builtin_expect(name != P##name, 0)
#define BASE(buffer) (((const struct FortranBuffer *)(buffer))->base)
#define IS_CHECKED __builtin_expect(thrum_check_fortran_buffer != 0, 0)
#define NUMBER(type, place) (*(const type *)(place))
#define FOR_TOOL static __attribute__((noinline, cold))
extern const char thrum_sentinels[] __attribute__((visibility("hidden")));
static const char *const keep __attribute__((used)) = thrum_sentinels;"""


def with_cptr(function, names):
    """Writes the names of a procedure, and of its form with TYPE(C_PTR)."""
    yield names
    if any(p.name == 'baseptr' for p in function.parameters):
        yield re.sub(rf'\b((tell_)?p?mpi_{function.name.lower()}_)(?=\()', r'\1cptr_', names)


def program(functions):
    yield PROGRAM_HEAD
    for f in functions:
        yield from with_cptr(f, program_names(f))
        yield from f08.program_names(f)


def program_i8(functions):
    yield PROGRAM_HEAD
    for f in functions:
        yield from with_cptr(f, i8.f77_names(f))
        yield from i8.f08_names(f)


def interfaces(header_in, functions, include, out, forms, integer_bytes, reals):
    """Writes mpif.h and the modules for programs whose default types have these sizes."""
    specifications = list(standard_declarations(header_in, integer_bytes, reals))
    write(f'{include}/mpif.h', mpif_h(specifications))
    write(f'{out}/mpi.f90', module_mpi(specifications, functions))
    write(f'{out}/mpi_f08.f90', f08.module(header_in, functions, forms, integer_bytes, reals))


def main(api, header_in, include, out):
    sections = list(chapters(api))
    functions = [f for _, names in sections for f in names]
    write(f'{out}/declarations.inc', (declaration(f) + ';' for f in functions), '// ')
    write(f'{out}/entries.inc', (entry(f) for f in functions if f.name not in BY_HAND), '// ')
    write(f'{out}/f08_declarations.inc', f08.declarations(functions), '// ')
    write(f'{out}/f08_entries.inc', f08.entries(functions), '// ')
    for chapter, names in sections:
        write(f'{out}/program_{chapter}.c', program(names), '// ')
        write(f'{out}/program_i8_{chapter}.c', program_i8(names), '// ')
    write(f'{out}/i8_entries.inc', i8.entries(functions), '// ')
    write(f'{out}/i8_f08_entries.inc', i8.f08_entries(functions), '// ')
    for folder, sizes in REALS.items():
        interfaces(header_in, functions, f'{include}/{folder}', f'{out}/{folder}', f08.forms, 4, sizes)
        interfaces(header_in, functions, f'{include}/i8/{folder}', f'{out}/i8/{folder}', i8.forms, 8, sizes)


if __name__ == '__main__':
    if sys.argv[1] == '--chapters':
        print(';'.join(chapter for chapter, _ in chapters(sys.argv[2])), end='')
    else:
        main(*sys.argv[1:])
