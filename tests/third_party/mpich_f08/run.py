#!/usr/bin/env python3
"""The programs with "use mpi_f08" of MPICH's test suite, built unmodified, with ranks as threads and as processes.

  run.py build --bin BIN --work DIR              fetch Debian's source package of MPICH once and compile the folders of its
                                                 suite's test/mpi/f08 with BIN/mpifort, by the suite's configure and make
  run.py run RANKS --bin BIN --work DIR [...]    run all of them and judge what they write; RANKS 0 stands for the number that
                                                 the suite's own list has for each; options after "--" go to mpiexec
  run.py trial --bin BIN --work DIR              check that a program that receives another value than it expects is found

The upstream tarball is what Debian signs (apt checks it); nothing in it is changed. The suite's configure looks for mpi_f08
only as a part of MPICH's own, so we compile the suite's file util/mtest_f08.f90 and name it as the library of the programs.
"""
import re
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(PROJECT / 'tests' / 'third_party'))
import source_package  # noqa: E402
from source_package import execute, fail, make, name_of_run  # noqa: E402

DOWNLOADS = PROJECT / 'build' / 'mpich'

# Programs that are left out, and why.
LEFT_OUT = {
    'datatype/allctypesf08': 'asks for MPI_LB and MPI_UB, which MPI 3.0 removed',
    'init/baseenvf90': 'takes the version 5 of MPI for invalid',
    'io/c2f2ciof90': 'is not correct C: a function uses a variable of another',
    'profile/profile1f90': 'defines mpi_send_f08ts without the BIND(C) of our interface (docs/fortran.md)',
    'spawn/spawnargvf03': 'expects that an argument keeps its leading blank, which MPI_Comm_spawn strips (section 11.8.2)',
    'spawn/spawnargvf90': 'expects the same',
}
# The numbers of ranks with which the others work, where these are not all.
LIMITS = {f'subarray/test{number}': (2, None) for number in range(2, 16)} | {
    name: (2, None) for name in ('datatype/indtype', 'datatype/kinds', 'datatype/structf', 'spawn/connaccf90')} | {
    'attr/attrlangf08': (1, 1),  # passes MPI_IN_PLACE to MPI_Reduce in all ranks
    'pt2pt/mprobef08': (2, 2),  # ranks from 2 on wait for a message that nobody sends
    'rma/aintf08': (2, 2),
    'spawn/spawnmultf03': (1, 1),  # as mprobef08
    'spawn/spawnmultf90': (1, 1),
    'subarray/test1': (2, 2),  # as mprobef08
    'subarray/test10': (2, 2),
    'subarray/test13': (2, 2),
}
PROGRAMS_LEAST = 100
TIME_LIMIT_S = 240  # of a program: in a busy machine, files written by processes take a minute


def uses_f08(source):
    """Says whether a program has mpi_f08. Some were converted from another folder and have not; those whose source does not
    exist yet are made of a template that has."""
    if source.with_suffix('.c').exists():
        return False
    return not source.exists() or 'mpi_f08' in source.read_text().lower()


def listed(suite, built):
    """The programs of the suite's lists, "FOLDER/NAME", and their numbers of ranks there."""
    programs = {}
    for source in sorted((suite / 'f08').iterdir()):
        lists = [folder / 'testlist' for folder in (built / 'f08' / source.name, source)]
        text = next((file.read_text() for file in lists if file.exists()), '')
        for name, ranks in re.findall(r'(?m)^(\w+)\s+(\d+)', text):
            if uses_f08(source / f'{name}.f90'):
                programs.setdefault(f'{source.name}/{name}', int(ranks))
    if len(programs) < PROGRAMS_LEAST:
        fail(f'{suite}: its lists have {len(programs)} programs, expected at least {PROGRAMS_LEAST}')
    return {name: ranks for name, ranks in programs.items() if name not in LEFT_OUT}


