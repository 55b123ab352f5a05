#!/usr/bin/env python3
"""Runs programs of Debian 12's packages, built for Open MPI or MPICH, with their own MPI and with Thrum, in a clean root, and compares the results.

  run.py --build BUILD --work DIR              make the root in DIR, install the packages and Thrum, run all cases
  run.py --root DIR --mpiexec PATH             use a root that has all of it; PATH of Thrum's mpiexec in there
  run.py ... [--only NAME ...] [--table]       some cases only; print the table of docs/fronts.md at the end

Each program runs with 4 processes of its own MPI, then with Thrum: 4 ranks as threads, 4 as processes, 64 as threads. cases.py has the programs.
"""
import argparse
import dataclasses
import platform
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'harness'))
from cases import CASES, MANY, PROCESSES, THREADS, differ, found  # noqa: E402
from root import SKIP, Root, own_namespace  # noqa: E402

SUITE = 'bookworm'
TOOLS = ('gcc', 'gfortran', 'libc6-dev', 'time', 'openmpi-bin', 'libopenmpi-dev', 'mpich', 'python3', 'libelf1', 'libdw1')
LIMIT_S = 200
OWN = 'own'
RANKS = {OWN: 4, THREADS: 4, PROCESSES: 4, MANY: 64}
# A rank is one thread everywhere. hwloc's plug-in for displays waits seconds for an X server, in each rank.
VARIABLES = {'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1', 'HWLOC_COMPONENTS': '-gl'}
# The fastest that Open MPI can do with more ranks than cores.
OPENMPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_mpi_yield_when_idle': '1', 'OMPI_MCA_pml': 'ob1',
           'OMPI_MCA_btl': 'self,vader'}
LAUNCHERS = {'openmpi': 'mpirun.openmpi --oversubscribe --bind-to none', 'mpich': 'mpiexec.mpich'}


@dataclasses.dataclass
class Run:
    seconds: float
    kilobytes: int  # of the largest process
    result: list
    complaint: str


def launcher(case, way, mpiexec):
    if way == OWN:
        return f'{LAUNCHERS[case.mpi]} -n {RANKS[way]}'
    return ' '.join(filter(None, [mpiexec, '--processes' if way == PROCESSES else case.thread_options, f'-n {RANKS[way]}']))


def command(case, way, mpiexec):
    return ' '.join(filter(None, [launcher(case, way, mpiexec), case.options, case.command]))


def run(root, place, case, way, mpiexec):
    """Runs a case in a copy of its folder."""
    folder, ranks = place / way, RANKS[way]
    inside = f'/{folder.relative_to(root.path)}'
    shutil.copytree(place / 'prepared', folder, symlinks=True)
    words = command(case, way, mpiexec)
    (folder / 'command').write_text(
        f'cd {inside}\n{case.before.format(ranks=ranks)}\n'
        f'/usr/bin/time -o time -f "%e %M" timeout -k 5 {LIMIT_S} nice -n 5 {words} >output 2>errors </dev/null\necho $? >code\n{case.after} >>output\n')
    subprocess.run(['chroot', root.path, 'sh', f'{inside}/command'], env=root.variables | VARIABLES | OPENMPI, stdin=subprocess.DEVNULL)
    code = int((folder / 'code').read_text())
    seconds, kilobytes = (folder / 'time').read_text().split()[-2:]
    written = folder / (case.file or 'output')
    result = found(case, written.read_text(errors='replace') if written.exists() else '', ranks)
    complaint = f'exit code {code}' if code else '' if result else 'no result'
    if complaint:
        complaint += '\n' + ''.join((folder / name).read_text(errors='replace')[-2000:] for name in ('output', 'errors'))
    return Run(float(seconds), int(kilobytes), result, complaint)


