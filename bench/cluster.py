#!/usr/bin/env python3
"""make bench-cluster: ranks in several processes, and on several nodes, beside MPICH and Open MPI.

Processes of one machine: what it grants (bench/process_limits.c), a ping-pong, a barrier of 64. Nodes: network
namespaces of this machine (bench/nodes.py), beside fi_pingpong, and the experiments of the TMPI paper. Prints the
tables of docs/performance/between_processes.md and of docs/papers/tmpi.md, and after a complete run writes them
into these pages with their plots; a run with --quick or --only writes into build/bench instead. Figures are medians
over --runs runs of a median within each; all implementations take turns. Each run has a time limit, and one that
exceeds it is ended with all its processes and shown as such.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

import measure
import nodes
import plots
import report
import run
from report import duration, ratio, size

ROOT = run.ROOT
PAIR_SIZES = ([0, 8, 64, 512, 4096, 8192, 16384, 65536, 262144, 1 << 20, 4 << 20], [8, 4096, 1 << 20])
ALLOC_SIZES = [65536, 1 << 20, 4 << 20]
BARRIER_RANKS = 64
# Nodes, and ranks on each.
LAYOUTS = ((4, 1), (1, 4), (4, 4))
ROOTED = ['bcast:same', 'bcast:rotating', 'bcast:combined', 'reduce:same', 'reduce:rotating', 'reduce:combined',
          'allreduce:any']
APPLICATIONS = {'matrix_multiply': (480, 2 / 1), 'gauss': (480, 2 / 3)}  # order; operations: factor * order^3
APPLICATION_LAYOUTS = ((1, 1), (1, 2), (1, 4), (2, 4), (3, 4), (4, 4))
FI_LINE = re.compile(r'^(\S+)\s+\S+\s+\S+\s+\S+\s+\S+\s+(\S+)\s+(\S+)\s+\S+$', re.M)  # bytes, MB/sec, usec/xfer
ROOT_USER = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}


def on_nodes(implementation, count, per_node, launcher):
    """How `count` * `per_node` ranks are started from the first of `count` nodes: command and environment."""
    ranks, hosts = str(count * per_node), nodes.Nodes.hosts(count, per_node)
    crowded = count * per_node > measure.CORES
    if isinstance(implementation, measure.Thrum):
        where = ['--hosts', hosts, '--launcher-exec', launcher, '--ranks-per-process', str(per_node)] if count > 1 else []
        return [implementation.bin / 'mpiexec', *where, '-n', ranks], {}
    if count == 1:
        return implementation.settings(per_node)
    if implementation.name.startswith('MPICH'):
        yields = {'MPIR_CVAR_CH4_PROGRESS_THROTTLE': '1', 'MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT': '1',
                  'MPIR_CVAR_POSIX_POLL_FREQUENCY': '1'} if crowded else {}
        return [implementation.bin / 'mpiexec', '-launcher', 'ssh', '-launcher-exec', launcher, '-iface', 'eth0',
                '-hosts', hosts, '-n', ranks], yields
    return [implementation.bin / 'mpiexec', '--prtemca', 'plm_ssh_agent', launcher, '--prefix', implementation.bin.parent,
            '--host', hosts, '--map-by', ':OVERSUBSCRIBE', '--bind-to', 'none', '--mca', 'pml', 'ob1',
            '--mca', 'btl', 'self,sm,tcp', '--mca', 'btl_tcp_if_include', 'eth0', '-n', ranks], {
                **ROOT_USER, **({'OMPI_MCA_mpi_yield_when_idle': '1'} if crowded else {})}


def layout_name(layout):
    return f'{layout[0]}x{layout[1]}'


class ClusterBench(run.Bench):
    def prepare(self):
        self.processes = measure.ThrumProcesses(self.options.build.resolve(), 'Thrum')
        programs = measure.CLUSTER_PROGRAMS
        for thrum in (self.thrum, self.processes):
            self.programs[thrum] = measure.compile_programs(thrum.bin, self.work / 'thrum', ROOT, programs=programs)
        subprocess.run([shutil.which('gcc') or 'cc', '-O2', ROOT / 'bench' / 'process_limits.c', '-o',
                        self.work / 'process_limits'], check=True)
        self.add_peers(programs)
        self.missing_nodes = nodes.why_not()
        if self.missing_nodes:
            print(f'Nothing is measured between nodes: {self.missing_nodes}', file=sys.stderr)

    def measure_parts(self, parts):
        super().measure_parts([part for part in parts if not self.missing_nodes or part not in ['network'] + TMPI_PARTS])

    def print_section(self, name):
        super().print_section(name.removeprefix('tmpi_'))

    def best_peers(self):
        return [peer for peer in self.peers if peer.best]

    # Processes of this machine

    def sizes(self):
        return PAIR_SIZES[1 if self.options.quick else 0]

    def process_limits(self):
        sizes = [str(s) for s in self.sizes() if s]
        for _ in range(self.options.runs):
            for workers in (1, 2)[:measure.CORES]:
                pinned = ['taskset', '-c', measure.first_core()] if workers == 1 else []
                command = pinned + [self.work / 'process_limits', *self.sampling()[:4]]
                self.run_command(f'machine, {workers} core', 'process_limits', 2,
                                 command + (sizes if workers == 2 or measure.CORES == 1 else []))
        label = f'machine, {min(2, measure.CORES)} core'
        rows = [[text, duration(self.get(where, test, 2))] for text, where, test in (
            ('futex hand-over, one core, one way', 'machine, 1 core', 'futex_hand_over'),
            ('futex hand-over, two cores', 'machine, 2 core', 'futex_hand_over'),
            ('hand-over of a cache line, two cores', 'machine, 2 core', 'line_hand_over'))]
        copies = ['memcpy', 'shared_memcpy', 'process_vm_readv', 'huge_pages', 'halves', 'two_copies']
        table = [[size(s)] + [duration(self.get(label, copy, 2, s)) for copy in copies] +
                 [ratio(self.get(label, 'memcpy', 2, s), self.get(label, copy, 2, s)) for copy in copies[2:]]
                 for s in self.sizes() if s]
        self.sections['process_limits'] = report.table(['limit', 'time'], rows) + '\n\n' + report.table(
            ['a copy of'] + copies + [f'memcpy / {copy}' for copy in copies[2:]], table)

    def processes_of_two(self):
        return [(i, w) for w in ((1, 2) if measure.CORES > 1 else (1,)) for i in [self.processes] + self.best_peers()]

    def process_pingpong(self):
        both = self.processes_of_two()
        for _ in range(self.options.runs):
            for implementation, workers in both:
                self.once(implementation, 'pingpong', self.sampling() + self.sizes(), 2, workers)
                self.once(implementation, 'pingpong', self.sampling() + ['alloc'] + ALLOC_SIZES, 2, workers)
        labels = [self.label(*pair) for pair in both]
        row = lambda test, s: [self.cell(label, test, 2, s) for label in labels]
        rows = [[size(s)] + row('pingpong', s) for s in self.sizes()]
        rows += [[f'{size(s)}, MPI_Alloc_mem'] + row('pingpong_alloc', s) for s in ALLOC_SIZES]
        self.sections['process_pingpong'] = report.table(['half round trip'] + labels, rows) + \
            '\n\n![Half round trip between processes](process_pingpong.svg)'
        self.plot_sizes(self.options.folder / 'performance' / 'process_pingpong.svg',
                        'Half round trip between two processes', 'pingpong', {label: label for label in labels}, 2)
        peers = {w: self.least([self.label(p, w) for p in self.best_peers()], 'pingpong', 2, 8) for w in (1, 2)}
        mine = {w: self.get(f'Thrum, {w} core', 'pingpong', 2, 8) for w in (1, 2)}
        wake = self.get('machine, 1 core', 'futex_hand_over', 2)
        self.target('8 B half round trip between processes, two cores: the faster peer', mine[2], peers[2])
        self.target('the same on one core: 1.5 futex hand-overs', mine[1], 1.5 * wake if wake else None)
        self.target('the same on one core: the faster peer with its best settings', mine[1], peers[1])
        copy = self.get(f'machine, {min(2, measure.CORES)} core', 'memcpy', 2, 1 << 20)
        for test, where in (('pingpong_alloc', 'in memory of MPI_Alloc_mem'), ('pingpong', 'in ordinary memory')):
            large = self.get('Thrum, 2 core', test, 2, 1 << 20)
            self.target(f'1 MiB between processes, {where}: 0.9 of the rate of memcpy', (1 << 20) / large if large else None,
                        0.9 * (1 << 20) / copy if copy else None,
                        lambda rate: f'{report.digits(rate / 1e9)} GB/s', at_least=True)

    def least(self, labels, test, ranks, size_bytes=0):
        """The best of several implementations."""
        times = [self.get(label, test, ranks, size_bytes) for label in labels]
        return min((t for t in times if t), default=None)

    def process_barrier(self):
        implementations = [self.processes] + self.peers
        for _ in range(self.options.runs):
            for implementation in implementations:
                self.once(implementation, 'collectives', self.sampling() + ['barrier:0'], BARRIER_RANKS)
        for label, program, ranks in list(self.failures):
            if program == 'collectives':
                self.failures.setdefault((label, 'barrier', ranks), self.failures[label, program, ranks])
        thrum = self.get('Thrum', 'barrier', BARRIER_RANKS)
        rows = [[i.name, self.cell(i.name, 'barrier', BARRIER_RANKS),
                 ratio(self.get(i.name, 'barrier', BARRIER_RANKS), thrum)] for i in implementations]
        self.sections['process_barrier'] = report.table(
            [f'barrier of {BARRIER_RANKS} processes', 'time', 'time / Thrum'], rows)
        self.target(f'barrier of {BARRIER_RANKS} processes: the faster peer with its best settings', thrum,
                    self.least([p.name for p in self.peers], 'barrier', BARRIER_RANKS))
        slow = self.get('MPICH default', 'barrier', BARRIER_RANKS)
        self.target(f'barrier of {BARRIER_RANKS} processes: a hundredth of the time of MPICH with its defaults', thrum,
                    slow / 100 if slow else None)

    # Nodes

    def node_label(self, implementation, layout):
        return f'{implementation.name}, {layout_name(layout)}'

    def once_on_nodes(self, the_nodes, implementation, layout, program, arguments):
        the_nodes.share_cores(layout[0] > 1)
        command, environment = on_nodes(implementation, *layout, the_nodes.launcher)
        command += [self.programs[implementation] / program] + [str(a) for a in arguments]
        return self.run_command(self.node_label(implementation, layout), program, layout[0] * layout[1],
                                the_nodes.on(0, command), environment)

    def network_implementations(self):
        return [self.thrum] + self.best_peers()

    def network(self):
        """Two nodes, a core each; fi_pingpong in the same runs."""
        sizes = [s for s in self.sizes() if s]
        with nodes.Nodes(2) as the_nodes:
            for _ in range(self.options.runs):
                self.fi_pingpong(the_nodes, sizes)
                for implementation in self.network_implementations():
                    self.once_on_nodes(the_nodes, implementation, (2, 1), 'pingpong', self.sampling() + sizes)
        labels = ['fi_pingpong'] + [self.node_label(i, (2, 1)) for i in self.network_implementations()]
        rows = [[size(s)] + [self.cell(label, 'pingpong', 2, s) for label in labels] +
                [ratio(self.get(labels[1], 'pingpong', 2, s), self.get('fi_pingpong', 'pingpong', 2, s))] for s in sizes]
        self.sections['network'] = report.table(
            ['half round trip'] + [label.removesuffix(', 2x1') for label in labels] + ['Thrum / fi_pingpong'], rows)
        fi, mine = ({s: self.get(label, 'pingpong', 2, s) for s in (8, 1 << 20)} for label in labels[:2])
        peers = {s: self.least(labels[2:], 'pingpong', 2, s) for s in (8, 1 << 20)}
        rate = lambda time_s: (1 << 20) / time_s if time_s else None
        shown = lambda value: f'{report.digits(value / 1e9)} GB/s'
        self.target('8 B half round trip over tcp: 1.15 times fi_pingpong', mine[8], fi[8] and 1.15 * fi[8])
        self.target('the same: the faster peer over tcp', mine[8], peers[8])
        large = 1 << 20
        self.target('1 MiB over tcp: 0.95 of the rate of fi_pingpong', rate(mine[large]), fi[large] and 0.95 * rate(fi[large]),
                    shown, at_least=True)
        self.target('the same: the faster peer over tcp', rate(mine[large]), rate(peers[large]), shown, at_least=True)

    def fi_pingpong(self, the_nodes, sizes):
        """libfabric's own ping-pong over tcp;ofi_rxm (Thrum takes a provider without that layer, if there is one)."""
        tool = shutil.which('fi_pingpong')
        if not tool:
            self.failures['fi_pingpong', 'pingpong', 2] = 'not installed'
            return
        for s in sizes:
            self.progress(f'fi_pingpong of {size(s)}')
            count = 20 if self.options.quick else 200 if s > 65536 else 2000
            options = ['timeout', '30', tool, '-e', 'rdm', '-p', 'tcp;ofi_rxm', '-I', str(count), '-S', str(s)]
            server = subprocess.Popen(the_nodes.on(1, options), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                done = None
                for _ in range(20):  # until the server listens
                    done = subprocess.run(the_nodes.on(0, options + [the_nodes.address(1)]), stdin=subprocess.DEVNULL,
                                          capture_output=True, text=True)
                    if done.returncode == 0 or server.poll() is not None:
                        break
                for _, _, time_us in FI_LINE.findall(done.stdout):
                    try:
                        self.add(('fi_pingpong', 'pingpong', 2, s), float(time_us) * 1e-6)
                    except ValueError:
                        pass  # the head of its table
                server.wait(10)
            except subprocess.TimeoutExpired:
                pass
            finally:
                if server.poll() is None:
                    server.kill()
                    server.wait()

    # The TMPI paper

    def tmpi_pairs(self, program, section, title):
        sizes = [s for s in self.sizes() if s]
        layouts = {'between nodes': (2, 1), 'within a node': (1, 2)}
        for _ in range(self.options.runs):
            with nodes.Nodes(2) as the_nodes:
                for layout in layouts.values():
                    for implementation in self.network_implementations():
                        self.once_on_nodes(the_nodes, implementation, layout, program, self.sampling() + sizes)
        text = []
        for where, layout in layouts.items():
            names = {i.name: self.node_label(i, layout) for i in self.network_implementations()}
            rows = [[size(s)] + [self.cell(label, program, 2, s) for label in names.values()] +
                    [ratio(self.least(list(names.values())[1:], program, 2, s), self.get(names['Thrum'], program, 2, s))]
                    for s in sizes]
            file = f'{section}_{where.split()[0]}'
            text.append(f'{title}, {where}:\n\n' + report.table(['message'] + list(names) + ['best peer / Thrum'], rows) +
                        f'\n\n![{title}, {where}](tmpi/{file}.svg)')
            self.plot_sizes(self.options.folder / 'papers' / 'tmpi' / f'{file}.svg', f'{title}, {where}', program, names, 2)
        self.sections[section] = '\n\n'.join(text)

    def plot_sizes(self, path, title, test, labels, ranks):
        series = {name: [(s, v) for s in self.sizes() if s and (v := self.get(label, test, ranks, s))]
                  for name, label in labels.items()}
        plots.curves(path, title, 'time', series, 'bytes')

    def tmpi_pingpong(self):
        self.tmpi_pairs('pingpong', 'pingpong', 'Half round trip')

    def tmpi_one_way(self):
        self.tmpi_pairs('one_way', 'one_way', 'One message of a stream')

    def tmpi_collectives(self):
        for _ in range(self.options.runs):
            with nodes.Nodes(4) as the_nodes:
                for layout in LAYOUTS:
                    for implementation in self.network_implementations():
                        self.once_on_nodes(the_nodes, implementation, layout, 'rooted', self.sampling() + ROOTED)
        names = [i.name for i in self.network_implementations()]
        rows, series = [], {}
        for operation in ROOTED:
            test = operation.replace(':', '_')
            for layout in LAYOUTS:
                ranks = layout[0] * layout[1]
                labels = [f'{name}, {layout_name(layout)}' for name in names]
                for label in labels:
                    if failure := self.failures.get((label, 'rooted', ranks)):
                        self.failures.setdefault((label, test, ranks), failure)
                rows.append([operation.replace(':', ', ').replace(', any', ''), layout_name(layout)] +
                            [self.cell(label, test, ranks, 8) for label in labels] +
                            [ratio(self.least(labels[1:], test, ranks, 8), self.get(labels[0], test, ranks, 8))])
                for name, label in zip(names, labels):
                    value = self.get(label, test, ranks, 8)
                    series.setdefault(f'{name}, {layout_name(layout)}', []).append(value)
        bars = {name: values for name, values in series.items() if any(values)}
        plots.bars(self.options.folder / 'papers' / 'tmpi' / 'collectives.svg', 'Collective operations: time of one, of 8 B',
                    [operation.replace(':', ' ').replace(' any', '') for operation in ROOTED], bars)
        self.sections['collectives'] = report.table(['operation, root', 'nodes x ranks'] + names + ['best peer / Thrum'], rows) + \
            '\n\n![Collective operations](tmpi/collectives.svg)'

    def tmpi_applications(self):
        layouts = ((1, 2), (4, 4)) if self.options.quick else APPLICATION_LAYOUTS
        for _ in range(self.options.runs):
            with nodes.Nodes(4) as the_nodes:
                for program, (order, _) in APPLICATIONS.items():
                    for layout in layouts:
                        for implementation in self.network_implementations():
                            self.once_on_nodes(the_nodes, implementation, layout, program,
                                               ['-r', 3, '-b', 6 if not self.options.quick else 2, order])
        text = []
        names = [i.name for i in self.network_implementations()]
        for program, (order, factor) in APPLICATIONS.items():
            rows, series = [], {name: [] for name in names}
            for layout in layouts:
                ranks, cells = layout[0] * layout[1], []
                for name in names:
                    label = f'{name}, {layout_name(layout)}'
                    time_s = self.get(label, program, ranks, order)
                    rate = factor * order ** 3 / time_s / 1e6 if time_s else None
                    cells.append(f'{rate:,.0f}' if rate else self.failures.get((label, program, ranks), '-'))
                    series[name] += [(ranks, rate)] if rate else []
                best = self.least([f'{name}, {layout_name(layout)}' for name in names[1:]], program, ranks, order)
                rows.append([layout_name(layout)] + cells +
                            [ratio(best, self.get(f'Thrum, {layout_name(layout)}', program, ranks, order))])
            title = {'matrix_multiply': 'Matrix multiplication', 'gauss': 'Gaussian elimination'}[program]
            plots.curves(self.options.folder / 'papers' / 'tmpi' / f'{program}.svg', f'{title} of order {order}: Mflop/s',
                        'Mflop/s', series)
            text.append(f'{title} of order {order}, Mflop/s:\n\n' + report.table(
                ['nodes x ranks'] + names + ['best peer / Thrum (time)'], rows) + f'\n\n![{title}](tmpi/{program}.svg)')
        self.sections['applications'] = '\n\n'.join(text)

    # Output

    def write(self):
        machine = (f'{report.machine()}. Medians of {self.options.runs} runs{" (quick)" if self.options.quick else ""}. '
                   'Nodes are network namespaces of this machine: between two of them each has a core of its own, '
                   'more share them.')
        targets = report.table(['target', 'bound', 'measured', 'measured / bound', ''], self.targets)
        print(f'\n## targets\n\n{targets}')
        of = lambda parts: {part: self.sections.get(part, self.absent()) for part in parts}
        written = report.write_sections({'cluster_machine': machine, 'cluster_targets': targets} | of(PROCESS_PARTS), self.options.folder)
        paper = {'machine': machine} | of(part.removeprefix('tmpi_') for part in TMPI_PARTS)
        written.append(report.write_page(report.DOCS / 'papers' / 'tmpi.md', paper, self.options.folder))
        for page in written:
            print(f'Written: {page}')

    def absent(self):
        return 'Not measured in this run.' + (f' ({self.missing_nodes})' if self.missing_nodes else '')


PROCESS_PARTS = ['process_limits', 'process_pingpong', 'process_barrier', 'network']
TMPI_PARTS = ['tmpi_pingpong', 'tmpi_one_way', 'tmpi_collectives', 'tmpi_applications']
PARTS = PROCESS_PARTS + TMPI_PARTS


if __name__ == '__main__':
    run.run_all(ClusterBench(run.parse(__doc__, PARTS, 60)))
