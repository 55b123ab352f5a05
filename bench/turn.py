"""What a rank touches in a turn of MPI_Barrier: distinct cache lines and pages, by the structure to which they belong.

Runs turn.c under lackey, valgrind's tool that writes down each access to memory. Where the structures are, turn.c says; it gets their
offsets from the library's debug information, through gdb. A turn begins with the first access to another rank's stack.
"""
import bisect
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

from report import table

ROOT = Path(__file__).resolve().parent.parent
RANKS, LIMIT_S = 64, 300
LINE, PAGE = 64, 4096
# Arguments of turn.c: the address of the table of ranks, sizes, and members.
OFFSETS = [('address', 'thrum::the_rank_table', ''), ('size', 'thrum::Rank', ''), ('member', 'thrum::Rank', 'process'),
           ('member', 'thrum::Rank', 'thread_pointer'), ('member', 'thrum::Rank', 'stack_low'), ('member', 'thrum::Rank', 'stack_high'),
           ('member', 'thrum::Rank', 'worker'), ('member', 'thrum::Process', 'valid_world'), ('member', 'MPI_ABI_Comm', 'context'),
           ('member', 'thrum::Context', 'extensions'), ('member', 'thrum::Meeting', 'slots'), ('member', 'thrum::Meeting', 'leaves')]
SIZES = ['thrum::Rank', 'thrum::Process', 'MPI_ABI_Comm', 'thrum::Context', 'thrum::Meeting', 'thrum::Slot', 'thrum::Worker']
GDB = '''
import gdb
def member(type, name):
    for field in type.fields():
        if field.name == name:
            return field.bitpos // 8
        if field.is_base_class and (found := member(field.type, name)) is not None:
            return field.bitpos // 8 + found
def number(kind, name, field):
    if kind == 'address':
        return int(gdb.parse_and_eval(f'(unsigned long)&{name}'))
    type = gdb.lookup_type(name)
    return type.sizeof if kind == 'size' else member(type, field)
for question in QUESTIONS:
    print('=', number(*question))
'''


def ask_gdb(library, questions):
    """The numbers that gdb finds in the debug information of a library."""
    with tempfile.NamedTemporaryFile('w', suffix='.py') as script:
        script.write(GDB.replace('QUESTIONS', repr(questions)))
        script.flush()
        done = subprocess.run(['gdb', '-nx', '-batch', '-x', script.name, library], capture_output=True, text=True, timeout=LIMIT_S)
    numbers = [int(line[2:]) for line in done.stdout.splitlines() if line.startswith('= ')]
    if len(numbers) != len(questions):
        raise RuntimeError(f'gdb does not find all of {questions} in {library}: {done.stderr[-500:]}')
    return numbers


