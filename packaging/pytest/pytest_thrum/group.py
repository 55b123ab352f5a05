"""A group of ranks that stays between tests: one job of mpiexec, and a Unix socket to each of its ranks.

The socket does not go through MPI, so that a rank can report its failure while the others hang. A rank also passes the files into
which pytest captures its output: what it had written, and Thrum's report, is read from there when the job has ended.

Messages to a rank:   ('run', file, node id, next node id or None, whether further tests follow), ('end',)
Messages from a rank: ('rank', its number), ('ready',), ('files', number of files, which follow), ('xfail', reason),
                      ('report', packed report), ('warning', ...), ('missing', text), ('exit', text), ('broken', text),
                      ('left', source, tag), ('done',)
"""
import ctypes
import multiprocessing.connection
import os
import pickle
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from multiprocessing import reduction
from pathlib import Path

from . import mpiexec, thrum_lines

_START_LIMIT_S = 120
_END_LIMIT_S = 20
_KILL_AFTER_S = 6
_LOOK_S = 0.2  # how often output is passed on with -s
_PR_SET_PDEATHSIG = 1
_MOST_OUTPUT = 1 << 20
_MAIN = 'import sys; sys.path[:] = {path!r}; from pytest_thrum.worker import main; main(sys.argv[1])'


class GroupEnded(Exception):
    """The job has ended, or was ended, in the middle of a test."""


