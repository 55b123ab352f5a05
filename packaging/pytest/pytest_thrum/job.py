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


class Job:
    """The plug-in of a rank of such a job."""

    def __init__(self, config, world):
        self._config, self._world = config, world
        if getattr(config.option, 'numprocesses', None) or getattr(config.option, 'dist', 'no') != 'no':
            raise pytest.UsageError('mpiexec -n N pytest cannot be combined with pytest-xdist (-n, --dist): start pytest without mpiexec')
        if world.rank:
            self._be_quiet()

    def _be_quiet(self):
        config = self._config
        for name in ('lfplugin', 'nfplugin', 'stepwiseplugin'):
            if config.pluginmanager.has_plugin(name):
                config.pluginmanager.unregister(name=name)
        reporter = config.pluginmanager.getplugin('terminalreporter')
        if reporter:
            reporter._tw = create_terminal_writer(config, open(os.devnull, 'w'))

    def pytest_report_header(self):
        return f'mpi: {self._world.size} ranks of one job'

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        own = runtestprotocol(item, log=False, nextitem=nextitem)
        failed = [report for report in own if report.outcome == 'failed']
        if failed:
            self._world.barrier_within(_PATIENCE_S, lambda: self._show(item, failed))
        else:
            self._world.barrier_within(0, lambda: None)
        packed = self._world.allgather((item.nodeid, [reports.pack(self._config, report) for report in own]))
        by_rank = {rank: [reports.unpack(self._config, one) for one in data] for rank, (_, data) in enumerate(packed)}
        names = {}
        for rank, (name, _) in enumerate(packed):
            names.setdefault(name, []).append(rank)
        if len(names) > 1:
            pytest.exit('the ranks run different tests: ' + '; '.join(f'{text_of(ranks)} {name}' for name, ranks in names.items())
                        + '. Do the parameters or the order of tests differ between processes?', 4)
        for report in reports.merge(item, by_rank):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _show(self, item, failed):
        """Shows failures of this rank while the others still run."""
        lines = [f'{text_of([self._world.rank])}: {item.nodeid} failed, and other ranks have not finished it:']
        for report in failed:
            lines += str(report.longrepr).splitlines()
        sys.stderr.write('\n' + '\n'.join(lines) + '\n')
        sys.stderr.flush()
