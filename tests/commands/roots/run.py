#!/usr/bin/env python3
"""A clean root of a Debian suite: packaging/docker/Dockerfile, then the README's two commands.

What the machine has installed cannot help there, nor can what a checkout has built: the tests are those of the last commit.
The root (some 6 GiB) is removed unless a step fails.
"""
import argparse
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
DOCKERFILE = CHECKOUT / 'packaging' / 'docker' / 'Dockerfile'
sys.path.insert(0, str(CHECKOUT / 'tests' / 'harness'))
from root import HELLO, VERSIONS, Root, own_namespace  # noqa: E402


def dockerfile():
    lines = [line for line in DOCKERFILE.read_text().splitlines() if line and not line.startswith('#')]
    return [line.split(' ', 1) for line in lines]


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
    arguments = parser.parse_args()
    if (code := own_namespace()) is not None:
        return code
    root = Root(arguments.work.resolve() / arguments.suite)
    root.make(arguments.suite)
    root.mount()
    place = follow_dockerfile(root, VERSIONS[arguments.suite])
    check_installed(root)
    root.variables.pop('MPIEXEC_TIMEOUT')  # the image's, not the README's
    root.run('make run', place)
    root.run('make test', place)
    root.remove()
    return 0


if __name__ == '__main__':
    sys.exit(main())
