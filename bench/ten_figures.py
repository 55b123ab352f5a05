"""The ten figures of docs/performance.md, from one complete run of make bench."""
from report import duration, ratio, size, table

LEAD = 0.95  # a ratio below is bold: a peer leads


def best(times):
    return min((time for time in times if time), default=None)


def section(bench, cells):
    """The table. `bench`: a run.Bench after all parts; `cells`: its cells.Cells."""
    rows = []

    def add(what, value, peer, limit, limit_text, shown=duration):
        lead = ratio(peer, value).rstrip('x')
        rows.append([what, shown(value) if value else '-', shown(peer) if peer else 'not run',
                     f'**{lead}**' if peer and value and peer < LEAD * value else lead,
                     f'{shown(limit)}: {limit_text}' if limit else '-', ratio(value, limit).rstrip('x')])

    def of_two(test, size_bytes, workers):
        peers = [bench.get(f'{peer.name}, {workers} core', test, 2, size_bytes) for peer in bench.peers if peer.best]
        return bench.get(f'Thrum, {workers} core', test, 2, size_bytes), best(peers)

    switch, line = bench.get('machine', 'fs_base_switch', 0), bench.get('machine', 'cache_line', 0, 8)
    all_turns = lambda ranks: bench.get('machine', 'round', 0, ranks)
    add('half a round trip of 8 B, one core', *of_two('pingpong', 8, 1), switch, 'a switch')
    add('half a round trip of 1 MiB, two cores', *of_two('pingpong', 1 << 20, 2), bench.get('machine', 'memcpy', 0, 1 << 20), '`memcpy`')
    add('a message of 8 B in a stream, two cores', *of_two('message_rate', 8, 2), line, 'a cache line from core to core')
    add('put of 8 B and flush, two cores', *of_two('put', 8, 2), bench.get('Thrum, 2 core', 'copy', 2, 8), 'the store')
    add('barrier of 64 ranks ([picture](performance/barrier.svg))', *bench.barriers.get(64, (None, None)),
        all_turns(64), 'each stack gets its turn')
    add('barrier of 1,024 ranks', *bench.barriers.get(1024, (None, None)), all_turns(1024), 'each stack gets its turn')
    add('start and end of 64 ranks ([picture](performance/startup.svg))', bench.get('Thrum', 'hello', 64), bench.best_peer('hello', 64),
        None, '')
    add('memory of a rank of 64', bench.get('Thrum', 'memory', 64), bench.best_peer('memory', 64), 8192, 'stack and thread block', size)
    add('Cholesky of order 1,000, 64 ranks ([picture](performance/cholesky.svg))', bench.get('Thrum', 'cholesky', 64, 1000),
        bench.best_peer('cholesky', 64, 1000), bench.get('Thrum', 'cholesky', 2, 1000), 'with 2 ranks')
    processes = [cells.get(peer, 'pingpong', 2, 8) for peer in cells.peers if peer.is_processes]
    add('half a round trip of 8 B between processes, two cores ([picture](performance/process_pingpong.svg))',
        cells.get(cells.processes, 'pingpong', 2, 8), best(processes), line, 'a cache line')
    return table(['what', 'Thrum', 'best peer', 'peer / Thrum', 'limit of the machine', 'Thrum / limit'], rows)
