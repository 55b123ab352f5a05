#!/usr/bin/env python3
"""What people install, in a clean root of a Debian suite that has none of Thrum's build dependencies.

  in_root.py SUITE wheel    the wheel in an empty virtual environment; mpi4py from its sources
  in_root.py SUITE debian   the Debian packages: alone, beside Debian's MPICH and Open MPI, and removed again
  in_root.py SUITE action   the steps of action.yml as a user with sudo, as on a runner

--dist has the wheel and the packages (make wheel deb). --base: a root of debootstrap to copy instead of making one.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(CHECKOUT / 'tests' / folder) for folder in ('harness', 'commands/docs')]
from root import HELLO, VERSIONS, Root, own_namespace  # noqa: E402

os.environ.setdefault('THRUM_TREE', '')  # pages.py wants it
from pages import blocks_of  # noqa: E402

HERE = 'tests/commands/packages/in_root.py'
# What a machine may lack: each is used from the wheel then.
OPTIONAL = ('libpmix', 'libfabric', 'libhwloc', 'libdw', 'libevent')
CRASH = '''
#include <mpi.h>
int main(void) {
    MPI_Init(0, 0);
    MPI_Send(0, 1, MPI_INT, 5, 0, MPI_COMM_WORLD); /* line 5: there is no rank 5 */
    MPI_Finalize();
    return 0;
}
'''
PROJECT = '''
cmake_minimum_required(VERSION 3.20)
project(example C CXX Fortran)
find_package(MPI REQUIRED)
add_executable(program ../program.c)
target_link_libraries(program PRIVATE MPI::MPI_C)
'''
RANKS_IN_PYTEST = '''
import pytest
from mpi4py import MPI


@pytest.mark.mpi(ranks=[2, 3])
def test_ranks(mpi_ranks):
    assert MPI.COMM_WORLD.allreduce(1) == mpi_ranks
'''
HELLO_FORTRAN = '''program hello
  use mpi
  implicit none
  integer :: rank, size, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  print '(a, i0, a, i0)', 'rank ', rank, ' of ', size
  call MPI_Finalize(ierr)
end program
'''


def commands_of_page(beginning):
    """The block of docs/installing.md that begins so, as one line."""
    blocks = [block for block in blocks_of(CHECKOUT / 'docs' / 'installing.md') if block.test == HERE and block.text.startswith(beginning)]
    assert len(blocks) == 1, beginning
    return ' && '.join(blocks[0].lines)


def check_ranks(root, command, size):
    lines = sorted(root.output(command).splitlines(), key=lambda line: int(line.split()[1]))
    assert lines == [f'rank {rank} of {size}' for rank in range(size)], lines[:20]


def check_programs(root, before=''):
    """Programs in C, C++ and Fortran; 1,000 ranks; ranks as processes, on several hosts, bound to cores; a report with lines."""
    place = root.path / 'tmp'
    for name, text in (('hello.c', HELLO), ('hello.cc', HELLO), ('crash.c', CRASH), ('hello.f90', HELLO_FORTRAN)):
        (place / name).write_text(text)
    run = lambda command: root.run(before + command, '/tmp')  # noqa: E731
    run('mpicc -O2 -g hello.c -o hello && mpicxx hello.cc -o hello_cxx && mpifort hello.f90 -o hello_fortran && mpicc -g crash.c -o crash')
    inside = f'cd /tmp; {before}'
    check_ranks(root, inside + 'mpiexec -n 1000 ./hello', 1000)
    for program in ('hello', 'hello_cxx', 'hello_fortran'):
        check_ranks(root, inside + f'mpiexec -n 3 ./{program}', 3)
    check_ranks(root, inside + 'mpiexec --processes -n 4 ./hello', 4)  # PMIx
    check_ranks(root, inside + 'mpiexec --hosts one:2,two:2 --launcher fork ./hello', 4)  # libfabric
    bindings = root.output(inside + 'mpiexec --processes --bind-to none --report-bindings -n 2 ./hello 2>&1')  # hwloc
    assert 'rank 1' in bindings, bindings
    report = root.output(inside + 'mpiexec -n 2 ./crash 2>&1 || true')
    assert 'crash.c:5' in report, report  # elfutils
    run('manual=$(dirname $(command -v mpiexec))/../share/man/man1/mpiexec.1; test -e $manual || test -e $manual.gz')
    run('! mpiexec --no-such-option ./hello >/dev/null 2>&1')


def installed(root):
    return root.output("dpkg-query -W -f '${Package}\\n'").split()


def check_wheel(root, dist):
    root.install('python3-venv', 'gcc', 'g++', 'gfortran')
    lacking = [name for name in installed(root) if name.startswith(OPTIONAL)]
    assert not lacking, lacking
    shutil.copytree(dist, root.path / 'tmp' / 'dist')
    (root.path / 'tmp' / 'program.c').write_text(HELLO)
    root.run(commands_of_page('python3 -m venv'), '/tmp')
    before = '. /tmp/venv/bin/activate; '
    check_programs(root, before)
    where = dict(line.split(':', 1) for line in root.output(f'{before} python -m thrum_mpi').splitlines())
    assert where.pop('version').strip() in next(dist.glob('thrum_mpi-*.whl')).name
    for name, value in where.items():
        assert value.strip().startswith('/tmp/venv') and (root.path / value.strip()[1:]).exists(), (name, value)
    assert root.output(f'{before} python -m thrum_mpi --libdir --mpicc') == '/tmp/venv/lib\n/tmp/venv/bin/mpicc\n'
    root.run(before + '! python -m thrum_mpi --lib 2>/dev/null')
    root.install('cmake', 'make', 'pkgconf')
    project = root.path / 'tmp' / 'project'
    project.mkdir()
    (project / 'CMakeLists.txt').write_text(PROJECT)
    root.run(before + commands_of_page('cmake') + ' && cmake --build build', '/tmp')
    check_ranks(root, f'{before} mpiexec -n 3 /tmp/build/program', 3)
    root.install('python3-dev')
    root.run(before + commands_of_page('MPI4PY_BUILD'), '/tmp')
    root.run(before + 'mpiexec -n 4 python -c "from mpi4py import MPI; assert MPI.COMM_WORLD.allreduce(1) == 4"', '/tmp')
    (root.path / 'tmp' / 'test_ranks.py').write_text(RANKS_IN_PYTEST)
    root.run(before + 'pip install -q dist/pytest_thrum-*.whl && pytest -q test_ranks.py', '/tmp')
    root.run(before + 'pip uninstall -q -y thrum-mpi && test ! -e venv/bin/mpiexec && test ! -e venv/lib/libmpi_abi.so.1 && test ! -e venv/include/mpi.h', '/tmp')


def check_debian(root, dist):
    shutil.copytree(dist, root.path / 'tmp' / 'dist')
    root.variables |= {'DEBIAN_FRONTEND': 'noninteractive'}
    root.run('apt-get -qq update')
    root.run(commands_of_page('apt-get'), '/tmp')
    leads_to = lambda name: root.output(f'readlink -f /usr/bin/{name}').strip()  # noqa: E731
    tree = '/usr/lib/x86_64-linux-gnu/thrum'
    assert leads_to('mpicc') == f'{tree}/bin/mpicc' and leads_to('mpiexec') == f'{tree}/bin/mpiexec'
    check_programs(root)
    # without our wrappers: the alternatives in /usr/include and /usr/lib
    root.run('gcc -I/usr/include/x86_64-linux-gnu/mpi hello.c -lmpi -o plain && ./plain', '/tmp')

    root.install('mpich', 'libmpich-dev', 'openmpi-bin', 'libopenmpi-dev')
    for name in ('mpicc', 'mpiexec'):
        assert 'thrum' not in leads_to(name), leads_to(name)
    check_ranks(root, 'cd /tmp && mpicc.thrum hello.c -o own && mpiexec.thrum -n 3 ./own', 3)
    root.run(commands_of_page('update-alternatives'), '/tmp')
    check_ranks(root, 'cd /tmp && mpicc hello.c -o own && mpiexec -n 3 ./own', 3)
    root.run('mpicc.mpich hello.c -o other && mpiexec.mpich -n 1 ./other', '/tmp')

    root.run('apt-get -qq -y -o Dpkg::Use-Pty=0 purge thrum libthrum-dev libmpi-abi1-thrum')
    for name in ('mpicc', 'mpiexec'):
        assert re.search('openmpi|opal|prte|orterun', leads_to(name)), leads_to(name)
    left = root.output("find / -xdev -path /tmp -prune -o -name '*thrum*' -print; grep -rl thrum /var/lib/dpkg/alternatives /etc/alternatives || true")
    assert not left, left


class Runner:
    """Does what a runner does with the steps of a composite action, for a user with sudo."""

    def __init__(self, root):
        self.root, self.paths = root, []
        root.install('sudo', 'ca-certificates')
        root.run("useradd --create-home --home-dir /srv/runner runner && echo 'runner ALL=(ALL) NOPASSWD:ALL' >/etc/sudoers.d/runner")
        self.action = '/srv/runner/work/_actions/thrum'
        subprocess.run(['git', 'clone', '--quiet', CHECKOUT, f'{root.path}{self.action}'], check=True)
        root.run('chown -R runner /srv/runner')

    def shell(self, command, variables, check=True):
        words = ' '.join(f'{name}={shlex.quote(value)}' for name, value in variables.items())
        path = ':'.join([*self.paths, self.root.variables['PATH']])
        inside = f'cd /srv/runner && exec sudo -u runner env HOME=/srv/runner PATH={path} {words} bash -e -c {shlex.quote(command)}'
        print(f'+ {command}', flush=True)
        done = subprocess.run(['chroot', self.root.path, 'sh', '-c', inside], env=self.root.variables, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert not check or done.returncode == 0, done.stdout
        return done.returncode, done.stdout

    def use_action(self, inputs):
        """Returns the action's outputs; the error that it prints instead, if it fails."""
        import yaml
        action = yaml.safe_load((CHECKOUT / 'action.yml').read_text())
        values = {f'inputs.{name}': inputs.get(name, value['default']) for name, value in action['inputs'].items()}
        fill = lambda text: re.sub(r'\$\{\{ *(.*?) *\}\}', lambda found: values[found[1]], text)  # noqa: E731
        for step in action['runs']['steps']:
            if 'uses' in step:
                assert step['uses'].startswith('actions/cache@')
                assert all(map(fill, step['with'].values()))
                continue
            files = {name: f'/tmp/{name}' for name in ('GITHUB_OUTPUT', 'GITHUB_PATH', 'GITHUB_ENV')}
            for file in files.values():
                self.root.run(f'rm -f {file}; touch {file}; chown runner {file}')
            variables = {name: fill(value) for name, value in step.get('env', {}).items()}
            code, output = self.shell(fill(step['run']), files | variables | {'GITHUB_ACTION_PATH': self.action}, check=False)
            if code:
                return output
            written = {name: (self.root.path / file[1:]).read_text().splitlines() for name, file in files.items()}
            self.paths = written['GITHUB_PATH'] + self.paths
            values |= {f'steps.{step["id"]}.outputs.{name}': value for name, value in (line.split('=', 1) for line in written['GITHUB_OUTPUT'])}
        return {name: fill(output['value']) for name, output in action['outputs'].items()}


