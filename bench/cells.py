"""Cases in which a peer has led, all in one run: the part `cells` of make bench.

Thrum (and as processes, where that is another matter), MPICH, Open MPI and AMPI with their best settings take turns. AMPI is measured
where AMPI names the folder of a Charm++ build with it; else its column says that it is not there.
"""
import statistics
import time

import measure
from report import duration, ratio, table

KIB = 1024
# What, program, arguments, ranks, the figure (test, bytes), whether it is also measured as processes.
CASES = [
    ('8 B half round trip', 'pingpong', [8], 2, ('pingpong', 8), True),
    ('8 B in a stream', 'message_rate', [8], 2, ('message_rate', 8), True),
    ('oldest of 100 unexpected messages', 'unexpected', [100], 2, ('unexpected', 100), False),
    ('oldest of 1,000 unexpected messages', 'unexpected', [1000], 2, ('unexpected', 1000), False),
    ('bcast of 8 B', 'collectives', ['bcast:8'], 2, ('bcast', 8), True),
    ('bcast of 8 B', 'collectives', ['bcast:8'], 4, ('bcast', 8), False),
    ('bcast of 8 B', 'collectives', ['bcast:8'], 16384, ('bcast', 8), False),
    ('all-to-all of 8 B', 'collectives', ['alltoall:8'], 2, ('alltoall', 8), True),
    ('barrier', 'collectives', ['barrier:0'], 64, ('barrier', 0), False),
    ('barrier', 'collectives', ['barrier:0'], 1024, ('barrier', 0), False),
    ('barrier', 'collectives', ['barrier:0'], 16384, ('barrier', 0), False),
    *[(f'allreduce of {size // KIB} KiB', 'collectives', [f'allreduce:{size}'], ranks, ('allreduce', size), False)
      for size, counts in ((16 * KIB, (256, 1024, 4096, 16384)), (64 * KIB, (64, 256, 1024))) for ranks in counts],
    ('reduce of 16 KiB', 'collectives', [f'reduce:{16 * KIB}'], 16384, ('reduce', 16 * KIB), False),
    *[(f'MPI_Comm_dup, {row:,} in a row', 'collectives', [f'duplicates:{row}'], ranks, ('duplicates', row), False)
      for ranks, row in ((64, 10), (64, 1000), (64, 2000), (1024, 1000))],
    *[(f'{test.replace("_", " ")} of 8 B{"" if test.startswith("lock") else " and flush"}', 'one_sided', [], 2, (test, 8), True)
      for test in ('put', 'get', 'accumulate', 'fetch_and_op', 'lock_put', 'lock_fetch')],
    ('Jacobi 2,048 x 2,048: a step', 'jacobi', [2048], 2, ('jacobi', 2048), True),
    ('Jacobi 2,048 x 2,048: of it in MPI', 'jacobi', [2048], 2, ('jacobi_mpi', 2048), True),
    ('Cholesky of order 1,000', 'cholesky', ['-n', 1000], 1024, ('cholesky', 1000), False),
]
PEER_TIME_LIMIT_S = 30
SETTLE_S = 3  # the kernel is busy with what a job that was ended had, or with its core
PROCESS_RANKS_MAX = 64  # ranks of MPICH and Open MPI, which are processes
AMPI_LACKS = 'one_sided',  # it has no MPI_Win_flush, and ends
JACOBI_SAMPLES = 15  # its time depends on what else uses the memory's bandwidth at the moment
ONE_CORE_RANKS_MAX = 4   # of AMPI, whose ranks talk faster on one core than on two
PROGRAMS = {'pingpong': ['-O2'], 'message_rate': ['-O2'], 'unexpected': ['-O2'], 'collectives': ['-O2'], 'one_sided': ['-O2'],
            'jacobi': ['-O3', '-march=native'], 'cholesky': ['-O3', '-march=native']}


