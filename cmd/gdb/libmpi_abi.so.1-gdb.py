"""gdb commands for the ranks of a Thrum process, live or in a core file.

    info ranks [LIST]            what each rank does: state, MPI call, peer, tag, communicator, worker
    rank [N]                     selects rank N: bt, up, info locals, print refer to it
    rank apply LIST|all COMMAND  runs COMMAND for each of them

gdb loads this file automatically, because it is beside libmpi_abi.so.1, if its directory is on gdb's
list of safe ones ("add-auto-load-safe-path DIRECTORY" in ~/.config/gdb/gdbinit).

Everything about the library comes from its table thrum_debug_facts (src/entry/debugger_facts.cc): names
and numbers, read from memory. The script calls nothing in the process and changes no register. The
frames of a parked rank appear after the innermost frame of a thread (mostly number 0): an unwinder
inserts them while such a rank is selected.
"""
import re

import gdb
import gdb.unwinder

SAVED_REGISTERS = ('r15', 'r14', 'r13', 'r12', 'rbx', 'rbp', 'rip')  # src/fiber/context.S
WORD = 8


# ---- memory

def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def integer(address, size=WORD, signed=False):
    return int.from_bytes(read(address, size), 'little', signed=signed)


def int32(address):
    return integer(address, 4, signed=True)


def text(address, limit=256):
    found = b''
    while address and len(found) < limit and b'\0' not in found:
        here = address + len(found)
        found += read(here, 64 - here % 64)  # never reads a page after the one that contains the end
    return found.split(b'\0')[0].decode(errors='replace')


class Facts:
    """thrum_debug_facts, read once for each process."""
    known = {}

    @classmethod
    def get(cls):
        try:
            table = int(gdb.parse_and_eval('(unsigned long)&thrum_debug_facts'))
            key = (gdb.selected_inferior().pid, table)
            if key not in cls.known:
                cls.known = {key: cls.read_table(table)}
            return cls.known[key]
        except gdb.error as error:
            raise gdb.GdbError('There are no ranks: %s' % error)

    @staticmethod
    def read_table(table):
        facts = {}
        while integer(table):
            facts[text(integer(table))] = integer(table + WORD)
            table += 2 * WORD
        return facts


def fact(name):
    return Facts.get()[name]


def name_in(table, index):
    return text(integer(fact(table) + WORD * index))


# ---- ranks

