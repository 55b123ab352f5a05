"""A rank of a group: a pytest session that runs the tests for which the session in front asks.

It collects a file when the first of its tests is to run, like any session: fixtures of modules and of the session live as long as
the group has tests that use them.
"""
import multiprocessing.connection
import os
import socket
import sys
from multiprocessing import reduction

import pytest

from . import job, mpi, plugin, reports

# Options of the session in front that are not for its ranks.
_NOT_FOR_RANKS = {
    'keyword': '', 'markexpr': '', 'deselect': None, 'maxfail': 0, 'lf': False, 'failedfirst': False, 'newfirst': False,
    'cacheclear': False, 'cacheshow': None, 'stepwise': False, 'stepwise_skip': False, 'usepdb': False, 'trace': False, 'xmlpath': None,
    'pastebin': None, 'log_file': None, 'report_log': None, 'numprocesses': None, 'dist': 'no', 'tx': [], 'looponfail': False,
    'cov_source': [], 'no_cov': True, 'htmlpath': None, 'pyargs': False, 'collectonly': False, 'durations': None,
}
# Plug-ins of pytest that write what only the session in front may write.
_WRITERS = ('lfplugin', 'nfplugin', 'stepwiseplugin')


class Rank:
    """The plug-in of a rank: hooks, and the loop that runs tests."""

    def __init__(self, world, connection):
        self._world, self._connection = world, connection
        self._collected, self._items, self._errors = set(), {}, {}
        self._has_sent_files = False
        self._session = None

    def send(self, *message):
        self._connection.send(message)

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config):
        job.silence(config)
        for name in _WRITERS:
            if config.pluginmanager.has_plugin(name):
                config.pluginmanager.unregister(name=name)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session):
        return True  # later, file by file

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        self._session = session
        self.send('ready')
        while True:
            try:
                message = self._connection.recv()
            except (EOFError, OSError):
                os._exit(1)  # the session in front has ended
            if message[0] == 'end':
                self._end()
                return True
            self._run(*message[1:])

    def _run(self, file, node_id, next_id, has_more):
        try:
            item = self._find(file, node_id)
            if item is None:
                self.send('missing', self._errors.get(file) or 'it has not collected this test: do the parameters differ between processes?')
            else:
                following = self._items.get(next_id) or (self._session if has_more else None)
                item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        except (pytest.exit.Exception, KeyboardInterrupt) as error:
            self.send('exit', str(error) or type(error).__name__)
            return
        if not self._world.barrier():
            os._exit(1)  # a rank is lost, and this one has reported: let mpiexec end the job
        left = self._world.unreceived()
        if left:
            self.send('left', *left)
        self.send('done')

    def _end(self):
        try:
            self._session._setupstate.teardown_exact(None)
        except BaseException:
            self.send('broken', str(pytest.ExceptionInfo.from_current().getrepr(style='short')))
        self.send('done')

    def _find(self, file, node_id):
        if file not in self._collected:
            self._collected.add(file)
            for item in self._session.perform_collect([file]):
                self._items[item.nodeid] = item
        return self._items.get(node_id)

    def pytest_collectreport(self, report):
        if report.failed:
            text = f'it cannot collect {report.nodeid}:\n{report.longrepr}'
            path = getattr(report, 'fspath', None) or report.nodeid
            self._errors[str(self._session.config.rootpath / str(path).split('::')[0])] = text

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        if not self._has_sent_files:
            self._has_sent_files = True
            files = [os.dup(1), os.dup(2)]
            self.send('files', len(files))
            for file in files:
                reduction.send_handle(self._connection, file, None)
                os.close(file)
        # The next test may be another one than was expected.
        item.session._setupstate.teardown_exact(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item):
        from _pytest.skipping import xfailed_key
        expected = item.stash.get(xfailed_key, None)
        if expected and not item.config.option.runxfail and expected.raises is None:
            self.send('xfail', expected.reason)

    def pytest_runtest_logreport(self, report):
        self.send('report', reports.pack(self._session.config, report))

    def pytest_warning_recorded(self, warning_message, when, nodeid, location):
        text = warning_message.message
        self.send('warning', f'{warning_message.category.__name__}', str(text), warning_message.filename, warning_message.lineno, when, nodeid,
                  location)

    def pytest_internalerror(self, excrepr):
        self.send('broken', str(excrepr))


def _configure(setup, rank):
    """The configuration of the session in front, as that of a rank."""
    from _pytest.config import Config
    options = {**setup['options'], 'basetemp': setup['basetemp']}
    options.pop('file_or_dir', None)
    own = {name: value for name, value in _NOT_FOR_RANKS.items() if name in options}
    plugin.role_of_this_process = rank
    plugins = [setup['plugin'], *options.pop('plugins', ())]
    arguments = [word for name in plugins for word in ('-p', name)] + setup['arguments']
    config = Config.fromdictargs({**options, **own}, arguments)
    config.option.__dict__.update(own)
    return config


def main(address):
    """Runs in each rank. address: of the socket of the session in front."""
    sys.stdout.reconfigure(line_buffering=True)  # a rank that is ended with its job loses what is in a buffer
    world = mpi.begin(mpi.library_of_this_job())
    world.let_errors_return()
    own = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    own.connect(address)
    connection = multiprocessing.connection.Connection(own.detach())
    connection.send(('rank', world.rank))
    setup = connection.recv()
    sys.argv[:] = setup['argv']
    rank = Rank(world, connection)
    try:
        config = _configure(setup, rank)
        config.pluginmanager.register(rank, 'thrum-rank')
        config.hook.pytest_cmdline_main(config=config)
    except BaseException:
        try:
            connection.send(('broken', str(pytest.ExceptionInfo.from_current().getrepr(style='short'))))
        except OSError:
            pass
        raise
    finally:
        sys.stdout.flush()
    config._ensure_unconfigure()
