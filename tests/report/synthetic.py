"""Makes synthetic reports: plausible data of a 2-D stencil code at any number of ranks, and degenerate data.

Usage: synthetic.py KIND [SEED] writes JSON to standard output. KIND: a number of ranks, or a name in DEGENERATE.
"""

import copy
import json
import math
import random
import sys

FUNCTIONS = [
    'MPI_Isend',
    'MPI_Irecv',
    'MPI_Waitall',
    'MPI_Allreduce',
    'MPI_Alltoall',
    'MPI_Bcast',
    'MPI_Send',
    'MPI_Recv',
    'MPI_File_write_at_all',
    'MPI_Barrier',
]
SITES = [
    (0, 'stencil.c', 131, 'exchange_halo'),
    (1, 'stencil.c', 124, 'exchange_halo'),
    (2, 'stencil.c', 137, 'exchange_halo'),
    (3, 'residual.c', 58, 'residual_norm'),
    (4, 'src/spectral/transpose.c', 212, 'transpose_rows'),
    (5, 'main.c', 44, 'read_parameters'),
    (6, 'gather.c', 77, 'send_profile'),
    (7, 'gather.c', 91, 'collect_profiles'),
    (8, 'output.c', 150, 'write_checkpoint'),
    (9, 'libtiming.so.2+0x1c40', 0, ''),
]
STEPS = 200


def grid(ranks):
    """Returns the rows and columns of the most nearly square grid."""
    rows = next(rows for rows in range(math.isqrt(ranks), 0, -1) if ranks % rows == 0)
    return rows, ranks // rows