def _end_with_parent():
    """Runs in the child: mpiexec gets SIGTERM when this process dies, however it does."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _picklable(options):
    kept = {}
    for name, value in options.items():
        try:
            pickle.dumps(value)
        except Exception:  # whatever a plug-in keeps among its options
            continue
        kept[name] = value
    return kept


class Group:
    """count ranks.

    last_item    the test that the group has run last
    is_clean     whether all its tests have passed
    lost_rank    the first rank whose process has ended during a test; None: none has
    has_ended_itself   whether the job ended during a test, without being told to
    """

    def __init__(self, count, options, shows_output, folder):
        """Starts the ranks. options: for mpiexec. shows_output: at once (-s). folder: where they run."""
        command = [mpiexec.find(), '-n', str(count), *options, sys.executable, '-c', _MAIN.format(path=sys.path)]
        self.count, self.last_item, self.is_clean = count, None, True
        self._shows_output, self._shown = shows_output, 0
        self._connections, self._files, self._said_at_start = {}, {}, []
        self._size_at_start = 0
        self._socket_folder = tempfile.mkdtemp(prefix='thrum-pytest-')
        self._stderr, self._stdout = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        address = os.path.join(self._socket_folder, 'socket')
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(address)
        self._listener.listen(count)
        self._process = subprocess.Popen([*command, address], cwd=folder, stdin=subprocess.DEVNULL,
                                         stdout=None if shows_output else self._stdout,
                                         stderr=self._stderr, env=mpiexec.environment(), start_new_session=True,
                                         preexec_fn=_end_with_parent)
        self._pidfd = os.pidfd_open(self._process.pid)
        self.lost_rank, self.has_ended_itself = None, False

    def meet(self, setup, folder):
        """Accepts all ranks. Raises GroupEnded if they do not come.

        setup: what worker.main() needs. folder: for the temporary files of ranks; None: they find one.
        """
        setup = {**setup, 'options': _picklable(setup['options'])}
        deadline = time.monotonic() + max(_START_LIMIT_S, 2 * self.count)
        while len(self._connections) < self.count:
            ready = multiprocessing.connection.wait([self._listener, self._pidfd], max(0, deadline - time.monotonic()))
            if self._listener in ready:
                connection = multiprocessing.connection.Connection(self._listener.accept()[0].detach())
                try:
                    rank = connection.recv()[1]
                except (EOFError, OSError):
                    continue
                connection.send({**setup, 'basetemp': folder and str(folder / f'rank-{rank}')})
                self._connections[rank] = connection
            elif not ready:
                self.kill()
                raise GroupEnded(f'{self._all()} did not start within {max(_START_LIMIT_S, 2 * self.count)} s')
            else:
                raise GroupEnded(f'{self._all()} did not start')
        shutil.rmtree(self._socket_folder, ignore_errors=True)
        try:
            self._wait('ready', max(0.1, deadline - time.monotonic()), lambda rank, message: self._said_at_start.append((rank, message)))
        except GroupEnded:
            raise GroupEnded(f'{self._all()} did not start') from None
        # What ranks write while they start, such as warnings of plug-ins, the session in front has written, too.
        self._said_at_start, self._size_at_start = [], os.fstat(self._stderr.fileno()).st_size

    def _all(self):
        return thrum_lines.text_of(range(self.count))

    def _send(self, message):
        for connection in self._connections.values():
            try:
                connection.send(message)
            except OSError:
                pass  # its end is found when the group waits

    def run(self, item, next_id, has_more, limit_s, receive):
        """Runs a test in all ranks. receive(rank, message) gets what they send. Raises GroupEnded if the job ends before they are done.

        limit_s   None: no time limit
        """
        self.last_item = item
        self._send(('run', str(item.path), item.nodeid, next_id, has_more))
        self._wait('done', limit_s, receive)

    def _wait(self, last, limit_s, receive):
        """Receives messages until each rank has sent `last`."""
        deadline = time.monotonic() + limit_s if limit_s else None
        waiting = dict(self._connections)
        while waiting:
            limit = deadline - time.monotonic() if deadline else None
            if self._shows_output:
                self._show_output()
                limit = _LOOK_S if limit is None else min(limit, _LOOK_S)
            ready = multiprocessing.connection.wait([*waiting.values(), self._pidfd], max(0, limit) if limit is not None else None)
            if not ready and deadline and time.monotonic() >= deadline:
                raise GroupEnded(f'the test did not end within {limit_s:g} s')
            for rank, connection in list(waiting.items()):
                try:
                    if connection in ready and self._receive_one(rank, connection, last, receive):
                        del waiting[rank]
                except (EOFError, OSError):
                    self._lost(rank)
            if self._pidfd in ready and not any(connection in ready for connection in waiting.values()):
                self.has_ended_itself = True
                raise GroupEnded('the job ended during the test')

    def _receive_one(self, rank, connection, last, receive):
        """Returns whether the rank has nothing more to say. Raises EOFError or OSError if it has ended."""
        message = connection.recv()
        if message[0] == 'files':
            self._files[rank] = [reduction.recv_handle(connection) for _ in range(message[1])]
        elif message[0] == last:
            return True
        else:
            receive(rank, message)
        return False

    def _lost(self, rank):
        """Waits until mpiexec has noticed that a rank has ended, and raises GroupEnded."""
        self.lost_rank, self.has_ended_itself = rank, True
        if not multiprocessing.connection.wait([self._pidfd], _END_LIMIT_S):
            self.kill()
        raise GroupEnded(f'rank {rank} ended during the test')

    def take_remaining(self, receive):
        """Receives what ranks have sent before the job ended."""
        for rank, message in self._said_at_start:
            receive(rank, message)
        for rank, connection in self._connections.items():
            try:
                while connection.poll(0):
                    self._receive_one(rank, connection, None, receive)
            except (EOFError, OSError):
                continue

    def post_mortem(self):
        """Ends the job if it has not ended. Returns what Thrum has said (thrum_lines.LastWords), its exit code, what the ranks had
        written to standard output and standard error ({rank: [text, text]}), and what mpiexec has written besides."""
        self.kill()
        said, others = thrum_lines.split(self._errors())
        outputs = {}
        for rank, files in sorted(self._files.items()):
            texts = [_text_of(file) for file in files]
            own, texts[-1] = thrum_lines.split(texts[-1])
            said += own
            outputs[rank] = texts
        return thrum_lines.LastWords(said), self._process.returncode, outputs, others

    def _errors(self):
        """What mpiexec has written to standard error; from before the first test only Thrum's lines."""
        first = os.pread(self._stderr.fileno(), self._size_at_start, 0).decode(errors='replace')
        rest = os.pread(self._stderr.fileno(), _MOST_OUTPUT, self._size_at_start).decode(errors='replace')
        return ''.join(f'{line}\n' for line in thrum_lines.split(first)[0]) + rest

    def _show_output(self):
        """Passes on what mpiexec has written to standard error (-s)."""
        text = os.pread(self._stderr.fileno(), _MOST_OUTPUT, self._shown)
        if text:
            self._shown += len(text)
            sys.stderr.write(text.decode(errors='replace'))
            sys.stderr.flush()

    def kill(self):
        """Ends the job: SIGTERM, upon which Thrum says where its ranks are, then SIGKILL."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_KILL_AFTER_S)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()

    def begin_end(self):
        """Asks the ranks to end."""
        self._send(('end',))

    def end(self, receive):
        """Waits until the ranks have ended, after begin_end(). Returns what they wrote last."""
        try:
            self._wait('done', _END_LIMIT_S, receive)
            self._process.wait(_END_LIMIT_S)
        except (GroupEnded, subprocess.TimeoutExpired):
            pass
        return self.close()

    def close(self):
        """Ends the job and frees everything. Returns what it wrote outside of tests."""
        self.kill()
        if self._shows_output:
            self._show_output()
        self._stdout.seek(0)
        text = self._stdout.read(_MOST_OUTPUT).decode(errors='replace') + ('' if self._shows_output else self._errors())
        for connection in self._connections.values():
            connection.close()
        for files in self._files.values():
            for file in files:
                os.close(file)
        self._connections, self._files = {}, {}
        for opened in (self._listener, self._stdout, self._stderr):
            opened.close()
        os.close(self._pidfd)
        shutil.rmtree(self._socket_folder, ignore_errors=True)
        return text.strip('\n')


def _text_of(file):
    """What pytest has captured since it last looked; nothing if it does not capture into a file."""
    if not stat.S_ISREG(os.fstat(file).st_mode):
        return ''
    return os.pread(file, _MOST_OUTPUT, 0).decode(errors='replace')


def folder_of(config, count, number):
    """A folder for the temporary files of the number-th group, which has `count` ranks; None if pytest has none (-p no:tmpdir)."""
    factory = getattr(config, '_tmp_path_factory', None)
    if factory is None:
        return None
    folder = Path(factory.getbasetemp()) / f'ranks-{count}.{number}'
    folder.mkdir()
    return folder
