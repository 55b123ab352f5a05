"""The plug-in: its options, markers and fixtures.

A process is one of three things: the session in front (controller.Controller), a rank of a group that the session in front has
started (worker.Rank), or a rank of `mpiexec -n N pytest` (job.Job).

PYTEST_DONT_REWRITE: it has no assertions, and a rank imports it before pytest begins.
"""
import argparse
import sys
import types
from importlib import metadata
from pathlib import Path

import pytest

from . import marks, mpi, parallel_assert
from .controller import Controller
from .job import Job, prepare_quiet_rank

# The worker.Rank of this process, which the worker sets before pytest begins; None: it is no rank of a group.
role_of_this_process = None

# Packages that define the same markers, and the names under which pytest knows them.
_SAME_MARKERS = {'mpi-pytest': 'mpi-pytest', 'pytest-mpi': 'pytest_mpi'}

_MARKERS = (
    'mpi(ranks=N or [N, ...]): run the test in N MPI ranks, once for each number. Without ranks (as for pytest-mpi): a test for '
    'the ranks that there are, run with --with-mpi; min_size=N: skip it if there are fewer',
    'parallel(nprocs=N or [N, ...]): run the test in N MPI ranks (default 3), as for mpi-pytest',
    'mpi_skip: skip the test with --with-mpi',
    'mpi_xfail: the test is expected to fail with --with-mpi',
    'mpi_break: as mpi_skip',
)
_SKIPS = {'mpi_skip': 'test does not work under mpi', 'mpi_break': 'test does not work under mpi'}


def _check_neighbours(pluginmanager):
    for package, name in _SAME_MARKERS.items():
        try:
            metadata.distribution(package)
        except metadata.PackageNotFoundError:
            continue
        if not pluginmanager.is_blocked(name):
            raise pytest.UsageError(f'{package} and pytest-thrum define the same markers: run pip uninstall {package}, '
                                    f'or choose one of them with -p no:{name} or -p no:thrum')


def _provide_pytest_mpi():
    """Lets tests import parallel_assert from pytest_mpi, as with mpi-pytest, unless there is such a module."""
    from importlib.util import find_spec
    if 'pytest_mpi' in sys.modules:
        return
    found = find_spec('pytest_mpi')
    if found and found.origin:  # otherwise a folder without a module, such as pip leaves when it has uninstalled one
        return
    module = types.ModuleType('pytest_mpi', 'The names of mpi-pytest (pytest-thrum).')
    module.__path__ = []
    module.parallel_assert = parallel_assert.parallel_assert
    sys.modules['pytest_mpi'] = module
    sys.modules['pytest_mpi.parallel_assert'] = parallel_assert


def _seconds(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < float('inf'):
        raise argparse.ArgumentTypeError(f'{text!r} is not a number of seconds above 0')
    return value


def _ranks(text):
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'{text!r} is not a number of ranks: use a whole number from 1')
    return int(text)


def pytest_addoption(parser, pluginmanager):
    _check_neighbours(pluginmanager)
    group = parser.getgroup('mpi', 'MPI ranks (pytest-thrum)')
    group.addoption('--mpi-options', metavar='WORDS', help="options of mpiexec for tests' ranks, such as --mpi-options=--check")
    group.addoption('--mpi-timeout', metavar='SECONDS', type=_seconds, help='a test in several ranks fails after SECONDS (default: never)')
    group.addoption('--mpi-ranks', metavar='N', type=_ranks, help='ranks for tests marked mpi without a number (default: 2)')
    group.addoption('--with-mpi', action='store_true', default=False, help='run tests marked mpi without a number, too')
    group.addoption('--only-mpi', action='store_true', default=False, help='run only tests marked mpi or parallel')
    parser.addini('mpi_options', 'options of mpiexec, before those of --mpi-options', type='args', default=[])
    parser.addini('mpi_timeout', 'as --mpi-timeout', default='')
    parser.addini('mpi_ranks', 'as --mpi-ranks', default='2')


def _check_ini(config):
    for name, parse in (('mpi_timeout', _seconds), ('mpi_ranks', _ranks)):
        value = config.getini(name)
        try:
            if value:
                parse(value)
        except argparse.ArgumentTypeError as error:
            raise pytest.UsageError(f'{config.inipath}: {name}: {error}') from None


def _job_world():
    """The world of `mpiexec -n N pytest`; None if this process is alone."""
    library = mpi.library_of_this_job() if role_of_this_process is None else None
    if library is None:
        return None
    world = mpi.begin(library)
    return world if world.size > 1 else None


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config):
    if _job_world() and early_config.known_args_namespace.capture == 'fd':
        # Thrum's reports go to standard error, also in the middle of a test.
        early_config.known_args_namespace.capture = 'sys'
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    world = _job_world()
    if world and world.rank:
        prepare_quiet_rank(config, world)


