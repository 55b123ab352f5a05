#!/usr/bin/env python3
"""Turns mpi.api into the Fortran face of MPI: entry points, their names in the program, mpif.h, modules mpi and mpi_f08.

Usage: generate.py --chapters MPI_API             prints the names of the chapters, separated by semicolons
       generate.py MPI_API MPI_H_IN INCLUDE_DIR OUT_DIR
  INCLUDE_DIR/mpif.h, OUT_DIR/mpi.f90, mpi_f08.f90   constants and interfaces
  OUT_DIR/entries.inc, declarations.inc    thrum_fortran_send(...) in libmpi: converts, then as MPI_Send does
  OUT_DIR/f08_entries.inc, f08_declarations.inc      the same for mpi_f08, where they differ: thrum_fortran_send_f08ts(...)
  OUT_DIR/program_CHAPTER.c                mpi_send_ in libmpifort.a: jumps to thrum_fortran_send
  INCLUDE_DIR/i8/mpif.h, OUT_DIR/i8/..., OUT_DIR/i8_..., OUT_DIR/program_i8_CHAPTER.c    the same for INTEGERs of 8 bytes
"""
import re
import sys

import f08
import i8
from f77 import (BY_HAND, chapters, declaration, entry, module_mpi, mpif_h, program_names, standard_declarations, write)

PROGRAM_HEAD = """#include "fortran/program/buffer.h"
#include "fortran/program/tool.h"
/* The functions are weak: otherwise the compiler may take them for different ones. */
#define IS_TOOL(name) __builtin_expect(name != P##name, 0)
#define BASE(buffer) (((const struct FortranBuffer *)(buffer))->base)
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
    write(f'{include}/mpif.h', mpif_h(standard_declarations(header_in)))
    write(f'{out}/mpi.f90', module_mpi(standard_declarations(header_in), functions))
    write(f'{out}/mpi_f08.f90', f08.module(header_in, functions))
    write(f'{out}/i8_entries.inc', i8.entries(functions), '// ')
    write(f'{out}/i8_f08_entries.inc', i8.f08_entries(functions), '// ')
    specifications = list(standard_declarations(header_in, integer_bytes=8))
    write(f'{include}/i8/mpif.h', mpif_h(specifications))
    write(f'{out}/i8/mpi.f90', module_mpi(specifications, functions))
    write(f'{out}/i8/mpi_f08.f90', f08.module(header_in, functions, i8.forms, integer_bytes=8))


if __name__ == '__main__':
    if sys.argv[1] == '--chapters':
        print(';'.join(chapter for chapter, _ in chapters(sys.argv[2])), end='')
    else:
        main(*sys.argv[1:])