def halo(ranks, partners_max):
    """Yields (source, dest, share of a row's bytes) for the neighbours in the grid and some partners in the row."""
    rows, columns = grid(ranks)
    for rank in range(ranks):
        row, column = divmod(rank, columns)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if (down or right) and 0 <= row + down < rows and 0 <= column + right < columns:
                    yield rank, (row + down) * columns + column + right, 0.02 if down and right else 1.0
        for other in range(0, columns, max(2, columns // max(1, partners_max))):
            if abs(other - column) > 1:
                yield rank, row * columns + other, 0.1
        for power in range(3, (ranks - 1).bit_length()):  # a butterfly over all ranks
            other = rank ^ (1 << power)
            if other < ranks and not (other // columns == row or abs(other - rank) <= columns + 1):
                yield rank, other, 0.05


def rank_times(ranks, seconds, rng):
    """Returns the computing time of each rank: noise, a slow drift over the ranks, and a few stragglers."""
    stragglers = set(rng.sample(range(ranks), max(1, ranks // 150))) if ranks > 1 else set()
    computing = [
        seconds * (0.55 + 0.06 * math.sin(3 * rank / ranks) + rng.gauss(0, 0.012) + (0.22 if rank in stragglers else 0))
        for rank in range(ranks)
    ]
    return computing, sorted(stragglers)


def calls_of(ranks, mpi, wait, sent, rng, slowest):
    """Divides the time in MPI over the call sites."""
    shares = [0.03, 0.01, 0.52, 0.27, 0.09, 0.015, 0.005, 0.02, 0.035, 0.005]
    per_rank = [STEPS * 8, STEPS * 8, STEPS, STEPS, 4, 1, 1, 1, 5, 2]
    calls = []
    for site, (share, times) in enumerate(zip(shares, per_rank)):
        members = {6: max(1, ranks - 1), 7: 1}.get(site, ranks)
        seconds = mpi * share if site != 7 else min(mpi * share, 0.3)
        times = max(1, ranks - 1) if site == 7 else times
        calls.append(
            {
                'site': site,
                'calls': times * members,
                'ranks': members,
                'seconds': seconds,
                'wait': seconds * wait / mpi if site > 1 and mpi else 0.0,
                'bytes': int(sent * {0: 0.85, 4: 0.14, 6: 0.01}.get(site, 0)),
                'longest': seconds / members / times * min(times, rng.uniform(3, 40)),
                'longest_rank': rng.choice(slowest + [0]),
            }
        )
    calls[2]['seconds'] += mpi - sum(call['seconds'] for call in calls)
    calls[2]['wait'] += wait - sum(call['wait'] for call in calls)
    for call in calls:
        call['ready'] = call['wait'] * 0.3
    return calls


def waits_of(wait, ranks, slow):
    kinds = [
        ('late sender', 2, 0, 0.52),
        ('collective', 3, 3, 0.27),
        ('collective', 4, 4, 0.09),
        ('late receiver', 6, 7, 0.03),
        ('late sender', 7, 6, 0.02),
        ('collective', 8, -1, 0.04),
    ]
    return [
        {
            'kind': kind,
            'site': site,
            'cause': cause,
            'count': STEPS * ranks // 3 + site,
            'seconds': wait * share,
            'ranks': ranks - 1,
            'cause_rank': slow[index % len(slow)],
            'cause_rank_seconds': wait * share * (0.62 - index * 0.07),
        }
        for index, (kind, site, cause, share) in enumerate(kinds)
    ]


def collectives_of(ranks, seconds, slow, rng):
    late = (slow + [rank for rank in range(ranks) if rank not in slow])[:16]
    result = []
    for site, times, scale in ((3, STEPS, 0.1), (4, 4, 0.03), (5, 1, 0.001), (8, 5, 0.02)):
        last = [
            [rank, max(1, int(times * 0.5 ** (index + 1))), seconds * scale * 0.4 ** (index + 1)]
            for index, rank in enumerate(late)
        ]
        result.append(
            {
                'site': site,
                'members': ranks,
                'calls': times,
                'spread': seconds * scale,
                'spread_longest': seconds * scale / times * rng.uniform(1, 5),
                'last': last,
            }
        )
    return result


def path_of(seconds, slow):
    parts = []
    for index, rank in enumerate(slow[:6]):
        weight = seconds * 0.78 * 0.5 ** (index + 1)
        parts += [
            {'rank': rank, 'site': -1, 'seconds': weight * 0.88},
            {'rank': rank, 'site': 2, 'seconds': weight * 0.07},
            {'rank': rank, 'site': 3, 'seconds': weight * 0.05},
        ]
    return parts + [{'rank': -1, 'site': -1, 'seconds': seconds - sum(part['seconds'] for part in parts)}]


def sizes_of(entries):
    """Sorts the messages by the power of two of their mean size."""
    sizes = {}
    for _, _, messages, size in entries:
        exponent = int(math.log2(size / messages)) if size else -1
        before = sizes.get(exponent, (0, 0))
        sizes[exponent] = (before[0] + messages, before[1] + size)
    return [[exponent, *values] for exponent, values in sorted(sizes.items())]


def stencil(ranks, seed=1, seconds=3.21, partners_max=8, memory=True):
    """Returns the report of a stencil code with stragglers."""
    rng = random.Random(f'{ranks} {seed}')
    computing, slow = rank_times(ranks, seconds, rng)
    slow = slow or [0]
    slow.sort(key=lambda rank: -computing[rank])
    total = [seconds * rng.uniform(0.985, 1.0) for _ in range(ranks)]
    mpi = [max(0.0, whole - part) for whole, part in zip(total, computing)]
    wait = [part * rng.uniform(0.78, 0.9) for part in mpi]
    entries = [
        [source, dest, STEPS if share == 1 else STEPS // 4, int(STEPS * 8192 * share * rng.uniform(0.8, 1.25))]
        for source, dest, share in halo(ranks, partners_max)
    ]
    messages, sent = [0] * ranks, [0] * ranks
    for source, _, count, size in entries:
        messages[source] += count
        sent[source] += size
    queue = [max(0, int(rng.gauss(3, 1.5) + 20 * math.exp(-(((bin_ - 14) / 3) ** 2)))) for bin_ in range(64)]
    report = {
        'format': 'thrum report',
        'version': 1,
        'run': {
            'command': f'mpiexec -n {ranks} ./stencil --steps {STEPS} 4096',
            'started': '2026-11-28T20:50:11Z',
            'host': 'node17',
            'processor': 'AMD EPYC 7543P 32-Core Processor',
            'cores': 2,
            'thrum': '0.9',
            'ranks': ranks,
            'processes': 1,
            'workers': 2,
            'seconds': seconds,
            'ended': 'normally',
            'complete': True,
        },
        'functions': FUNCTIONS,
        'sites': [dict(zip(('function', 'file', 'line', 'in'), site)) for site in SITES],
        'calls': calls_of(ranks, sum(mpi), sum(wait), sum(sent), rng, slow),
        'ranks': {
            'seconds': total,
            'mpi': mpi,
            'wait': wait,
            'ready': [part * 0.3 for part in wait],
            'messages': messages,
            'bytes': sent,
            'unexpected_most': [rng.randrange(24) for _ in range(ranks)],
        },
        'matrix': {'entries': entries, 'block': 1},
        'sizes': sizes_of(entries) if ranks > 1 else [],
        'waits': waits_of(sum(wait) * 0.7, ranks, slow) if ranks > 1 else [],
        'collectives': collectives_of(ranks, seconds, slow, rng),
        'path': path_of(seconds, slow),
        'queue': {'bin': 0.05, 'most': queue},
        'files': [
            {
                'name': 'checkpoint-0200.dat',
                'reads': 0,
                'writes': 5 * ranks,
                'bytes_read': 0,
                'bytes_written': 1 << 27,
                'seconds': 0.42,
            },
            {
                'name': 'parameters.nml',
                'reads': 1,
                'writes': 0,
                'bytes_read': 2114,
                'bytes_written': 0,
                'seconds': 0.0004,
            },
        ],
        'findings': [
            'thrum: warning: rank 0: MPI_Allreduce: MPI_SUM is not defined on MPI_CHAR (at histogram.c:31 in main); '
            'allowed here, but not by the MPI standard (mpiexec --check makes it an error)'
        ],
    }
    if memory:
        report['ranks']['memory'] = [
            int((9 + rng.uniform(0, 1.4) + (22 if rank == 0 else 0)) * 2**20) for rank in range(ranks)
        ]
        report['run']['memory'] = sum(report['ranks']['memory']) + 5 * 2**20
    return report


def one_rank():
    report = stencil(1, memory=False)
    report['matrix']['entries'] = []
    report['findings'] = []
    report['queue']['most'] = [0] * 10
    return report


def no_messages():
    """Returns the report of ranks that only call MPI_Init and MPI_Finalize; optional parts are missing."""
    report = stencil(4)
    for key in ('calls', 'sizes', 'waits', 'collectives', 'files', 'findings', 'path'):
        report[key] = []
    report['matrix'] = {'entries': [], 'block': 1}
    report['queue'] = {'bin': 0.05, 'most': []}
    report['ranks'].update(mpi=[0.0] * 4, wait=[0.0] * 4, ready=[0.0] * 4, messages=[0] * 4, bytes=[0] * 4, unexpected_most=[0] * 4)
    del report['ranks']['memory'], report['run']['memory'], report['waits'], report['files']
    return report


def incomplete():
    report = stencil(8)
    report['run'].update(ended='by signal 9 (Killed)', complete=False)
    return report


def hostile():
    """Returns a report whose names would be HTML, JavaScript or JSON in a page that does not escape them."""
    report = stencil(8)
    evil = '</script><b id="evil">x</b><script>document.title = "evil"</script>'
    report['run']['command'] = f'mpiexec -n 8 "./{evil}" \'a "quoted" argument\' <!-- $& $1'
    report['sites'][2].update({'file': f'{evil}".c', 'in': 'operator<<(a&, "b")'})
    report['files'][0]['name'] = f'"\'><img src=x onerror=alert(1)>{evil}\\ \u2028 /*DATA*/'
    report['findings'] = [f'thrum: warning: {evil}', 'line\nline', '']
    return report


def empty():
    """Returns a report in which nothing happened: all lists are empty."""
    report = no_messages()
    for key in report['ranks']:
        report['ranks'][key] = []
    report['sites'] = report['functions'] = []
    report['run'].update(ranks=0, seconds=0.0)
    return report


def blocks():
    """Returns a report of 100,000 ranks whose matrix has blocks of 100 ranks."""
    report = stencil(1000)
    for key, values in report['ranks'].items():
        report['ranks'][key] = values * 100
    report['matrix']['block'] = 100
    report['run']['ranks'] = 100000
    return report


def compared():
    """Returns two runs of a program of which one call was moved, one removed and one made faster."""
    first, second = stencil(64), stencil(64, seed=2, seconds=2.4)
    second['sites'] = copy.deepcopy(second['sites'])
    second['sites'][2]['line'] = 149
    second['sites'][6]['in'] = 'send_profiles_at_once'
    second['run']['started'] = '2026-11-29T09:12:40Z'
    second['findings'] = []
    return {'compare': [first, second]}


DEGENERATE = {
    'one-rank': one_rank,
    'no-messages': no_messages,
    'incomplete': incomplete,
    'hostile': hostile,
    'empty': empty,
    'blocks': blocks,
    'compared': compared,
}


def report_of(kind, seed=1):
    if kind in DEGENERATE:
        return DEGENERATE[kind]()
    ranks = int(kind)
    return stencil(ranks, seed, partners_max=30 if ranks >= 10000 else 8)


if __name__ == '__main__':
    json.dump(report_of(sys.argv[1], *map(int, sys.argv[2:3])), sys.stdout)