class Rank:
    """The state of one rank, read from memory."""

    def __init__(self, number):
        table = fact('rank_table')
        self.count = int32(table + fact('rank_table.count'))
        if not 0 <= number < self.count:
            raise gdb.GdbError('There is no rank %d: the ranks are 0 to %d.' % (number, self.count - 1)
                               if self.count else 'There are no ranks yet.')
        self.number = number
        self.address = integer(table + fact('rank_table.ranks')) + number * fact('rank_bytes')

    def field(self, name, size=WORD):
        return integer(self.address + fact(name), size)

    @property
    def is_fiber(self):
        return self.field('task.kind', 1) == 0

    @property
    def state(self):
        if self.field('rank.ended', 1):
            return 'ended'
        if self.blocking_call:
            return 'in kernel'
        return name_in('state_names', self.field('task.state', 1))

    @property
    def blocking_call(self):
        call = self.field('task.blocking_call')
        return text(call) if call else ''

    @property
    def is_parked(self):
        """Returns whether its registers are saved on its stack instead of in a thread."""
        return (self.is_fiber and self.state in ('waiting', 'ready') and
                not self.field('task.on_worker', 1))

    def thread(self):
        """Returns the kernel's id of the thread on which it runs, or 0."""
        if not self.is_fiber:
            return self.field('task.thread_id', 4)
        worker = self.field('task.worker')
        return integer(worker + fact('worker.thread_id'), 4) if worker else 0

    def worker(self):
        if not self.is_fiber:
            return 'thread %d' % self.thread()
        worker = self.field('task.worker')
        index = int32(worker + fact('worker.index')) if worker else -1
        return 'worker %d' % index if index >= 0 else 'spare' if worker else ''

    def call(self):
        function = self.field('call.function', 2)
        if not function:
            return self.blocking_call
        blockage = self.field('call.blockage')
        return name_in('function_names', function) + (self.blockage(blockage) if blockage else '')

    def blockage(self, address):
        at = lambda name: address + fact('blockage.' + name)
        kind = name_in('blockage_names', integer(at('kind'), 1))
        signed = lambda value: (value & 0xffffffff) - (1 << 32 if value & 0x80000000 else 0)
        peer, tag = int32(at('peer')), int32(at('tag'))
        said = ''
        if kind in ('receive', 'probe', 'send'):
            peer_text = 'any source' if peer == signed(fact('any_source')) else 'rank %d' % peer
            tag_text = 'any tag' if tag == signed(fact('any_tag')) else 'tag %d' % tag
            said = ' %s %s, %s' % ('to' if kind == 'send' else 'from', peer_text, tag_text)
        elif kind == 'requests':
            count = int32(at('request_count'))
            return ' for %d request%s' % (count, '' if count == 1 else 's')
        communicator = integer(at('communicator'))
        if communicator:
            name = text(communicator + fact('communicator.name'), fact('communicator.name_bytes'))
            said += ('%s %s' % (',' if said else ' on', name)) if name else ''
        return said

    # -- the image, which contains its globals

    def moved(self, address):
        """Translates `address` in the originals to the address in this rank's image."""
        distance = self.field('task.gs_base')
        if distance:  # compiled with --privatize: one text, a block of data for each rank
            place = gdb.execute('info symbol %#x' % address, to_string=True)
            is_private = re.search(r' in section \.(?!data\.rel\.ro)(data|bss)', place)
            return (address + distance) & (1 << 64) - 1 if is_private else address
        image = self.field('rank.image')
        if not image:
            return address
        program = integer(image + fact('image.program'))
        for item in debugged_objects():
            if item['low'] <= address < item['high'] and item['program'] == program:
                return address + self.delta(item)
        return address

    def delta(self, item):
        image = self.field('rank.image')
        return integer(integer(image + fact('image.deltas')) + WORD * item['index']) if image else 0

    def add_symbols(self):
        """Tells gdb about this rank's clone, if gdb does not know it because there are too many, or
        because the rank was spawned."""
        image = self.field('rank.image')
        if not image or self.number < int32(fact('published_ranks')):
            return
        program = integer(image + fact('image.program'))
        for item in debugged_objects():
            if item['program'] != program or not item['path']:
                continue
            offset = (item['bias'] + self.delta(item)) & (1 << 64) - 1
            if (item['path'], offset) not in added_symbols:
                added_symbols.add((item['path'], offset))
                confirm = gdb.parameter('confirm')
                gdb.execute('set confirm off')
                gdb.execute('add-symbol-file %s -o %#x' % (item['path'], offset), to_string=True)
                gdb.execute('set confirm %s' % ('on' if confirm else 'off'))


added_symbols = set()


def debugged_objects():
    address = integer(fact('debugged_objects'))
    size = fact('debugged_object_bytes')
    while address and integer(address):
        path, bias, low, high, index, program = (integer(address + WORD * i) for i in range(6))
        yield {'path': text(path, 4096), 'bias': bias, 'low': low, 'high': high, 'index': index,
               'program': program}
        address += size


def rank_count():
    return int32(fact('rank_table') + fact('rank_table.count'))


def parse_list(argument):
    """Parses "all", "3" or "0-4,7" into numbers of ranks."""
    if argument in ('', 'all'):
        return range(rank_count())
    numbers = []
    for part in re.split(r'[,\s]+', argument.strip()):
        bounds = re.fullmatch(r'(\d+)(?:-(\d+))?', part)
        if not bounds:
            raise gdb.GdbError('"%s" is not a list of ranks: expected 3, 0-4,7 or all.' % argument)
        numbers += range(int(bounds[1]), int(bounds[2] or bounds[1]) + 1)
    return numbers


# ---- the selected rank

