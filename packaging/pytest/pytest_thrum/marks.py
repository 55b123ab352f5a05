"""What the markers of a test ask for.

@pytest.mark.mpi(ranks=[1, 2, 4])   of this plug-in: so many ranks, once for each number
@pytest.mark.mpi, mpi(min_size=N)   of pytest-mpi: with --with-mpi, with as many ranks as there are
@pytest.mark.parallel(N or list)    of mpi-pytest: as mpi(ranks=...)
"""
import os
from collections.abc import Iterable
from numbers import Integral

import pytest

PARAMETER = 'mpi_ranks'
PARALLEL_DEFAULT = 3  # of mpi-pytest
MOST_VARIABLE = 'PYTEST_MPI_MAX_NPROCS'  # of mpi-pytest


class MarkError(ValueError):
    """A marker that asks for something impossible."""


def _counts(value, marker):
    values = list(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else [value]
    for count in values:
        if isinstance(count, bool) or not isinstance(count, Integral) or count < 1:
            raise MarkError(f'{marker}: {count!r} is not a number of ranks; use a whole number from 1, or a list of them')
    if not values:
        raise MarkError(f'{marker}: the list of numbers of ranks is empty')
    if len(set(values)) != len(values):
        raise MarkError(f'{marker}: a number of ranks appears twice in {values}')
    most = os.environ.get(MOST_VARIABLE, '')
    if most and not most.isdigit():
        raise MarkError(f'{MOST_VARIABLE}={most} is not a whole number')
    if most and max(values) > int(most):
        raise MarkError(f'{marker}: {max(values)} ranks are more than {MOST_VARIABLE}={most} allows')
    return [int(count) for count in values]


def _known(mark, *names):
    for name in mark.kwargs:
        if name not in names:
            raise MarkError(f'{mark.name}({name}=...): unknown; known are {", ".join(names)}')


def _counts_of_mpi(mark):
    _known(mark, 'ranks', 'min_size', 'minsize')  # pytest-mpi's documentation has both spellings of the latter
    if 'ranks' not in mark.kwargs:
        return None
    if mark.args or len(mark.kwargs) > 1:
        raise MarkError('mpi(ranks=...): give nothing besides ranks')
    return _counts(mark.kwargs['ranks'], f'mpi(ranks={mark.kwargs["ranks"]!r})')


def _counts_of_parallel(mark):
    _known(mark, 'nprocs')
    if len(mark.args) + len(mark.kwargs) > 1:
        raise MarkError('parallel(...): give the number of ranks once, as in parallel(2) or parallel(nprocs=2)')
    value = next(iter([*mark.args, *mark.kwargs.values()]), PARALLEL_DEFAULT)
    return _counts(value, f'parallel({value!r})')


def counts_of(node):
    """The numbers of ranks that the markers of a test or of its class or module fix; None: they fix none."""
    mpi, parallel = node.get_closest_marker('mpi'), node.get_closest_marker('parallel')
    of_mpi = _counts_of_mpi(mpi) if mpi else None
    if of_mpi and parallel:
        raise MarkError('mpi(ranks=...) and parallel are both set: use one of them')
    return _counts_of_parallel(parallel) if parallel else of_mpi


def split_by_counts(metafunc):
    """Makes a test of each number of ranks, if there are several: test[ranks=2] or, with `parallel`, test[nprocs=2]."""
    counts, wrong = None, None
    try:
        counts = counts_of(metafunc.definition)
    except MarkError as error:
        wrong = f'{metafunc.definition.nodeid}: {error}'
    if wrong:
        pytest.fail(wrong, pytrace=False)
    if counts is None or len(counts) == 1:
        return
    word = 'nprocs' if metafunc.definition.get_closest_marker('parallel') else 'ranks'
    if PARAMETER not in metafunc.fixturenames:
        metafunc.fixturenames.append(PARAMETER)
    metafunc.parametrize(PARAMETER, counts, ids=[f'{word}={count}' for count in counts])


def count_of(item):
    """The number of ranks of one test, after split_by_counts(); None: its markers fix none."""
    parameters = item.callspec.params if hasattr(item, 'callspec') else {}
    if PARAMETER in parameters:
        return parameters[PARAMETER]
    try:
        counts = counts_of(item)
    except MarkError as error:  # of something that is not a function
        raise pytest.UsageError(f'{item.nodeid}: {error}') from None
    if counts and len(counts) > 1:
        raise pytest.UsageError(f'{item.nodeid}: only functions and methods can have several numbers of ranks')
    return counts[0] if counts else None


def min_size_of(item):
    """The least number of ranks that pytest-mpi's marker asks for: mpi(min_size=N). Raises ValueError for mpi(N)."""
    least = 1
    for mark in item.iter_markers('mpi'):
        if mark.args:
            raise ValueError(f'mpi({mark.args[0]!r}): the marker takes no positional argument; write mpi(ranks={mark.args[0]!r}), '
                             'or mpi(min_size=...) as for pytest-mpi')
        for name in ('min_size', 'minsize'):
            value = mark.kwargs.get(name)
            if value is not None:
                least = max(least, *_counts(value, f'mpi({name}={value!r})'))
    return least


def uses_mpi_without_count(item):
    """Whether this is a test as for pytest-mpi, which runs with as many ranks as there are."""
    return item.get_closest_marker('mpi') is not None and count_of(item) is None
