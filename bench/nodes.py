"""Network namespaces as the nodes of a cluster, for one run of a benchmark (root).

Each node has a network, a host name and a /dev/shm of its own; all are at one bridge, so nothing leaves the machine.
Their processes share the machine's cores. Everything goes with this process, however that ends.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure

TOOLS = ('ip', 'nsenter', 'unshare', 'setpriv', 'taskset', 'mount')
SUBNET = '10.77.0'

# The command that launchers call instead of ssh: LAUNCHER [OPTIONS] NODE COMMAND LINE.
LAUNCHER = '''#!/bin/sh
while case $1 in -*) true ;; *) false ;; esac; do shift; done
node=$1
shift
exec {folder}/enter "$node" /bin/sh -c "$*"
'''
ENTER = '''#!/bin/sh
pid=$(cat {folder}/"$1".pid) || {{ echo "there is no node $1" >&2; exit 1; }}
cores=$(cat {folder}/"$1".cores)
shift
exec nsenter -t "$pid" -n -u -i -m -- taskset -c "$cores" "$@"
'''


def why_not():
    """'' if this process can make namespaces, or what is missing."""
    if os.geteuid() != 0:
        return 'network namespaces need root'
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    return f'missing: {", ".join(missing)} (packages iproute2, util-linux)' if missing else ''


class Nodes:
    """`with Nodes(4) as nodes:` makes node0 to node3."""

    def __init__(self, count):
        self.count = count
        self.folder = Path(tempfile.mkdtemp(prefix='thrum-nodes-'))
        self.holders = []

    def __enter__(self):
        try:
            self.build()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for holder in self.holders:
            holder.kill()
            try:
                holder.wait(5)
            except subprocess.TimeoutExpired:
                pass
            measure.kept.discard(holder.pid)
        shutil.rmtree(self.folder, ignore_errors=True)

    def hold(self, *namespaces):
        """A process that sleeps in new namespaces; returns its number."""
        holder = subprocess.Popen(['setpriv', '--pdeathsig', 'KILL', 'unshare', *namespaces, 'sleep', 'infinity'],
                                  stdin=subprocess.DEVNULL, start_new_session=True)
        self.holders.append(holder)
        measure.kept.add(holder.pid)
        for _ in range(500):
            if Path(f'/proc/{holder.pid}/comm').read_text() == 'sleep\n':
                return holder.pid
            time.sleep(0.01)
        raise RuntimeError('unshare does not start')

    def build(self):
        for name, text in (('launcher', LAUNCHER), ('enter', ENTER)):
            (self.folder / name).write_text(text.format(folder=self.folder))
            (self.folder / name).chmod(0o755)
        names = '127.0.0.1 localhost\n' + ''.join(f'{self.address(i)} node{i}\n' for i in range(self.count))
        (self.folder / 'hosts').write_text(names)
        switch = self.hold('--net')
        self.within(switch, 'ip link set lo up; ip link add br0 type bridge; ip link set br0 up')
        for i in range(self.count):
            pid = self.hold('--net', '--uts', '--ipc', '--mount')
            (self.folder / f'node{i}.pid').write_text(f'{pid}\n')
            self.within(switch, f'ip link add p{i} type veth peer name eth0 netns {pid}; ip link set p{i} master br0 up')
            self.within(pid, f'ip link set lo up; ip addr add {self.address(i)}/24 dev eth0; ip link set eth0 up; '
                             f'hostname node{i}; mount -t tmpfs -o mode=1777 tmpfs /dev/shm; '
                             f'mount --bind {self.folder}/hosts /etc/hosts; mount -t sysfs -o ro sysfs /sys')
        self.share_cores(True)

    def within(self, pid, script):
        done = subprocess.run(['nsenter', '-t', str(pid), '-n', '-u', '-i', '-m', '--', 'sh', '-ec', script],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f'a node cannot be made: {done.stderr.strip()}')

    @staticmethod
    def address(node):
        return f'{SUBNET}.{node + 1}'

    def share_cores(self, apart):
        """Deals a core to each node in turn, or gives all cores to each."""
        cores = sorted(os.sched_getaffinity(0))
        for i in range(self.count):
            mine = str(cores[i % len(cores)]) if apart else ','.join(map(str, cores))
            (self.folder / f'node{i}.cores').write_text(mine + '\n')

    @property
    def launcher(self):
        return str(self.folder / 'launcher')

    def on(self, node, command):
        """The command, to be run on a node."""
        return [str(self.folder / 'enter'), f'node{node}'] + [str(word) for word in command]

    @staticmethod
    def hosts(nodes, ranks_per_node):
        return ','.join(f'node{i}:{ranks_per_node}' for i in range(nodes))


if __name__ == '__main__':  # for trying: nodes.py COUNT, then FOLDER/enter node0 ...
    measure.become_reaper()
    with Nodes(int(sys.argv[1])) as the_nodes:
        print(the_nodes.folder, flush=True)
        input('Return ends them. ')