class Places:
    """Names what an address belongs to: (structure, rank); rank -1: shared."""

    def __init__(self, text, sizes):
        self.ranges, self.mapped, self.mark = [], [], None
        for line in text.splitlines():
            words = line.split()
            if words[:1] == ['mark']:
                self.mark = int(words[1], 16)
            elif words[:1] == ['rank']:
                self.add_rank(int(words[1]), [int(word, 16) for word in words[2:]], sizes)
            elif words[:1] == ['map']:
                low, high = (int(word, 16) for word in words[1].split('-'))
                name = words[6].rsplit('/', 1)[-1] if len(words) > 6 else ''
                library = 'the library' if name.startswith('libmpi_abi') else 'the program' if 'turn' in name else 'other'
                self.mapped.append((low, high, (library if name else 'other', -1)))
        self.ranges = sorted(set(self.ranges))
        self.mapped.sort()

    def add_rank(self, number, addresses, sizes):
        rank, process, world, context, meeting, slots, leaves, thread, low, high, worker = addresses
        size = dict(zip(SIZES, sizes))
        own = [('`Rank`', rank, size['thrum::Rank']), ('`Process`', process, size['thrum::Process']),
               ('`Communicator`', world, size['MPI_ABI_Comm']), ('`Slot`', slots + number * size['thrum::Slot'], size['thrum::Slot'])]
        if low:
            own += [('stack', low, high - low), ('thread block', high, thread + PAGE // 2 - high)]
        shared = [('`Context`', context, size['thrum::Context']), ('`Meeting`', meeting, size['thrum::Meeting']),
                  ('`Leaf`', leaves, slots - leaves), ('`Worker`', worker, size['thrum::Worker'])]
        self.ranges += [(start, start + length, (name, number)) for name, start, length in own]
        self.ranges += [(start, start + length, (name, -1)) for name, start, length in shared]

    def of(self, address):
        for ranges in self.ranges, self.mapped:
            i = bisect.bisect_right(ranges, (address, float('inf')))
            for low, high, name in ranges[max(0, i - 2):i]:
                if low <= address < high:
                    return name
        return 'other', -1


def accesses(trace, mark):
    """(Kind, address, bytes) of what lackey has written between two writes to the mark. Kind I: an instruction."""
    between, begin = False, f' S {mark:08x},'
    with trace.open() as lines:
        for line in lines:
            if line.startswith(begin):
                if between:
                    return
                between = True
            elif between and line[:2] in ('I ', ' L', ' S', ' M'):
                address, size = line[3:].split(',')
                yield line[:2].strip(), int(address, 16), int(size)


class Turns:
    """Lines and pages of each turn, and of all turns together."""

    def __init__(self):
        self.turns, self.all = [], defaultdict(set)  # unit, structure: numbers
        self.owner, self.now = None, defaultdict(set)

    def end_turn(self):
        if self.owner is not None and self.now:
            self.turns.append(self.now)
        self.now = defaultdict(set)

    def add(self, kind, structure, rank, address, size):
        if structure == 'stack' and rank != self.owner:
            self.end_turn()
            self.owner = rank
        if kind == 'I':
            structure = f'code of {structure}'
        elif structure == '`Rank`':
            structure = '`Rank`, own' if rank == self.owner else '`Rank` of the one before and the next'
        for unit, unit_bytes in (('lines', LINE), ('pages', PAGE)):
            numbers = range(address // unit_bytes, (address + size - 1) // unit_bytes + 1)
            self.now[unit, structure].update(numbers)
            self.all[unit, structure].update(numbers)

    def of_a_turn(self, unit, structure):
        """Mean over the turns that are whole: not the first, nor the last."""
        whole = self.turns[1:-1]
        return sum(len(turn[unit, structure]) for turn in whole if (unit, structure) in turn) / len(whole)

    def of_a_rank(self, unit, structure):
        return len(self.all[unit, structure]) / RANKS

    def structures(self):
        return {structure for _, structure in self.all}


def trace(bin_dir, folder, *options):
    """Turns of a job with RANKS ranks."""
    library = bin_dir.parent / 'lib' / 'libmpi_abi.so.1'
    numbers = ask_gdb(library, OFFSETS + [('size', name, '') for name in SIZES])
    program, written = folder / 'turn', folder / 'trace'
    subprocess.run([bin_dir / 'mpicc', '-O2', *options, ROOT / 'bench' / 'turn.c', '-o', program], check=True)
    command = [bin_dir / 'mpiexec', '-n', str(RANKS), '--workers', '1', 'valgrind', '--tool=lackey', '--basic-counts=no', '--trace-mem=yes',
               f'--log-file={written}', program, *map(str, numbers[:len(OFFSETS)])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != 0:
        raise RuntimeError(f'{" ".join(map(str, command))}: exit code {done.returncode}: {done.stderr[-500:]}')
    places, turns = Places(done.stdout, numbers[len(OFFSETS):]), Turns()
    for kind, address, size in accesses(written, places.mark):
        turns.add(kind, *places.of(address), address, size)
    written.unlink()
    return turns


def section(bin_dir, folder):
    kinds = [trace(bin_dir, folder), trace(bin_dir, folder, '--privatize')]
    names = set.union(*(turns.structures() for turns in kinds))
    code = {name for name in names if name.startswith('code')}
    rows = []
    for group, title in ((names - code, 'all data'), (code, 'all code')):
        order = sorted(group, key=lambda name: (-kinds[0].of_a_rank('lines', name), name))
        cells = {name: [number for turns in kinds for number in (turns.of_a_turn('lines', name), turns.of_a_rank('lines', name),
                                                                 turns.of_a_rank('pages', name))] for name in order}
        cells[title] = [sum(column) for column in zip(*cells.values())]
        rows += [[name, *(f'{number:.2f}' for number in numbers)] for name, numbers in cells.items()]
    columns = [f'{what}, {kind}' for kind in ('clones', '--privatize') for what in ('lines of a turn', 'lines a rank', 'pages a rank')]
    return table(['structure', *columns], rows)

