"""A rank of `mpiexec -n N pytest`: every rank runs all tests, and each test ends with one report of all ranks.

Only rank 0 shows and writes something. A failure of another rank is shown there, unless other ranks still hang in the test after a
second: then the rank that failed shows it, since Thrum may end the job at any time.
"""
import os
import sys

import pytest
from _pytest.config import create_terminal_writer
from _pytest.runner import runtestprotocol

from . import reports
from .thrum_lines import text_of

_PATIENCE_S = 1.0


def prepare_quiet_rank(config, world):
    """Before pytest uses the options: what only rank 0 writes, and folders that ranks must not share."""
    config.option.xmlpath = None
    if config.option.basetemp:
        config.option.basetemp = f'{config.option.basetemp}-rank-{world.rank}'


def silence(config):
    """Lets the terminal reporter of this process, of which pytest makes use elsewhere, write nothing."""
    reporter = config.pluginmanager.getplugin('terminalreporter')
    if reporter:
        reporter._tw = create_terminal_writer(config, open(os.devnull, 'w'))


class Job:
    """The plug-in of a rank of such a job."""

    def __init__(self, config, world):
        self._config, self._world = config, world
        self._collect_errors = []
        if getattr(config.option, 'numprocesses', None) or getattr(config.option, 'dist', 'no') != 'no':
            raise pytest.UsageError('mpiexec -n N pytest cannot be combined with pytest-xdist (-n, --dist): start pytest without mpiexec')
        if world.rank:
            silence(config)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self):
        cache = getattr(self._config, 'cache', None)
        if self._world.rank and cache:
            cache.set = lambda key, value: None  # --lf and similar options: rank 0 writes what they read
        yield

    def pytest_report_header(self):
        return f'mpi: {self._world.size} ranks of one job'

    def pytest_collectreport(self, report):
        if report.failed:
            self._collect_errors.append(f'{report.nodeid}:\n{report.longrepr}')

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        """Ends the session here if the ranks have not collected the same tests."""
        what = 'the collection failed'
        self._world.barrier_within(_PATIENCE_S if self._collect_errors else 0,
                                   lambda: self._collect_errors and self._show(what, self._collect_errors))
        found = self._world.allgather((self._collect_errors, [item.nodeid for item in session.items]))
        (own_errors, names), different = found[0], [rank for rank, one in enumerate(found) if one != found[0]]
        if not different:
            return
        first = different[0]
        errors, others = found[first]
        if errors != own_errors:
            text = f'{text_of([first])} has other errors in its collection than rank 0'
            if self._world.rank == 0:
                sys.stderr.write(f'\n{text}:\n' + '\n'.join(errors) + '\n')
        else:
            odd = next((pair for pair in zip(names, others) if pair[0] != pair[1]), (f'{len(names)} tests', f'{len(others)} tests'))
            text = (f'the ranks have collected different tests: rank 0 {odd[0]}, {text_of([first])} {odd[1]}. '
                    'Do the parameters or the order of tests differ between processes?')
        pytest.exit(text, pytest.ExitCode.INTERRUPTED)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        own = runtestprotocol(item, log=False, nextitem=nextitem)
        failed = [str(report.longrepr) for report in own if report.outcome == 'failed']
        self._world.barrier_within(_PATIENCE_S if failed else 0, lambda: failed and self._show(f'{item.nodeid} failed', failed))
        packed = self._world.allgather([reports.pack(self._config, report) for report in own])
        by_rank = {rank: [reports.unpack(self._config, one) for one in data] for rank, data in enumerate(packed)}
        for report in reports.merge(item, by_rank):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _show(self, what, texts):
        """Shows failures of this rank while the others still run."""
        sys.stderr.write(f'\n{text_of([self._world.rank])}: {what}, and other ranks have not come as far:\n' + '\n'.join(texts) + '\n')
        sys.stderr.flush()