def build(bin_dir, work):
    tarball = source_package.fetch('mpich', DOWNLOADS)
    source_package.unpack(tarball, work / 'source', '*/test/mpi')
    suite, built = work / 'source' / 'test' / 'mpi', work / 'built'
    begin = time.monotonic()
    if not (built / 'f08' / 'Makefile').exists():
        built.mkdir(exist_ok=True)
        compilers = [f'{name}={bin_dir}/mpicc' for name in ('CC', 'MPICC')] + [
            f'{name}={bin_dir}/mpifort' for name in ('FC', 'F77', 'MPIFC', 'MPIF77')]
        done = subprocess.run([suite / 'configure', f'--with-mpi={bin_dir.parent}', '--disable-cxx', *compilers], cwd=built,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            fail(f'{suite}/configure:\n{done.stdout[-4000:]}')
    library = built / 'util' / 'mtest_f08.o'
    subprocess.run([bin_dir / 'mpifort', '-O1', '-g', '-c', suite / 'util' / 'mtest_f08.f90', '-o', library], check=True)
    programs = listed(suite, built)
    for folder in sorted({name.split('/')[0] for name in programs}):
        make(built / 'f08' / folder, 'clean')  # compile anew: our module and a part of our library are in the programs
        make(built / 'f08' / folder, f'LDADD={library}', *[n.split('/')[1] for n in programs if n.startswith(f'{folder}/')])
    print(f'{built}: built {len(programs)} programs in {time.monotonic() - begin:.1f} s')


def ranks_of(name, listed_ranks, ranks):
    """The number of ranks that is nearest to `ranks` and possible, or that of the list for 0."""
    least, most = LIMITS.get(name, (1, None))
    return min(max(ranks or listed_ranks, least), most or sys.maxsize)


def complaint(done, writers=1):
    """A sentence about what is wrong with a finished program, or None. Each writes "No Errors" once, in `writers` ranks."""
    if done.returncode:
        return f'exit code {done.returncode}'
    count = len(re.findall(r'(?m)^\s*No Errors\s*$', done.stdout))
    return None if count == writers else f'it wrote "No Errors" {count} times, not {writers}'


def run(bin_dir, work, ranks, options):
    built = work / 'built'
    folder = work / name_of_run(ranks, *options)
    wrong, numbers = [], {}
    begin = time.monotonic()
    programs = listed(work / 'source' / 'test' / 'mpi', built)
    for name, listed_ranks in programs.items():
        number = ranks_of(name, listed_ranks, ranks)
        numbers[number] = numbers.get(number, 0) + 1
        command = [bin_dir / 'mpiexec', '-n', number, '--timeout', TIME_LIMIT_S, *options, f'./{Path(name).name}']
        done, _ = execute(command, folder / name, [built / 'f08' / name])
        if problem := complaint(done, number if name == 'misc/hello' else 1):
            wrong.append(f'{name}: {problem}: {" ".join(map(str, command))}\n{done.stdout[-2000:]}')
    if wrong:
        fail(f'{len(wrong)} of {len(programs)} programs:\n' + '\n'.join(wrong))
    counts = ', '.join(f'{count} with {number}' for number, count in sorted(numbers.items()))
    print(f'passed in {time.monotonic() - begin:.1f} s: {len(programs)} programs ({counts} ranks) {" ".join(options)}')
    for name, reason in LEFT_OUT.items():
        print(f'  left out: {name} {reason}')


def trial(bin_dir, work):
    """Changes the value that a copy of a program expects, and runs it."""
    source = (work / 'source' / 'test' / 'mpi' / 'f08' / 'subarray' / 'test2.f90').read_text()
    folder = work / 'trial'
    folder.mkdir(exist_ok=True)
    for name, expected in ('right', 'i'), ('wrong', 'i + 1'):
        changed = source.replace('if (iar(i) .ne. i) then', f'if (iar(i) .ne. {expected}) then')
        (folder / f'{name}.f90').write_text(changed)
        subprocess.run([bin_dir / 'mpifort', folder / f'{name}.f90', work / 'built' / 'util' / 'mtest_f08.o', '-o', folder / name],
                       check=True)
        done, _ = execute([bin_dir / 'mpiexec', '-n', 2, f'./{name}'], folder / 'run', [folder / name])
        if bool(complaint(done)) != (name == 'wrong'):
            fail(f'{name}: {complaint(done)}\n{done.stdout}')
        print(f'{name}: {complaint(done)}')


def main():
    a = source_package.command_line(__doc__, actions=('build', 'run', 'trial'), ranks=0)
    if a.action == 'build':
        build(a.bin, a.work)
    elif a.action == 'run':
        run(a.bin, a.work, a.ranks, a.options)
    else:
        trial(a.bin, a.work)


main()