class Plugin:
    """module: this one, for those who need the name under which pytest knows it."""

    module = sys.modules[__name__]


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    for line in _MARKERS:
        config.addinivalue_line('markers', line)
    _check_ini(config)
    _provide_pytest_mpi()
    config.pluginmanager.register(Plugin(), 'thrum-plugin')
    if role_of_this_process is not None:
        return
    other = mpi.other_launcher()
    world = _job_world()
    if other and not world:
        raise pytest.UsageError(f"this is a job of {other}: start pytest with Thrum's mpiexec, or without one")
    config.pluginmanager.register(Job(config, world) if world else Controller(config), 'thrum-session')


def pytest_generate_tests(metafunc):
    marks.split_by_counts(metafunc)


def _mark_with_count(config, item, size):
    """The markers of mpi-pytest by which -m selects: parallel[3], parallel[match]."""
    count = marks.count_of(item) or 1
    for name in [f'parallel[{count}]', *(['parallel[match]'] if count == size else [])]:
        config.addinivalue_line('markers', f'{name}: tests in so many ranks')
        item.add_marker(getattr(pytest.mark, name))


def _mark_as_pytest_mpi(config, item):
    """What pytest-mpi's options skip."""
    with_mpi, only_mpi = config.getoption('with_mpi'), config.getoption('only_mpi')
    is_mpi = any(item.get_closest_marker(name) for name in ('mpi', 'parallel'))
    if with_mpi:
        for name, reason in _SKIPS.items():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))
        if item.get_closest_marker('mpi_xfail'):
            item.add_marker(pytest.mark.xfail(reason='test fails under mpi'))
    elif only_mpi and not is_mpi:
        item.add_marker(pytest.mark.skip(reason='test does not use mpi'))
    elif not only_mpi and marks.uses_mpi_without_count(item):
        item.add_marker(pytest.mark.skip(reason='need --with-mpi option to run'))


def _refuse_count(item, size, uses_parallel):
    """In a job of `size` ranks: tests for another number."""
    count = marks.count_of(item)
    if count is None:
        return uses_parallel and not item.get_closest_marker('mpi') and \
            'this test is for one process; select tests by -m parallel[match], or mark it parallel'
    if count != size and item.get_closest_marker('parallel'):
        return f'this test needs {count} ranks, and the job has {size}; select tests by -m parallel[match]'
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    world = _job_world()
    size = world.size if world else 1
    selects = 'parallel[' in (getattr(config.option, 'markexpr', '') or '')
    uses_parallel = any(item.get_closest_marker('parallel') for item in items)
    for item in items:
        if selects:
            _mark_with_count(config, item, size)
        if role_of_this_process is None:
            _mark_as_pytest_mpi(config, item)
        if world:
            count = marks.count_of(item)
            if count and count != size and not item.get_closest_marker('parallel'):
                item.add_marker(pytest.mark.skip(reason=f'needs {count} ranks, and this job has {size}'))
            item.stash[_refusal] = _refuse_count(item, size, uses_parallel)


_refusal = pytest.StashKey()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    refusal = item.stash.get(_refusal, None)
    if refusal and not item.get_closest_marker('skip'):
        pytest.fail(refusal, pytrace=False)
    world = mpi.world()
    if world and marks.uses_mpi_without_count(item):
        _check_min_size(item, world.size)


def _check_min_size(item, size):
    """What pytest-mpi's marker asks for in a job or group of `size` ranks."""
    least, wrong = 1, None
    try:
        least = marks.min_size_of(item)
    except ValueError as error:
        wrong = str(error)
    if wrong:
        pytest.fail(wrong, pytrace=False)
    if least > size:
        raise pytest.skip.Exception(f'needs {least} ranks or more, and this job has {size}', _use_item_location=True)


@pytest.fixture
def mpi_ranks(request):
    """The number of ranks in which the test runs."""
    world = mpi.world()
    return world.size if world else 1


def _of_rank_0(value):
    world = mpi.world()
    return world.of_rank_0(value) if world else value


@pytest.fixture
def mpi_file_name(tmp_path, request):
    """The path of a file (str) in a temporary folder: the same in all ranks."""
    name = ''.join(c if c.isalnum() or c in '-_.' else '_' for c in request.node.name)
    return _of_rank_0(str(tmp_path / f'{name}.hdf5'))


@pytest.fixture
def mpi_tmp_path(tmp_path):
    """A temporary folder (pathlib.Path): the same in all ranks."""
    return Path(_of_rank_0(str(tmp_path)))


@pytest.fixture
def mpi_tmpdir(tmpdir):
    """A temporary folder (as the fixture tmpdir): the same in all ranks."""
    return type(tmpdir)(_of_rank_0(str(tmpdir)))
