"""Makes synthetic timelines: a stencil code that is simulated event by event, and degenerate ones.

Usage: synthetic_timeline.py KIND writes JSON to standard output. KIND: RANKS or RANKSxSTEPS, or a name in DEGENERATE.
"""

import json
import random
import sys

import synthetic

# Indexes of synthetic.SITES.
ISEND, IRECV, WAITALL, ALLREDUCE, SEND, RECV, BARRIER = 0, 1, 2, 3, 6, 7, 9
LATENCY_US = 1.5
BYTES = 8192


class Simulation:
    """The ranks' clocks, in microseconds, and what they have done."""

    def __init__(self, ranks, seed=1):
        self.random = random.Random(f'timeline {ranks} {seed}')
        self.ranks = ranks
        self.clock = [self.random.uniform(0, 5) for _ in range(ranks)]
        self.clock[0] = 0.0
        self.calls, self.messages, self.regions, self.groups = [], [], [], 0

    def call(self, rank, site, work, until=0.0, group=0):
        """A call that works for some time and then waits until a moment; returns when it ended."""
        begin = self.clock[rank]
        end = max(begin + work, until)
        self.calls.append([rank, round(begin, 3), round(end, 3), site, round(end - begin - work, 3), group])
        self.clock[rank] = end
        return end

    def compute(self, rank, time):
        self.clock[rank] += time

    def collective(self, site, work=2.0):
        """All wait for the last one."""
        self.groups += 1
        latest = max(self.clock)
        for rank in range(self.ranks):
            self.call(rank, site, work, latest + work, self.groups)

    def exchange(self, tag):
        """Each rank sends to both neighbours of a ring, and waits until theirs have come."""
        sent = {}
        for rank in range(self.ranks):
            for to in {(rank - 1) % self.ranks, (rank + 1) % self.ranks} - {rank}:
                sent[rank, to] = self.clock[rank] + 0.8
                self.call(rank, ISEND, 1.0)
                self.call(rank, IRECV, 0.4)
        for rank in range(self.ranks):
            begin = self.clock[rank]
            arrived = {pair: max(begin, time + LATENCY_US) for pair, time in sent.items() if pair[1] == rank}
            self.call(rank, WAITALL, 1.5, max(arrived.values(), default=0.0))
            for (source, _), time in arrived.items():
                self.messages.append([source, round(sent[source, rank], 3), rank, round(time, 3), BYTES, tag])

    def region(self, rank, begin, name):
        self.regions.append([rank, round(begin, 3), round(self.clock[rank], 3), name])

    def timeline(self):
        return {
            'ranks': self.ranks,
            'calls': self.calls,
            'messages': self.messages,
            'regions': self.regions,
            'region_names': ['time step', 'halo exchange'],
            'open': [],
        }


def stencil(ranks, steps, regions=True):
    simulation = Simulation(ranks)
    for step in range(steps):
        begin = list(simulation.clock)
        for rank in range(ranks):
            simulation.compute(rank, simulation.random.uniform(20, 26) * (1.6 if rank == ranks // 3 else 1))
        before = list(simulation.clock)
        simulation.exchange(step)
        for rank in range(ranks) if regions else ():
            simulation.region(rank, before[rank], 1)
        simulation.collective(ALLREDUCE)
        for rank in range(ranks) if regions else ():
            simulation.region(rank, begin[rank], 0)
    return with_timeline(ranks, simulation.timeline())


def with_timeline(ranks, timeline):
    report = synthetic.stencil(ranks)
    report['timeline'] = timeline
    return report


def deadlock():
    """Returns a report of four ranks that receive from each other in a ring after a barrier."""
    simulation = Simulation(4)
    simulation.collective(BARRIER)
    timeline = simulation.timeline()
    timeline['open'] = [[rank, round(simulation.clock[rank] + rank, 3), RECV] for rank in range(4)]
    return with_timeline(4, timeline)


def only_open():
    """Returns a report of ranks none of whose calls ended."""
    timeline = Simulation(4).timeline()
    timeline['open'] = [[rank, float(rank), RECV] for rank in range(4)]
    return with_timeline(4, timeline)


def left_out():
    return with_timeline(4, {'left_out': 'the job made 1,234,567 calls and messages; a page shows a timeline of at most 20,000'})


def empty_timeline():
    return with_timeline(4, Simulation(4).timeline())


def odd():
    """Returns data as a program may make it: calls of several threads of a rank, no length, no known site, self messages, hostile names."""
    evil = '</script><b id="evil">x</b>'
    timeline = {
        'ranks': 3,
        'calls': [
            [0, 10.0, 90.0, RECV, 70.0, 0],
            [0, 20.0, 40.0, SEND, 0.0, 0],
            [0, 20.0, 20.0, 9999, 0.0, 0],
            [2, 5.0, 5.0, -1, 50.0, 7],
            [0, 100.0, 130.0, BARRIER, 300.0, 7],
            [9, 1.0, 2.0, RECV, 0.0, 0],
        ],
        'messages': [[0, 30.0, 0, 80.0, 0, 3], [2, 5.0, 0, 4.0, 1, -1], [7, 1.0, 8, 2.0, 1, 1]],
        'regions': [[0, 0.0, 140.0, 0], [0, 10.0, 60.0, 1], [0, 15.0, 30.0, 0], [1, 3.0, 3.0, 99], [9, 1.0, 2.0, 0]],
        'region_names': [evil, ''],
        'open': [[1, 50.0, RECV], [8, 1.0, RECV]],
    }
    return with_timeline(3, timeline)


def one_rank():
    return stencil(1, 3)


def many_ranks():
    """Returns a timeline of more ranks than there are rows."""
    return stencil(1000, 1, regions=False)


DEGENERATE = {
    'deadlock': deadlock,
    'open': only_open,
    'left-out': left_out,
    'empty-timeline': empty_timeline,
    'odd': odd,
    'one-rank': one_rank,
    'many-ranks': many_ranks,
}


def report_of(kind):
    if kind in DEGENERATE:
        return DEGENERATE[kind]()
    ranks, _, steps = kind.partition('x')
    return stencil(int(ranks), int(steps or 4))


if __name__ == '__main__':
    json.dump(report_of(sys.argv[1]), sys.stdout)
