"""The interfaces of programs whose INTEGER and LOGICAL have 8 bytes (-fdefault-integer-8): entry points and names.

The modules and mpif.h have the text of those for 4 bytes. Their counts, of 8 bytes, reach C's large-count functions, so each procedure
has one form; every other number becomes C's int.
"""
import re

import f08
import f77
from f77 import BY_HAND, C_TYPES, HANDLES

TARGET = 'thrum_fortran_i8_'  # begins the names of the entry points
# How many numbers the arrays have that C expects as int.
LENGTHS = {'array_of_partitions': '*length', 'array_of_distribs': '*ndims', 'array_of_dargs': '*ndims', 'array_of_psizes': '*ndims',
           'array_of_integers': '*max_integers', 'array_of_indices': '*incount', 'ranks': '*n', 'ranks1': '*n', 'ranks2': '*n',
           'coords': '*maxdims', 'dims': '*ndims', 'periods': '*ndims', 'remain_dims': 'dimensions_of(to_c<MPI_Comm>(*comm))',
           'degrees': '*n', 'weights': 'sum_of(degrees, *n)', 'sourceweights': '*indegree', 'destweights': '*outdegree',
           'index': '*nnodes', 'edges': 'edges_of(index, *nnodes)', 'neighbors': '*maxneighbors'}
LENGTHS_IN = {('Cart_get', 'dims'): '*maxdims', ('Cart_get', 'periods'): '*maxdims',
              ('Cart_rank', 'coords'): 'dimensions_of(to_c<MPI_Comm>(*comm))',
              ('Dist_graph_create', 'sources'): '*n', ('Dist_graph_create', 'destinations'): 'sum_of(degrees, *n)',
              ('Dist_graph_create_adjacent', 'sources'): '*indegree', ('Dist_graph_create_adjacent', 'destinations'): '*outdegree',
              ('Dist_graph_neighbors', 'sources'): '*maxindegree', ('Dist_graph_neighbors', 'sourceweights'): '*maxindegree',
              ('Dist_graph_neighbors', 'destinations'): '*maxoutdegree', ('Dist_graph_neighbors', 'destweights'): '*maxoutdegree',
              ('Graph_get', 'index'): '*maxindex', ('Graph_get', 'edges'): '*maxedges'}


def form(function):
    """Returns 1 if the procedure is C's function for large counts. That with more arguments than the other is not."""
    return int(len(function.twins) > 1 and not function.has_large_only and function.name not in BY_HAND)


def forms(function):
    """As f08.forms()."""
    return [0, 1] if function.name in f08.NAMED else [form(function)]


def number(function, p):
    """Returns the expression that converts an INTEGER argument to int and back, or None if it needs no conversion."""
    if p.kind not in C_TYPES or p.kind in HANDLES or p.kind in ('buffer', 'status', 'string') or f08.c_type(p, form(function)) != 'MPI_Fint':
        return None
    length = LENGTHS_IN.get((function.name, p.name)) or LENGTHS.get(p.name)
    is_index = p.kind == 'request_index'
    from_standard = 'to_fortran_index' if is_index else 'same'
    if p.array.endswith('[3]'):
        return f'Triples({p.name}, *n).c()'
    if p.array:
        kind = {'in': 'Numbers', 'out': f'NumbersResult<{from_standard}>', 'inout': 'ChangedNumbers'}[p.direction]
        return f'{"Weights<" * (p.kind == "weight")}{kind}{">" * (p.kind == "weight")}({p.name}, {length}).c()'
    if p.scalar:
        return f'to_int<Int>(*{p.name})'
    return f'ChangedNumber({p.name}).c()' if p.direction == 'inout' else f'Result<{from_standard}>({p.name}).c()'


def own_text(text):
    """Writes INTEGER's type. A datatype has large counts (section 5.1.13) only if they do not fit int: the program has one form of
    MPI_Type_get_envelope."""
    return re.sub(r'mpi::LargeCount<(mpi::\w+)>::call', r'\1', text.replace('MPI_Fint', 'Int'))


def signature_of(function, name):
    """Returns the signature of an entry point that gets addresses of choice buffers."""
    return f08.declaration(function, form(function), name, has_descriptors=False)


def entries(functions):
    for f in functions:
        if f.name not in BY_HAND:
            yield own_text(f08.definition(f, form(f), signature_of(f, f'ENTRY({f.name.lower()})'), number, has_descriptors=False))


def has_descriptors(function):
    return function.name not in f08.ABSENT and f08.has_own_entry(function, 0)


def f08_entries(functions):
    for f in functions:
        if f.name not in BY_HAND and has_descriptors(f):
            yield own_text(f08.entry(f, form(f), number))


def f77_names(function):
    return f77.program_names(function, TARGET, form(function))


def f08_names(function):
    for large in forms(function) if function.name not in f08.ABSENT else ():
        if f08.has_own_entry(function, 0) or large and function.name in f08.NAMED:
            yield from f08.jumps(function, large, TARGET)
        else:
            yield from f08.other_names(function, large)