def run_case(root, number, case, mpiexec):
    """Returns the run of each way, and a list of sentences about what is wrong."""
    place = root.path / 'srv' / 'packages' / f'{number}_{re.sub(r"[^a-z0-9]", "", case.name.lower())}'
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(HERE / 'inputs', place / 'prepared')
    if case.prepare:
        inside = f'/{place.relative_to(root.path)}/prepared'
        done = subprocess.run(['chroot', root.path, 'sh', '-c', f'cd {inside} && {case.prepare}'], env=root.variables | VARIABLES, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            return {}, [f'{case.name} of {case.package} cannot be prepared:\n{done.stdout[-2000:]}']
    program = case.command.split()[0]
    if program != 'python3':  # a package may have been built without its MPI
        inside = f'cd /{place.relative_to(root.path)}/prepared && {Path(mpiexec).parent}/thrum abi {program}'
        said = subprocess.run(['chroot', root.path, 'sh', '-c', inside], env=root.variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if said.returncode or 'is built for' not in said.stdout:
            return {}, [f'{case.name} of {case.package}: {said.stdout}']
    runs, wrong = {}, []
    for way in (OWN, *case.ways):
        runs[way] = it = run(root, place, case, way, mpiexec)
        if not it.complaint and way != OWN and differ(case, runs[OWN].result, it.result):
            it.complaint = f'the result is {it.result}, not {runs[OWN].result}'
        if way in case.missing and case.missing[way] not in it.complaint:
            wrong.append(f'{case.name} of {case.package}, {way}: what was missing works now, or fails in another way: {it.complaint}')
        said = it.complaint.partition('\n')[0] or shown(it.result)
        print(f'{case.name} of {case.package}, {way}, {RANKS[way]} ranks: {it.seconds:.1f} s, {it.kilobytes // 1024} MiB; {said}', flush=True)
        if it.complaint and way not in case.missing:
            wrong.append(f'{command(case, way, mpiexec)} ({case.package}): {it.complaint}')
    shutil.rmtree(place)
    return runs, wrong


def shown(result):
    text = ', '.join(map(str, result))
    return text if len(text) < 90 else text[:90] + ' ...'


def table(rows):
    """The table of docs/fronts.md."""
    yield '| program | package | own MPI, 4 | threads, 4 | processes, 4 | threads, 64 | memory a rank of 64 |'
    yield '|---|---|---|---|---|---|---|'
    for case, runs in rows:
        cells = [f'{runs[way].seconds:.1f} s' if way in runs and not runs[way].complaint else '-' for way in (OWN, THREADS, PROCESSES, MANY)]
        memory = f'{runs[MANY].kilobytes / 1024 / RANKS[MANY]:.1f} MiB' if cells[-1] != '-' else '-'
        yield f'| {case.name} | `{case.package}` | {" | ".join(cells)} | {memory} |'


def make_root(work, build, cases):
    root = Root(work.resolve() / SUITE)
    root.make(SUITE)
    root.mount()
    root.install(*dict.fromkeys([*TOOLS, *(name for case in cases for name in (case.package, *case.packages))]))
    subprocess.run(['cmake', '--install', build, '--prefix', root.path / 'opt' / 'thrum'], check=True, stdout=subprocess.DEVNULL)
    return root


def command_line():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, help='the build that is installed in the root')
    parser.add_argument('--work', type=Path, help='where the root is made')
    parser.add_argument('--root', type=Path, help='an existing root, with /proc, /sys and /dev')
    parser.add_argument('--mpiexec', default='/opt/thrum/bin/mpiexec', help='path in the root')
    parser.add_argument('--only', nargs='+', default=[], help='names of cases or packages')
    parser.add_argument('--table', action='store_true')
    arguments = parser.parse_args()
    if not arguments.root and not (arguments.build and arguments.work):
        parser.error('give --build and --work, or --root')
    return arguments


def main():
    arguments = command_line()
    wanted = {name.lower() for name in arguments.only}
    cases = [case for case in CASES if not wanted or wanted & {case.name.lower(), case.package}]
    if arguments.root:
        root = Root(arguments.root.resolve())
    else:
        if platform.freedesktop_os_release().get('VERSION_CODENAME') != SUITE:
            print(f'what is built here need not run in {SUITE}')
            return SKIP
        if (code := own_namespace()) is not None:
            return code
        root = make_root(arguments.work, arguments.build, cases)
    begin = time.monotonic()
    rows, wrong = [], []
    for number, case in enumerate(cases):
        runs, faults = run_case(root, number, case, shlex.quote(arguments.mpiexec))
        rows.append((case, runs))
        wrong += faults
    print(f'{len(cases)} programs in {time.monotonic() - begin:.0f} s')
    if arguments.table:
        print('\n'.join(table(rows)))
    if wrong:
        print('\n'.join(wrong))
        return 1
    if not arguments.root:
        root.remove()
    return 0


if __name__ == '__main__':
    sys.exit(main())
