"""Reads the traces of mpiexec --trace, without the code that wrote them: JSON, Perfetto's packets, OTF2."""
import collections
import json
import re
import subprocess

Call = collections.namedtuple('Call', 'rank name begin end args')  # times in microseconds; end None: it has not ended
Message = collections.namedtuple('Message', 'source destination sent received')


class Trace:
    """What all formats have."""

    def __init__(self):
        self.calls = []
        self.messages = []
        self.regions = []  # (rank, name, begin, end)
        self.queue = collections.defaultdict(list)  # rank: lengths
        self.workers = collections.defaultdict(list)  # worker: (rank, begin, end)
        self.instants = []  # (rank, name)

    def counts(self):
        return collections.Counter(call.name for call in self.calls)

    def of(self, name):
        return [call for call in self.calls if call.name == name]

    def groups(self, name):
        """Calls of collective operations, by group."""
        groups = collections.defaultdict(list)
        for call in self.of(name):
            groups[call.args.get('group')].append(call)
        return groups


class Builder:
    """Makes a Trace of slices that begin and end on tracks."""

    def __init__(self):
        self.trace = Trace()
        self.open = collections.defaultdict(list)
        self.flows = collections.defaultdict(dict)

    def slice(self, track, category, name, begin, end, args):
        kind, number = track
        if category == 'mpi':
            self.trace.calls.append(Call(number, name, begin, end, args))
        elif category == 'region':
            self.trace.regions.append((number, name, begin, end))
        elif category == 'worker':
            assert kind == 'worker', track
            self.trace.workers[number].append((int(name.split()[1]), begin, end))

    def begin(self, track, category, name, at, args):
        self.open[track].append((category, name, at, args))

    def end(self, track, at):
        category, name, begin, args = self.open[track].pop()
        self.slice(track, category, name, begin, at, args)

    def flow(self, identity, is_first, rank, at):
        ends = self.flows[identity]
        assert is_first not in ends, f'two ends of message {identity}'
        ends[is_first] = rank, at

    def finish(self):
        for track, slices in self.open.items():
            for category, name, begin, args in slices:
                self.slice(track, category, name, begin, None, args)
        for ends in self.flows.values():
            if len(ends) == 2:
                (source, sent), (destination, received) = ends[True], ends[False]
                self.trace.messages.append(Message(source, destination, sent, received))
        return self.trace


def track_of(name):
    kind, number = name.split()[:2]
    return kind, int(number)


def read_chrome(path):
    data = json.loads(path.read_text())
    tracks, builder = {}, Builder()
    for e in data['traceEvents']:
        if e['ph'] == 'M' and e['name'] == 'thread_name':
            tracks[e['pid'], e['tid']] = track_of(e['args']['name'])
    # Slices on a track nest: what begins at one time is in the order of the file.
    for e in sorted((e for e in data['traceEvents'] if e['ph'] in 'BEXsfiC'), key=lambda e: e['ts']):
        track = tracks[e['pid'], e['tid']]
        if e['ph'] == 'X':
            builder.slice(track, e['cat'], e['name'], e['ts'], e['ts'] + e['dur'], e.get('args', {}))
        elif e['ph'] == 'B':
            builder.begin(track, e['cat'], e['name'], e['ts'], e.get('args', {}))
        elif e['ph'] == 'E':
            builder.end(track, e['ts'])
        elif e['ph'] in 'sf':
            builder.flow(e['id'], e['ph'] == 's', track[1], e['ts'])
        elif e['ph'] == 'C':
            builder.trace.queue[track[1]].append(e['args']['messages'])
        else:
            builder.trace.instants.append((track[1], e['name']))
    return builder.finish()


def fields(data):
    """Yields (number, value) of a message of Protocol Buffers."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 1:
            yield tag >> 3, int.from_bytes(data[at:at + 8], 'little')
            at += 8
        else:
            assert tag & 7 == 2, f'wire type {tag & 7}'
            length = varint()
            assert at + length <= len(data), 'a field ends behind its message'
            yield tag >> 3, data[at:at + length]
            at += length


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def read_perfetto(path):
    names, categories, notes, tracks, counters, builder = {}, {}, {}, {}, {}, Builder()
    events = []
    for number, packet in fields(path.read_bytes()):
        assert number == 1, f'field {number} of a trace'
        p = dict(fields(packet))
        if 12 in p:
            for kind, entry in fields(p[12]):
                e = dict(fields(entry))
                {1: categories, 2: names, 3: notes}[kind][e[1]] = e[2].decode()
        elif 60 in p:
            t = dict(fields(p[60]))
            if 4 in t:
                tracks[t[1]] = track_of(dict(fields(t[4]))[5].decode())
            elif 8 in t:
                counters[t[1]] = tracks[t[5]]
        elif 11 in p:
            events.append((p[8], list(fields(p[11]))))
    for at, event in sorted(events, key=lambda e: e[0]):  # stable, as Perfetto sorts
        e = dict(event)
        if e[9] == 4:
            builder.trace.queue[counters[e[11]][1]].append(e[30])
            continue
        track = tracks[e[11]]
        args = {}
        for number, value in event:
            if number == 4:
                note = dict(fields(value))
                args[notes[note[1]]] = signed(note[4]) if 4 in note else note[6].decode()
        if e[9] == 1:
            builder.begin(track, categories[e[3]], names[e[10]], at / 1000, args)
        elif e[9] == 2:
            builder.end(track, at / 1000)
        else:
            builder.trace.instants.append((track[1], names[e[10]]))
        for number, value in event:
            if number in (47, 48):
                builder.flow(value, number == 47, track[1], at / 1000)
    return builder.finish()


def read_otf2(path):
    """What otf2-print says: [(event, rank, text)], and the definitions as text."""
    def output(*options):
        return subprocess.run(['otf2-print', *options, path / 'traces.otf2'], check=True, capture_output=True, text=True).stdout

    events = []
    for line in output().splitlines():
        found = re.match(r'([A-Z_]+)\s+(\d+)\s+(\d+)\s*(.*)', line)
        if found:
            events.append((found[1], int(found[2]), int(found[3]), found[4]))
    return events, output('-G')
