#!/usr/bin/env python3
"""A clean root of a Debian suite: the Dockerfile of docs/continuous_integration.md, then the README's two commands.

What the machine has installed cannot help there, nor can what a checkout has built: the tests are those of the last commit.
Needs to be root, and Debian's archive. Everything is done in a mount namespace of its own, so nothing stays mounted; the root
(some 6 GiB) is removed unless a step fails.
"""
import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
PAGE = CHECKOUT / 'docs' / 'continuous_integration.md'
VERSIONS = {'bookworm': 12, 'trixie': 13}
SKIP = 77
HELLO = r'''
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("rank %d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
'''


class Root:
    def __init__(self, path):
        self.path = path
        self.variables = {'HOME': '/root', 'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'CI': 'true'}
        self.variables |= {name: value for name, value in os.environ.items() if name.lower().endswith('_proxy')}

    def make(self, suite):
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True)
        subprocess.run(['debootstrap', '--variant=minbase', suite, self.path], check=True, stdout=subprocess.DEVNULL)
        shutil.copy('/etc/resolv.conf', self.path / 'etc' / 'resolv.conf')
        (self.path / 'etc' / 'hosts').write_text(f'127.0.0.1 localhost\n127.0.1.1 {socket.gethostname()}\n')  # as a container has it

    def mount(self):
        """As a container has it; gone with the mount namespace."""
        for place, *words in (('proc', '-t', 'proc', 'proc'), ('sys', '--rbind', '/sys'), ('dev', '--rbind', '/dev'),
                              ('dev/shm', '-t', 'tmpfs', 'tmpfs'), ('tmp', '-t', 'tmpfs', 'tmpfs')):
            subprocess.run(['mount', *words, self.path / place], check=True)

    def run(self, command, directory='/'):
        print(f'+ {command}', flush=True)
        inside = ['chroot', self.path, 'sh', '-c', f'cd {directory} && {command}']
        subprocess.run(inside, check=True, env=self.variables, stdin=subprocess.DEVNULL)

    def output(self, command):
        return subprocess.run(['chroot', self.path, 'sh', '-c', command], check=True, env=self.variables, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True).stdout


def dockerfile():
    text = re.search(r'```dockerfile\n(.*?)```', PAGE.read_text(), re.S).group(1)
    return [line.split(' ', 1) for line in text.splitlines()]


def follow_dockerfile(root, version):
    """Returns where the checkout is."""
    place = None
    for word, rest in dockerfile():
        if word == 'FROM':
            assert rest == 'debian:12', rest  # the page says what to write for Debian 13
            assert root.output('cat /etc/debian_version').startswith(f'{version}.')
        elif word == 'COPY':
            place = rest.split()[1]
            subprocess.run(['git', 'clone', '--quiet', CHECKOUT, f'{root.path}{place}'], check=True)
        elif word == 'ENV':
            root.variables |= [rest.split('=', 1)]
        else:
            assert word == 'RUN', word
            root.run(rest)
    return place


def check_installed(root):
    (root.path / 'tmp' / 'hello.c').write_text(HELLO)
    root.run('mpicc hello.c -o hello', '/tmp')
    for how in ('', '--processes'):
        lines = root.output(f'mpiexec {how} -n 4 /tmp/hello').splitlines()
        assert sorted(lines) == [f'rank {rank} of 4' for rank in range(4)], lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('suite', choices=VERSIONS)
    parser.add_argument('--work', type=Path, required=True, help='where the root is made')
    parser.add_argument('--inside', action='store_true', help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which('debootstrap'):
        print('only root can make and enter a root, with debootstrap')
        return SKIP
    if not arguments.inside:
        own = [sys.executable, __file__, arguments.suite, '--work', str(arguments.work), '--inside']
        return subprocess.run(['unshare', '--mount', *own]).returncode
    root = Root(arguments.work.resolve() / arguments.suite)
    root.make(arguments.suite)
    root.mount()
    place = follow_dockerfile(root, VERSIONS[arguments.suite])
    check_installed(root)
    root.variables.pop('MPIEXEC_TIMEOUT')  # the image's, not the README's
    root.run('make run', place)
    root.run('make test', place)
    subprocess.run(['umount', '--recursive', '--lazy', *(root.path / place for place in ('proc', 'sys', 'dev', 'tmp'))], check=True)
    shutil.rmtree(root.path)
    return 0


if __name__ == '__main__':
    sys.exit(main())