def jobs():
    """The jobs that the cases need, as (program, arguments, ranks, whether also as processes). Cases share a job, but rows of
    communicators have one each: peers fail with the longer ones."""
    needed = {}
    for _, program, arguments, ranks, _, as_processes in CASES:
        alone = arguments[0] if program == 'collectives' and arguments[0].startswith('duplicates') else None
        job = needed.setdefault((program, ranks, alone), [[], False])
        job[0] += [a for a in arguments if a not in job[0]]
        job[1] |= as_processes
    return [(program, arguments, ranks, as_processes) for (program, ranks, _), (arguments, as_processes) in needed.items()]


class Cells:
    """Figures of the cases. `programs`: the folder of each implementation's programs."""

    def __init__(self, thrum, processes, peers, programs):
        self.thrum, self.processes, self.peers, self.programs = thrum, processes, peers, programs
        self.figures, self.failures = {}, {}

    def run(self, implementation, program, arguments, ranks, limit_s):
        """One job, unless it has failed before."""
        if (implementation, program, ranks, arguments[0] if arguments else None) in self.failures:
            return
        command, environment = implementation.settings(ranks)
        of_runtime = implementation.arguments(ranks) if isinstance(implementation, measure.Ampi) else []
        command = [*command, self.programs[implementation] / program, *of_runtime, *map(str, arguments)]
        run = measure.start(command, limit_s, environment)
        for (test, size), value in run.figures.items():
            self.figures.setdefault((implementation, test, ranks, size), []).append(value)
        if run.failure:
            time.sleep(SETTLE_S)
            self.failures[implementation, program, ranks, arguments[0] if arguments else None] = run.failure

    def run_all(self, sampling, limit_s, peer_limit_s, progress):
        """One round: every job with every implementation, in turn."""
        for program, arguments, ranks, as_processes in jobs():
            for implementation in [self.thrum, *([self.processes] if as_processes else []), *self.peers]:
                is_peer = implementation in self.peers
                if is_peer and implementation.is_processes and ranks > PROCESS_RANKS_MAX:
                    continue
                if isinstance(implementation, measure.Ampi) and (
                        program in AMPI_LACKS or (implementation.cores == 1 and ranks > ONE_CORE_RANKS_MAX)):
                    continue
                progress(f'{implementation.name}: {program} with {ranks} ranks')
                options = {'cholesky': [], 'jacobi': [*sampling, '-r', JACOBI_SAMPLES]}.get(program, sampling)
                self.run(implementation, program, [*options, *arguments], ranks, peer_limit_s if is_peer else limit_s)

    def get(self, implementation, test, ranks, size):
        values = self.figures.get((implementation, test, ranks, size))
        return statistics.median(values) if values else None

    def cell(self, implementation, program, test, ranks, size):
        time = self.get(implementation, test, ranks, size)
        failed = [why for (who, what, n, _), why in self.failures.items() if (who, what, n) == (implementation, program, ranks)]
        return duration(time) if time else failed[0] if failed else 'not run'

    def section(self):
        """The table. Bold: a peer leads by more than 5 %."""
        rows = []
        for what, program, _, ranks, (test, size), as_processes in CASES:
            thrum = self.get(self.thrum, test, ranks, size)
            best = min((time for peer in self.peers if (time := self.get(peer, test, ranks, size))), default=None)
            lead = ratio(best, thrum)
            rows.append([what, f'{ranks:,}', self.cell(self.thrum, program, test, ranks, size),
                         self.cell(self.processes, program, test, ranks, size) if as_processes else '-',
                         *(self.cell(peer, program, test, ranks, size) for peer in self.peers),
                         f'**{lead}**' if best and thrum and best < 0.95 * thrum else lead])
        text = table(['case', 'ranks', 'Thrum', 'as processes', *(peer.name for peer in self.peers), 'best peer / Thrum'], rows)
        if not any(isinstance(peer, measure.Ampi) for peer in self.peers):
            text += '\n\nAMPI was not there in this run.'
        return text