def check_action(root, dist):
    (root.path / 'tmp' / 'hello.c').write_text(HELLO)
    runner = Runner(root)
    assert 'use mpi4py/setup-mpi for mpich' in runner.use_action({'mpi': 'mpich'})
    assert 'mpi: trhum: not an MPI' in runner.use_action({'mpi': 'trhum'})
    for attempt in ('built', 'from the cache'):
        runner.paths = []
        begin = time.monotonic()
        outputs = runner.use_action({'mpi': 'thrum'})
        assert outputs == {'mpi': 'thrum'}, outputs
        print(f'{attempt}: {time.monotonic() - begin:.0f} s', flush=True)
        _, output = runner.shell('cd ~ && mpicc -O2 /tmp/hello.c -o hello && mpiexec -n 64 ./hello', {})
        assert len(output.splitlines()) == 64, output
        runner.shell(f'rm -rf {runner.action}/build', {})  # a runner's sources are new each time


SCENARIOS = {'wheel': check_wheel, 'debian': check_debian, 'action': check_action}


def use_certificates(root):
    """pip in the root trusts what pip of this machine trusts."""
    certificates = os.environ.get('PIP_CERT')
    if certificates:
        target = root.path / 'etc' / 'ssl' / 'certs' / 'machine.crt'
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(certificates, target)
        root.variables |= {'PIP_CERT': '/etc/ssl/certs/machine.crt'}
    root.variables |= {name: os.environ[name] for name in ('PIP_INDEX_URL', 'PIP_DEFAULT_TIMEOUT') if name in os.environ}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('suite', choices=VERSIONS)
    parser.add_argument('scenario', choices=SCENARIOS)
    parser.add_argument('--dist', type=Path, required=True, help='the folder with what make wheel and make deb have made')
    parser.add_argument('--work', type=Path, required=True, help='where the root is made')
    parser.add_argument('--base', type=Path, help='a root of this suite to copy')
    arguments = parser.parse_args()
    if (code := own_namespace()) is not None:
        return code
    work = arguments.work.resolve() / f'{arguments.suite}-{arguments.scenario}'
    if arguments.base:
        root = Root(arguments.base.resolve()).copy(work)
    else:
        root = Root(work)
        root.make(arguments.suite)
    root.mount()
    use_certificates(root)
    SCENARIOS[arguments.scenario](root, arguments.dist.resolve())
    root.remove()
    return 0


if __name__ == '__main__':
    sys.exit(main())
