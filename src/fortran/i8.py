"""The interfaces of programs whose INTEGER and LOGICAL have 8 bytes (-fdefault-integer-8): entry points and names.

The modules and mpif.h have the text of those for 4 bytes. Their counts, of 8 bytes, reach the implementation of both C functions, so each
procedure has one form; every other number becomes C's int. A tool gets MPI_X if all counts fit int, MPI_X_c otherwise.
"""
import re

import f08
import f77
from f77 import BY_HAND, C_TYPES, HANDLES, WIDENING

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
# How many counts the arrays of collective operations have: of an operation, or of its sent or received part.
ALL_PEERS, AT_ROOT = 'peers_of(to_c<MPI_Comm>(*comm))', 'peers_at_root(to_c<MPI_Comm>(*comm), to_int<Int>(*root))'
DESTINATIONS, SOURCES = 'destinations_of(to_c<MPI_Comm>(*comm))', 'sources_of(to_c<MPI_Comm>(*comm))'
COUNTS = {'allgatherv': ALL_PEERS, 'gatherv': AT_ROOT, 'scatterv': AT_ROOT, 'reduce_scatter': 'members_of(to_c<MPI_Comm>(*comm))',
          'alltoallv s': f'is_in_place(sendbuf) ? 0 : {ALL_PEERS}', 'alltoallv r': ALL_PEERS,
          'alltoallw s': f'is_in_place(sendbuf) ? 0 : {ALL_PEERS}', 'alltoallw r': ALL_PEERS, 'neighbor_allgatherv': SOURCES,
          'neighbor_alltoallv s': DESTINATIONS, 'neighbor_alltoallv r': SOURCES, 'neighbor_alltoallw s': DESTINATIONS,
          'neighbor_alltoallw r': SOURCES, 'type_create_darray': '*ndims', 'type_create_subarray': '*ndims'}


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


def count_of_tool(function, p):
    """Returns the expression for a count that C's two functions get in different sizes, or None if they need no class for it."""
    if p.scalar or p.kind not in WIDENING or f08.c_type(p, 0) != 'MPI_Fint':
        return None
    if p.array:
        operation = re.sub('^I|_init$', '', function.name).lower()
        length = COUNTS.get(operation) or COUNTS.get(f'{operation} {p.name[0]}') or '*count'
        return f'CountsOfTool({p.name}, {length})'
    if function.name.lower().endswith(('buffer_detach', 'detach_buffer')):
        return f'DetachedBytes({p.name})'
    return f'ChangedCountOfTool({p.name})' if p.direction == 'inout' else f'CountResultOfTool({p.name})'


def symbols(function):
    """Returns the C functions that a tool may have."""
    return [function.symbol(large) for large in (0, 1)] if form(function) else [f77.c_symbol(function)]


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
            yield own_text(f08.definition(f, form(f), signature_of(f, f'ENTRY({f.name.lower()})'), number, has_descriptors=False,
                                          either=form(f) and count_of_tool))


def has_descriptors(function):
    return function.name not in f08.ABSENT and f08.has_own_entry(function, 0)


def f08_entries(functions):
    for f in functions:
        if f.name not in BY_HAND and has_descriptors(f):
            yield own_text(f08.entry(f, form(f), number, either=form(f) and count_of_tool))


def f77_names(function):
    return f77.program_names(function, TARGET, symbols(function))


def f08_names(function):
    for large in forms(function) if function.name not in f08.ABSENT else ():
        if f08.has_own_entry(function, 0) or large and function.name in f08.NAMED:
            yield from f08.jumps(function, large, TARGET, symbols(function))
        else:
            yield from f08.other_names(function, large)