class Selection:
    """The selected rank; valid while its thread is selected."""
    rank = None    # a Rank
    thread = None  # gdb's: the rank's, or for a parked rank the one in which it is shown
    top = None     # (pc, sp) of that thread's innermost frame, and of what is inlined there

    @classmethod
    def clear(cls, *_):
        if cls.rank is not None:
            cls.rank = cls.thread = None
            gdb.invalidate_cached_frames()

    @classmethod
    def parked_registers(cls):
        """Returns the selected rank's registers if it is parked and its frames are wanted; else None."""
        if cls.rank is None or not cls.rank.is_parked or gdb.selected_thread() != cls.thread:
            return None
        stack_pointer = cls.rank.field('task.stack_pointer')
        registers = {name: integer(stack_pointer + WORD * (1 + i))
                     for i, name in enumerate(SAVED_REGISTERS)}
        registers['rsp'] = stack_pointer + WORD * (1 + len(SAVED_REGISTERS))
        return registers

    @classmethod
    def select(cls, rank):
        cls.clear()
        if rank.state == 'ended' or rank.state == 'created':
            raise gdb.GdbError('Rank %d has %s.' %
                               (rank.number, 'ended' if rank.state == 'ended' else 'not started'))
        rank.add_symbols()
        parked = rank.is_parked
        threads = gdb.selected_inferior().threads()
        if not parked:
            running = [t for t in threads if t.ptid[1] == rank.thread()]
            if not running:
                raise gdb.GdbError('Rank %d runs on a thread that gdb does not know.' % rank.number)
            running[0].switch()
        elif gdb.selected_thread() is None:
            threads[0].switch()
        top = pc_and_sp(gdb.newest_frame())
        cls.rank, cls.thread, cls.top = rank, gdb.selected_thread(), top
        gdb.invalidate_cached_frames()
        frame = gdb.newest_frame()
        while parked and pc_and_sp(frame) == top and frame.older() is not None:
            frame = frame.older()
        frame.select()


def pc_and_sp(frame):
    return tuple(int(frame.read_register(name)) & (1 << 64) - 1 for name in ('rip', 'rsp'))


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class ParkedRank(gdb.unwinder.Unwinder):
    """Inserts the frames of the selected rank after the innermost frame of the thread."""

    def __init__(self):
        super().__init__('parked rank')

    def __call__(self, pending_frame):
        if Selection.rank is None or pc_and_sp(pending_frame) != Selection.top:
            return None
        registers = Selection.parked_registers()
        if registers is None:
            return None
        kind = gdb.lookup_type('unsigned long')
        below = gdb.Value(registers['rsp'] - WORD).cast(kind)  # frames must not go backwards
        info = pending_frame.create_unwind_info(FrameId(below, gdb.Value(registers['rip']).cast(kind)))
        for name, value in registers.items():
            info.add_saved_register(name, gdb.Value(value).cast(kind))
        return info


class OnlyTheRank:
    """A frame filter: removes the thread's own frame from a parked rank's backtrace."""

    def __init__(self):
        self.name, self.priority, self.enabled = 'parked rank', 1000, True
        gdb.current_progspace().frame_filters[self.name] = self

    def filter(self, frames):
        parked = Selection.rank is not None and Selection.parked_registers() is not None
        for frame in frames:
            if not (parked and pc_and_sp(frame.inferior_frame()) == Selection.top):
                yield frame


def describe_selected():
    rank = Selection.rank
    return 'rank %d of %d, %s%s' % (rank.number, rank.count, rank.state,
                                    ': ' + rank.call() if rank.call() else '')


# ---- commands

