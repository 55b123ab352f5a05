"""A clean root of a Debian suite, made by debootstrap, in which commands run as in a container.

Needs to be root, and Debian's archive. Everything is mounted in a mount namespace of its own (own_namespace()), so nothing stays
mounted when the process ends.
"""
import os
import shutil
import socket
import subprocess
import sys

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


def own_namespace():
    """Runs the script again in a mount namespace, and returns its exit code; None there. SKIP if roots cannot be made."""
    if os.geteuid() != 0 or not shutil.which('debootstrap'):
        print('only root can make and enter a root, with debootstrap')
        return SKIP
    if os.environ.pop('THRUM_TEST_INSIDE', None):
        return None
    return subprocess.run(['unshare', '--mount', sys.executable, *sys.argv], env=os.environ | {'THRUM_TEST_INSIDE': '1'}).returncode


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

    def copy(self, path):
        """Returns a copy that is not mounted yet."""
        shutil.rmtree(path, ignore_errors=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(['cp', '-a', '--reflink=auto', self.path, path], check=True)
        return Root(path)

    def mount(self):
        """As a container has it; gone with the mount namespace."""
        subprocess.run(['mount', '--bind', self.path, self.path], check=True)  # / is a mount of its own
        for place, *words in (('proc', '-t', 'proc', 'proc'), ('sys', '--rbind', '/sys'), ('dev', '--rbind', '/dev'),
                              ('dev/shm', '-t', 'tmpfs', 'tmpfs'), ('tmp', '-t', 'tmpfs', 'tmpfs')):
            subprocess.run(['mount', *words, self.path / place], check=True)

    def remove(self):
        subprocess.run(['umount', '--recursive', '--lazy', self.path], check=True)
        shutil.rmtree(self.path)

    def run(self, command, directory='/'):
        print(f'+ {command}', flush=True)
        inside = ['chroot', self.path, 'sh', '-c', f'cd {directory} && {command}']
        subprocess.run(inside, check=True, env=self.variables, stdin=subprocess.DEVNULL)

    def output(self, command):
        done = subprocess.run(['chroot', self.path, 'sh', '-c', command], env=self.variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f'{command}\nended with code {done.returncode}:\n{done.stdout}{done.stderr}')
        return done.stdout

    def install(self, *packages):
        self.run('export DEBIAN_FRONTEND=noninteractive; apt-get -qq update && apt-get -qq -y -o Dpkg::Use-Pty=0 install '
                 f'--no-install-recommends {" ".join(packages)} >/var/log/installed')