class InfoRanks(gdb.Command):
    """Shows what the ranks do: state, current call and what it waits for, worker.
info ranks [LIST]        LIST: 3 or 0-4,7 (default: all). Ranks that do the same share a line."""

    def __init__(self):
        super().__init__('info ranks', gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        rows = []
        for number in parse_list(argument):
            rank = Rank(number)
            row = (rank.state, rank.worker(), rank.call())
            if rows and rows[-1][2] == row and rows[-1][1] == number - 1:
                rows[-1][1] = number
            else:
                rows.append([number, number, row])
        selected = Selection.rank.number if Selection.rank is not None else -1
        print('  %-11s %-10s %-10s %s' % ('Rank', 'State', 'On', 'Call'))
        for first, last, (state, worker, call) in rows:
            ranks = str(first) if first == last else '%d-%d' % (first, last)
            mark = '*' if first <= selected <= last else ' '
            print(('%s %-11s %-10s %-10s %s' % (mark, ranks, state, worker, call)).rstrip())


class SelectRank(gdb.Command):
    """Selects a rank: bt, frame, up, info locals and print refer to it until the process continues,
or another rank or thread is selected.
rank N                        selects rank N of MPI_COMM_WORLD
rank                          shows the selected rank
rank apply LIST|all COMMAND   runs COMMAND for each rank of LIST"""

    def __init__(self):
        super().__init__('rank', gdb.COMMAND_STACK, prefix=True)

    def invoke(self, argument, from_tty):
        if argument:
            Selection.select(Rank(int(gdb.parse_and_eval(argument))))
            print('[%s]' % describe_selected())
            gdb.execute('frame')
        elif Selection.rank is None:
            print('No rank is selected.')
        else:
            print('[%s]' % describe_selected())


class RankApply(gdb.Command):
    """Runs a command for several ranks.
rank apply all bt
rank apply 0-3,7 print step"""

    def __init__(self):
        super().__init__('rank apply', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = argument.split(None, 1)
        if len(words) != 2:
            raise gdb.GdbError('rank apply LIST|all COMMAND')
        before, thread = Selection.rank, gdb.selected_thread()
        for number in parse_list(words[0]):
            try:
                Selection.select(Rank(number))
                print('\nRank %d (%s%s):' % (number, Selection.rank.state,
                                             ', ' + Selection.rank.call() if Selection.rank.call() else ''))
                gdb.execute(words[1])
            except gdb.error as error:
                print('\nRank %d: %s' % (number, error))
        Selection.clear()
        if thread is not None and thread.is_valid():
            thread.switch()
        if before is not None:
            Selection.select(before)


class PrintInRank(gdb.Command):
    """Prints like gdb's own print, but with the globals of the selected rank.
gdb itself knows only one address of a global variable, the one of rank 0."""

    def __init__(self):
        super().__init__('print', gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        # "call" prints like the real "print", which this command hides.
        form, expression = re.fullmatch(r'\s*(/\w+\s+)?(.*)', argument, re.DOTALL).groups()
        expression = in_selected_rank(expression or '$')
        gdb.execute('call %s%s' % (form or '', expression), from_tty)


def in_selected_rank(expression):
    """Replaces each global variable in the expression by the selected rank's own."""
    if Selection.rank is None or gdb.selected_thread() != Selection.thread:
        return expression
    pattern = r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|(?:\.|->)\s*\w+|[$\w]+(?:::\w+)*'
    return re.sub(pattern, lambda match: replaced(match[0]), expression)


def replaced(word):
    if not re.match(r'[A-Za-z_]', word):
        return word
    try:
        symbol = gdb.lookup_symbol(word)[0]
        if symbol is None or not symbol.is_variable or symbol.needs_frame:
            return word
        address = int(gdb.parse_and_eval('(unsigned long)&(%s)' % word))
    except (gdb.error, RuntimeError):
        return word
    moved = Selection.rank.moved(address)
    if moved == address:
        return word
    pointer = '__global_%s' % re.sub(r'\W', '_', word)
    gdb.set_convenience_variable(pointer, gdb.Value(moved).cast(symbol.type.pointer()))
    return '(*$%s)' % pointer


def install():
    gdb.unwinder.register_unwinder(None, ParkedRank(), replace=True)
    OnlyTheRank()
    InfoRanks()
    SelectRank()
    RankApply()
    PrintInRank()
    gdb.events.cont.connect(Selection.clear)
    gdb.events.exited.connect(Selection.clear)


install()
