#!/usr/bin/env python3
"""Turns mpi.api and the table of a front (openmpi.ini) into the binary interface of another MPI.

Knows names, types and numbers only; what it takes to convert an argument is C++ (convert.h), and so are the functions of BY_HAND.
Usage: generate.py MPI_API MPI_H_IN FRONT_INI OUT_DIR
  OUT_DIR/PREFIX_entries.inc   thrum_PREFIX_Send(...) in libmpi_abi: converts, then as MPI_Send does
  OUT_DIR/PREFIX_values.inc    conversions of constants
  OUT_DIR/PREFIX_library.c     the front's library: MPI_Send, which jumps to thrum_PREFIX_Send, and the predefined objects
  OUT_DIR/PREFIX_fortran_entries.inc, PREFIX_fortran_library.c   likewise for Fortran: mpi_send_ and thrum_PREFIX_fortran_send
  OUT_DIR/PREFIX_f08_entries.inc   for the choice buffers and large counts of its module mpi_f08, if it has one
  OUT_DIR/PREFIX/mpi.h, mpif.h, mpi.f90   headers with the front's interface, for tests: users have that MPI's own
"""
import configparser
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'entry'))
from generate import HANDLES, parse_api  # noqa: E402  (src/entry/generate.py)

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'fortran'))
import f08  # noqa: E402  (src/fortran/f08.py)
import f77 as fortran  # noqa: E402  (src/fortran/f77.py)

# Functions whose conversion needs more than their arguments one by one: *.cc beside this file.
BY_HAND = set('''Op_create Comm_create_errhandler Win_create_errhandler File_create_errhandler Session_create_errhandler
    Comm_create_keyval Type_create_keyval Win_create_keyval Keyval_create Grequest_start Register_datarep Type_get_contents
    Pcontrol Wtime Wtick Aint_add Aint_diff Comm_spawn T_event_get_info Comm_spawn_multiple
    Status_c2f Status_f2c Status_c2f08 Status_f082c Status_f2f08 Status_f082f'''.split())
# Which of a front's kinds of values an int is, by the name of the argument.
KINDS = {'dest': 'rank', 'source': 'rank', 'root': 'rank', 'target_rank': 'rank', 'rank_source': 'rank', 'rank_dest': 'rank',
         'ranks1': 'rank', 'ranks2': 'rank', 'local_leader': 'rank', 'remote_leader': 'rank',
         'required': 'thread_level', 'provided': 'thread_level', 'result': 'comparison', 'split_type': 'split_type',
         'keyval': 'keyval', 'comm_keyval': 'keyval', 'type_keyval': 'keyval', 'win_keyval': 'keyval', 'amode': 'amode',
         'assert': 'assertion', 'whence': 'whence', 'order': 'order', 'array_of_distribs': 'distribution',
         'array_of_dargs': 'distribution_argument', 'combiner': 'combiner', 'typeclass': 'typeclass', 'lock_type': 'lock_type',
         'errorcode': 'error', 'errorclass': 'error', 'verbosity': 'verbosity', 'scope': 'scope', 'bind': 'bind',
         'var_class': 'pvar_class'}
KINDS_OF_FUNCTIONS = {('Topo_test', 'status'): 'topology', ('File_set_view', 'disp'): 'displacement'} | {
    (f'Win_{name}', 'rank'): 'rank' for name in ('flush', 'flush_local', 'lock', 'shared_query', 'unlock')} | {
    (f'Status_{how}_{name}', p): kind for how in ('get', 'set') for name, p, kind in (('tag', 'tag', 'tag'), ('error', 'err', 'error'))}
# Error classes that a front may lack, and what they are there. Others are MPI_ERR_OTHER.
SIMILAR_ERRORS = {'MPI_ERR_ERRHANDLER': 'MPI_ERR_ARG', 'MPI_ERR_VALUE_TOO_LARGE': 'MPI_ERR_ARG', 'MPI_T_ERR_NOT_SUPPORTED': 'MPI_T_ERR_INVALID',
                  'MPI_T_ERR_NOT_ACCESSIBLE': 'MPI_T_ERR_INVALID'}
ARRAY_LENGTHS = {'ranks1': 'n', 'ranks2': 'n', 'array_of_distribs': 'ndims', 'array_of_dargs': 'ndims'}
# The constants that say how long a text may be that a call returns without being told.
CAPACITIES = {'comm_name': 'MPI_MAX_OBJECT_NAME', 'type_name': 'MPI_MAX_OBJECT_NAME', 'win_name': 'MPI_MAX_OBJECT_NAME',
              'string': 'MPI_MAX_ERROR_STRING', 'version': 'MPI_MAX_LIBRARY_VERSION_STRING', 'name': 'MPI_MAX_PROCESSOR_NAME',
              'key': 'MPI_MAX_INFO_KEY', 'port_name': 'MPI_MAX_PORT_NAME', 'datarep': 'MPI_MAX_DATAREP_STRING'}


class Front:
    def __init__(self, path, header_in):
        self.table = configparser.ConfigParser(delimiters='=', comment_prefixes=';', interpolation=None)
        self.table.optionxform = str
        self.table.read(path)
        library = self.table['library']
        self.prefix = library['prefix']
        self.has_integers = self.table['header']['handle'] == 'int'  # as handles; otherwise addresses of objects
        header = Path(header_in).read_text()
        self.numbers = {name: int(number) for name, number in re.findall(r'#define (MPI_\w+)\s+\(?(?:\(\w+\))?(-?\d+)\)?', header)}
        self.handle_types = dict(re.findall(r'#define (MPI_\w+)\s+\(\((MPI_\w+)\)\d+\)', header))

    def numbered_handles(self):
        """Yields (constant, C type, the front's integer)."""
        for constant, text in self.table['handles'].items() if self.has_integers else ():
            yield constant, self.handle_types[constant], int(text, 0)

    def handles(self):
        """Yields (constant, C type, its symbol, bytes, Fortran's integer or None)."""
        if self.has_integers:
            return
        for constant, text in self.table['handles'].items():
            words = text.split()
            yield constant, self.handle_types[constant], words[0], int(words[1]), int(words[2]) if len(words) > 2 else None

    def unsupported(self):
        """Yields (symbol, bytes, the number in its first word, Fortran's integer)."""
        if self.has_integers:
            return
        for text in self.table['unsupported'].values() if 'unsupported' in self.table else ():
            words = text.split()
            yield words[0], int(words[1]), int(words[2]), int(words[3])

    def pairs(self, section):
        """Returns [(front's number, standard's number)]. Numbers that mean something on one side only change places, so that an
        invalid number stays one."""
        pairs = [(int(text, 0), self.numbers[name]) for name, text in self.table[section].items()]
        fronts, standards = [f for f, _ in pairs], [s for _, s in pairs]
        if section == 'values error':  # a program can only get one of its own
            return pairs
        return pairs + list(zip([s for s in standards if s not in fronts], [f for f in fronts if f not in standards]))

    def kind_of(self, function, p):
        return KINDS_OF_FUNCTIONS.get((function.name, p.name)) or ('tag' if p.kind == 'recv_tag' else KINDS.get(p.name)
                                                                  if p.kind not in HANDLES and p.kind != 'status' else None)


    def kind_with_other_numbers(self, function, p):
        """Returns the kind of values that an int is, if the front's numbers of it differ from the standard's."""
        kind = self.kind_of(function, p)
        if not kind:
            return None
        section = next(s for s in (f'values {kind}', f'flags {kind}') if s in self.table)
        return kind if self.pairs(section) else None


def is_handle(p):
    return p.kind in HANDLES


def type_in_front(p, large):
    """Returns the declaration of the parameter in the front's prototype."""
    if is_handle(p):
        return f'{p.const}Handle<MPI_{HANDLES[p.kind]}> {p.stars}front_{p.name}{p.array}'
    if p.kind == 'status':
        return f'{p.const}Status {p.stars}front_{p.name}{p.array}'
    return re.sub(rf'\b{p.name}\b', f'front_{p.name}', p.c(large))


def array_length(p):
    if p.length in ('peers', 'destinations', 'sources'):
        length = f'{p.length}_of(comm)'
        return f'sendbuf == MPI_IN_PLACE ? 0 : {length}' if p.name == 'sendtypes' else length
    return p.length


def local(front, function, p, large):
    """Returns statements that make the standard's argument, named as in mpi.api, of the front's."""
    its = f'front_{p.name}'
    # An object whose destructor stores the result, and the argument that is its address.
    def kept(kind, *more):
        arguments = ', '.join((its,) + more)
        const = re.sub(r'\[\]$', '', p.c(large))
        pointer = const if p.stars else re.sub(rf'\b{p.name}$', f'*{p.name}', const)
        return f'{kind} kept_{p.name}({arguments});\n    {pointer} = kept_{p.name}.c();'
    if is_handle(p):
        handle = f'MPI_{HANDLES[p.kind]}'
        if p.scalar:
            return f'const {handle} {p.name} = to_standard<{handle}>({its});'
        use = {'in': 'In', 'out': 'Out', 'inout': 'InOut'}[p.direction]
        if p.array:
            return kept(f'Handles<{handle}, Use::{use}>', f'{array_length(p)}')
        return kept(f'HandlePlace<{handle}, Use::{use}>')
    if p.kind == 'status':
        use = {'in': 'In', 'out': 'Out', 'inout': 'InOut'}[p.direction]
        if not p.array:
            return kept(f'StatusPlace<Use::{use}>')
        count = [q.name for q in function.parameters if q.kind == 'length'][0]
        return kept(f'Statuses<Use::{use}>', count)
    kind = front.kind_with_other_numbers(function, p)
    if kind and p.array:
        wanted = 'ValueArray' if p.direction == 'in' else 'ValueArrayResult'
        return kept(f'{wanted}<{"to" if p.direction == "in" else "from"}_standard_{kind}>', ARRAY_LENGTHS[p.name])
    if kind and p.scalar:
        base = p.c(large).rsplit(' ', 1)[0]
        return f'const auto {p.name} = static_cast<{base}>(to_standard_{kind}({its}));'
    if kind and p.direction == 'inout':
        return kept(f'ChangedValue<to_standard_{kind}, from_standard_{kind}>')
    if kind:
        return kept(f'ValueResult<from_standard_{kind}>')
    if p.name == 'attribute_val' and p.direction == 'out':
        keyval = next(q.name for q in function.parameters if q.name.endswith('keyval'))
        return f'AttributeResult kept_{p.name}({its}, {keyval}, flag);\n    void *{p.name} = kept_{p.name}.c();'
    if p.kind == 'buffer' and p.name in ('sendbuf', 'recvbuf', 'buffer', 'inbuf', 'inoutbuf'):  # of collective operations: may be MPI_IN_PLACE
        return f'{p.const}void *{p.name} = to_standard_buffer({its});'
    if p.kind == 'weight':
        return f'auto *{p.name} = to_standard_weights({its});'
    if p.name == 'obj_handle':
        return f'ObjectHandle kept_{p.name}({its});\n    void *{p.name} = kept_{p.name}.c();'
    if p.kind == 'string' and p.direction == 'out' and p.name in CAPACITIES and not function.tool:
        shorter = int(front.table['strings'][CAPACITIES[p.name]])
        if shorter < front.numbers[CAPACITIES[p.name]]:
            length = ', resultlen' if any(q.name == 'resultlen' for q in function.parameters) else ''
            return (f'TextResult<{shorter}, {CAPACITIES[p.name]}> kept_{p.name}({its}{length});\n'
                    f'    char *{p.name} = kept_{p.name}.c();')
    stars = re.sub(r'\[\]$', '', p.array)
    return f'auto {p.name} = {its};' if not stars else f'auto *{p.name} = {its};'


def is_value(function):
    return bool(function.returns)


def declaration(front, function, large):
    parameters = [type_in_front(p, large) for p in function.parameters if large or not p.large_only]
    twin = '_c' if large else ''
    return f'int thrum_{front.prefix}_{function.name}{twin}({", ".join(parameters) or "void"})'


def order_of(parameters):
    """The communicator, array lengths and flags come first: others are converted with them."""
    first = [p for p in parameters if p.kind == 'comm' and p.scalar or p.kind == 'length' and p.scalar or p.name in ('flag', 'n', 'ndims', 'resultlen')
             or p.name.endswith('keyval') or p.kind == 'buffer' or p.name == 'max_datatypes']
    return first + [p for p in parameters if p not in first]


def entry(front, function, large):
    used = [p for p in function.parameters if large or not p.large_only]
    locals_ = '\n    '.join(local(front, function, p, large) for p in order_of(used))
    _, name, _ = function.implementation(large)
    arguments = ''.join(f',\n        {p.name if function.tool else function.argument(p)}' for p in used)
    implementation = f'mpi::LargeCount<mpi::{name}>::call' if large and function.makes_type else f'mpi::{name}'
    if function.tool:
        body = f'return to_result(enter_tool<{implementation}>(CALL({function.name}){arguments}));'
    else:
        body = f'{"ENTER_ANYTIME_AND" if function.anytime else "ENTER_AND"}(to_result, {implementation}, {function.name}{arguments});'
    return f'{declaration(front, function, large)} {{\n    {locals_}\n    {body}\n}}'


def lacking_errors(front):
    names = front.table['values error']
    for name in sorted(set(re.findall(r'MPI_(?:T_)?ERR_\w+', ' '.join(front.numbers))) - set(names) - {'MPI_ERR_LASTCODE'}):
        similar = SIMILAR_ERRORS.get(name, 'MPI_ERR_OTHER')
        yield f'    case {front.numbers[name]}: // {name}\n        return {names[similar]}; // {similar}'


def conversion(front, section):
    """Writes both directions of a kind of values."""
    how, kind = section.split()
    pairs = front.pairs(section)
    for direction, at in (('to', 0), ('from', 1)):
        yield f'constexpr int64_t {direction}_standard_{kind}(int64_t value) {{'
        if how == 'values' and all(pair[at] < 0 for pair in pairs):
            yield '    if (value >= 0)\n        return value; // nearly always'
        if how == 'flags':
            known = ' | '.join(str(pair[at]) for pair in pairs)
            yield f'    int64_t result = value & ~int64_t{{{known}}} ? int64_t{{1}} << 30 : 0; // a bit that means nothing'
            for pair in pairs:
                yield f'    if (value & {pair[at]})\n        result |= {pair[1 - at]};'
            yield '    return result;\n}'
            continue
        yield '    switch (value) {'
        for pair in pairs:
            yield f'    case {pair[at]}:\n        return {pair[1 - at]};'
        if kind == 'error' and direction == 'from':
            yield from lacking_errors(front)
        added = ''
        if kind == 'error' and (last := front.table[section].get('MPI_ERR_LASTCODE')):
            pair = int(last, 0), front.numbers['MPI_ERR_LASTCODE']
            added = f'value > {pair[at]} ? value - {pair[at]} + {pair[1 - at]} : '
        yield f'    default:\n        return {added}value;\n    }}\n}}'


def integer_handles(front):
    """Writes for each kind of handle: find_constant(integer, handle), which returns whether the integer is a constant (0 may be taken for
    one, a null pointer), and integer_of(handle), -1 for a handle that is no constant."""
    handles = list(front.numbered_handles())
    yield 'struct IntegerHandle {\n    int number;\n    unsigned constant;\n};'
    others = [tuple(int(word, 0) for word in text.split()) for text in front.table['unsupported'].values()]
    for kind in sorted({kind for _, kind, _ in handles}):
        numbers = [(number, front.numbers[constant]) for constant, k, number in handles if k == kind]
        numbers += others if kind == 'MPI_Datatype' else []
        # One load and one comparison: the numbers of a kind differ in these nine bits, the lowest after a rotation by two.
        places = {(number << 2 | number >> 30) & 0x1ff: (number, constant) for number, constant in numbers}
        if len(places) != len(numbers):
            sys.exit(f'{front.prefix}: two constants of {kind} have the same place in the table')
        yield f'inline bool find_constant(int number, {kind} &handle) {{'
        for constant, k, number in handles:
            if k == kind and constant == 'MPI_COMM_WORLD':
                yield f'    if (number == {number}) {{\n        handle = {constant};\n        return true;\n    }}'
        yield '    static constexpr auto table = [] {\n        std::array<IntegerHandle, 512> places{};'
        yield from (f'        places[{place}] = {{static_cast<int>({number}U), {constant}}};' for place, (number, constant) in sorted(places.items()))
        yield '        return places;\n    }();\n    const IntegerHandle &found = table[std::rotl(static_cast<unsigned>(number), 2) & 0x1ff];'
        yield f'    handle = reinterpret_cast<{kind}>(uintptr_t{{found.constant}});\n    return found.number == number;\n}}'
        yield f'inline int64_t integer_of({kind} handle) {{\n    switch (reinterpret_cast<uintptr_t>(handle)) {{'
        yield from (f'    case {constant}:\n        return static_cast<int>({number}U);' for number, constant in numbers)
        yield '    default:\n        return -1;\n    }\n}'


def values(front):
    for section in front.table.sections():
        if section.split()[0] in ('values', 'flags'):
            yield from conversion(front, section)
    yield f'inline constexpr int fortran_keyval_offset = {front.table["fortran"]["keyval_offset"]};'
    yield 'inline constexpr SentinelName sentinel_names[] = {'
    for member, text, f08_only in [(*item, 'false') for item in front.table['sentinels'].items()] + [
            (*item, 'true') for item in (front.table['sentinels f08'].items() if 'sentinels f08' in front.table else ())]:
        symbol, offset = text.split()
        yield f'    {{&thrum_fortran_sentinels::{member}, "{symbol}", {offset}, {f08_only}}},'
    yield '};'
    if front.has_integers:
        yield from integer_handles(front)
        return
    handles = list(front.handles())
    yield f'inline constexpr int object_count = {len(handles)};'
    yield 'struct ObjectName {\n    const char *symbol;\n    uintptr_t constant;\n};'
    yield 'inline constexpr ObjectName object_names[object_count] = {'
    for constant, _, symbol, _, _ in handles:
        yield f'    {{"{symbol}", {front.numbers[constant]}}}, // {constant}'
    yield '};'
    kinds = sorted({kind for _, kind, _, _, _ in handles})
    for kind in kinds:
        numbered = [(front.numbers[constant], number) for constant, k, _, _, number in handles if k == kind and number is not None]
        if not numbered:
            continue
        yield f'constexpr int64_t fortran_number({kind} handle) {{\n    switch (reinterpret_cast<uintptr_t>(handle)) {{'.replace('constexpr', 'inline')
        for constant, number in numbered:
            yield f'    case {constant}:\n        return {number};'
        yield '    default:\n        return -1;\n    }\n}'
        yield f'inline {kind} of_fortran_number({kind}, int64_t number) {{\n    switch (number) {{'
        others = [(number, fortran_number) for _, _, number, fortran_number in front.unsupported()] if kind == 'MPI_Datatype' else []
        for constant, number in numbered + others:
            yield f'    case {number}:\n        return reinterpret_cast<{kind}>(uintptr_t{{{constant}}});'
        yield '    default:\n        return nullptr;\n    }\n}'


def names(functions):
    for function in functions:
        for large in function.twins:
            yield function.name + ('_c' if large else '')


LIBRARY_HEAD = '''/* The library of a front: MPI's names, which jump to libmpi_abi, so that a return address is the call in the program, and the
 * predefined objects. Their first word is the constant of the standard ABI. */
#define JUMP(name, entry) \\
    __asm__(".globl PMPI_" #name "\\n.type PMPI_" #name ", @function\\n.balign 16\\nPMPI_" #name ":\\n" \\
            "    jmp *thrum_PREFIX_" #entry "@GOTPCREL(%rip)\\n.size PMPI_" #name ", . - PMPI_" #name "\\n" \\
            ".weak MPI_" #name "\\n.set MPI_" #name ", PMPI_" #name "\\n.type MPI_" #name ", @function\\n")
#define OBJECT(symbol, bytes, constant) const union { unsigned long word; char room[bytes]; } symbol = {constant}
'''


def library(front, functions):
    yield LIBRARY_HEAD.replace('PREFIX', front.prefix)
    jumps = {name: TO_AND_FROM_INTEGER.sub(as_for_fortran, name) for name in names(functions)} | dict(front.table['removed'])
    for name, entry_point in jumps.items():
        yield f'JUMP({name}, {entry_point});'
    for constant, _, symbol, size, _ in front.handles():
        yield f'OBJECT({symbol}, {size}, {front.numbers[constant]});'
    for symbol, size, number, _ in front.unsupported():
        yield f'OBJECT({symbol}, {size}, {number});'


# What other functions in Fortran ask for (BY_HAND in fortran/generate.py), and those that have a file here.
FORTRAN_BY_HAND = fortran.BY_HAND | {'Type_get_contents'}
# The removed functions whose arguments in Fortran are those of their successor.
SAME_IN_FORTRAN = {'Errhandler_create', 'Errhandler_get', 'Errhandler_set'}


def fortran_number(front, function, p):
    """Returns the expression that converts an argument whose numbers differ; None: they are the same."""
    kind = front.kind_with_other_numbers(function, p)
    if not kind:
        return None
    if p.array and p.direction == 'in':
        return f'ValueArray<to_standard_{kind}>({p.name}, *{ARRAY_LENGTHS[p.name]}).c()'
    if p.array:
        return f'ValueArrayResult<from_standard_{kind}>({p.name}, *{ARRAY_LENGTHS[p.name]}).c()'
    if p.scalar:
        return f'static_cast<{fortran.WIDE.get(p.kind, "int")}>(to_standard_{kind}(*{p.name}))'
    if p.direction == 'inout':
        return f'ChangedValue<to_standard_{kind}, from_standard_{kind}>({p.name}).c()'
    return f'ValueResult<from_standard_{kind}>({p.name}).c()'


def fortran_entries(front, functions):
    for f in functions:
        if fortran.has_fortran_form(f) and f.name not in FORTRAN_BY_HAND:
            yield fortran.entry(f, lambda function, p: fortran_number(front, function, p))


FORTRAN_LIBRARY_HEAD = """/* The Fortran library of a front: MPI's names, which jump to libmpi_abi. */
#define JUMP(entry) \\
    __asm__(".balign 16\\n1: jmp *thrum_PREFIX_fortran_" #entry "@GOTPCREL(%rip)\\n2:\\n")
#define NAME(name) __asm__(".globl " #name "\\n.type " #name ", @function\\n.set " #name ", 1b\\n.size " #name ", 2b - 1b\\n")
"""


def fortran_library(front, functions):
    yield FORTRAN_LIBRARY_HEAD.replace('PREFIX', front.prefix)
    jumps = {}  # name of the function: the entry points
    for f in functions:
        if fortran.has_fortran_form(f):
            jumps[f.name] = f.name
            if any(p.name == 'baseptr' for p in f.parameters):
                jumps[f'{f.name}_cptr'] = f.name
    for name, successor in front.table['removed'].items():
        jumps[name] = successor if name in SAME_IN_FORTRAN else name
    for name, target in jumps.items():
        table = front.table['fortran']
        spellings = table['spellings'].split()
        if name.endswith('_init') and name in COLLECTIVES_INIT:
            spellings += table.get('extension', '').split()
        yield f'JUMP({target.lower()});'
        for spelling in spellings:
            if spelling in WITHOUT_F08.get(name, ()):
                continue
            yield f'NAME({spelling.format(lower=name.lower(), upper=name.upper(), name=name)});'


def f08_entries(front, functions):
    """Writes the entry points of module mpi_f08 whose choice buffers come as gfortran's own descriptors."""
    wanted = [f for f in functions if fortran.has_fortran_form(f) and f.name != 'Type_get_contents']
    return f08.entries(wanted, lambda function, p: fortran_number(front, function, p), False)


def f08_library(front, functions):
    """Writes the names of module mpi_f08's procedures, and its constants."""
    table = front.table['f08']
    for f in functions:
        if not fortran.has_fortran_form(f) or f.name in f08.ABSENT:
            continue
        for large in f08.forms(f):
            own = f08.has_own_entry(f, large)
            yield f'JUMP({f08.entry_name(f, large) if own else f.name.lower()});'
            key = 'large_' * large + 'choice_' * f08.has_choice(f) + 'spellings'
            for spelling in table[key].split():
                yield f'NAME({spelling.format(lower=f.name.lower())});'
    more = table['more_constants'].split()
    constants_ = {name: number for name, _, number in front.numbered_handles()} | {n: int(v, 0) for n, v in zip(more[::2], more[1::2])}
    for constant, number in constants_.items():
        yield f'const unsigned {table["constant"].format(lower=constant.lower())} = {number:#x};'


def fortran_declarations(front, header_in):
    """Writes what the front's mpif.h says instead of the standard's."""
    texts = front.table['fortran']
    numbers = {name: number for name, _, _, _, number in front.handles()} | {name: number for name, _, number in front.numbered_handles()}
    for section in front.table.sections():
        if section.split()[0] in ('values', 'flags', 'strings'):
            numbers |= {name: int(text, 0) for name, text in front.table[section].items()}
    predefined_keys = {name for name in front.table['values keyval'] if name != 'MPI_KEYVAL_INVALID'}
    numbers |= {name: numbers[name] + int(texts['keyval_offset']) for name in predefined_keys}
    numbers |= dict(zip(('MPI_STATUS_SIZE', 'MPI_SOURCE', 'MPI_TAG', 'MPI_ERROR'), texts['status'].split()))
    if front.has_integers:
        numbers['MPI_FILE_NULL'] = 0
    values = []
    for kind, name, number in fortran.constants(header_in):
        if name in numbers and numbers[name] is None or name in front.handle_types and name not in numbers:
            continue  # the front lacks it
        number = numbers.get(name, number)
        number = int(number) - 1 if name in front.table['strings'] else number
        number = number - (1 << 32) if isinstance(number, int) and number >= 1 << 31 else number
        values.append((kind, name, number))
    yield from fortran.declarations(values)
    for line in fortran.COMMON_BLOCKS.splitlines():
        name, statement = line.split(': ')
        if name.lower() in front.table['sentinels']:
            yield statement
    yield from texts['commons'].splitlines()


# In module mpi_f08 the result of this function is a TYPE(C_PTR).
WITHOUT_F08 = {'Buffer_detach': {'mpi_{lower}_f08_', 'pmpi_{lower}_f08_'}}
# Persistent collective operations.
COLLECTIVES_INIT = set('''Allgather_init Allgatherv_init Allreduce_init Alltoall_init Alltoallv_init Alltoallw_init Barrier_init Bcast_init
    Exscan_init Gather_init Gatherv_init Neighbor_allgather_init Neighbor_allgatherv_init Neighbor_alltoall_init
    Neighbor_alltoallv_init Neighbor_alltoallw_init Reduce_init Reduce_scatter_init Reduce_scatter_block_init Scan_init Scatter_init
    Scatterv_init'''.split())


def constants(front):
    """Returns {constant: its text in C} of all that the front has another value for."""
    texts = {constant: f'(({kind})(void *)&{symbol})' for constant, kind, symbol, _, _ in front.handles()}
    texts |= {constant: f'(({kind}){number:#x})' for constant, kind, number in front.numbered_handles()}
    for section in front.table.sections():
        if section.split()[0] in ('values', 'flags', 'strings'):
            texts |= {name: f'({number})' for name, number in front.table[section].items()}
    texts |= {name: text if text == name else f'({text})' for name, text in front.table['pointers'].items()}
    aliases = {'MPI_LONG_LONG': 'MPI_LONG_LONG_INT', 'MPI_C_COMPLEX': 'MPI_C_FLOAT_COMPLEX', 'MPI_C_FLOAT_COMPLEX': 'MPI_C_COMPLEX'}
    return texts | {name: other for name, other in aliases.items() if name not in texts and other in texts}


def header_line(front, line, texts, known):
    """Returns a line of mpi.h.in as the front has it; None: the front lacks what it defines."""
    if match := re.match(r'typedef struct MPI_ABI_((?!T_)\w+) \*(MPI_\w+);', line):
        declaration = front.table['header'].get(match[1].lower(), front.table['header']['handle'])
        return f'typedef {declaration.replace("KIND", match[1].lower())} {match[2]};'
    match = re.match(r'#define (MPI_\w+)\s+(.*)', line)
    if not match:
        return line
    name, text = match.groups()
    if name in texts:
        return f'#define {name} {texts[name]}'
    if callback := re.match(r'MPI_((?:\w+_)?(?:NULL_COPY|DUP|NULL_DELETE)_FN)$', name):
        return f'#define {name} {front.table["header"]["callback"].replace("NAME", callback[1])}'
    return None if known.match(text) or re.match(r'MPI_(T_)?ERR_(?!LASTCODE)', name) else line


def header(front, functions, header_in):
    """Changes what mpi.h.in says into what the front says: names, types and the order are the same."""
    texts = constants(front)
    lacking = re.compile(r'\(\(MPI_(?!T_|Datarep|Offset|File)\w+\)\d+\)')  # handles without an object or integer
    text = Path(header_in).read_text()
    text = re.sub(r'typedef struct \{[^}]*\} MPI_Status;', front.table['header']['status'], text)
    objects = [f'extern struct thrum_front_object {symbol};' for _, _, symbol, _, _ in front.handles()]
    text = text[text.index('#ifndef MPI_H_ABI'):]  # without the comment
    text = re.sub(r'/\* Not part of MPI 5.0 either.*?\n#endif\n', '', text, flags=re.S)  # an old program declares them
    for line in text.splitlines():
        if line.startswith('#define MPI_H_ABI'):
            yield line
            continue
        if line in ('@PROTOTYPES@', '@PROTOTYPES_BESIDE_ABI@'):
            in_abi = line == '@PROTOTYPES@'
            yield from (front.table['header']['callbacks'].splitlines() if in_abi else ())
            yield from (f'{f.prototype(prefix, large)};' for prefix in ('', 'P') for f in functions for large in f.twins
                        if f.in_abi == in_abi)
            continue
        changed = header_line(front, line, texts, lacking)
        if changed is not None:
            yield changed
        if 'MPI_FILE_NULL' in line and front.has_integers:
            yield '#undef MPI_FILE_NULL\n#define MPI_FILE_NULL ((MPI_File)0)'
        if line.startswith('/* Predefined handles */'):
            yield from objects


# The integers of the ABI's functions are those of Fortran.
TO_AND_FROM_INTEGER = re.compile(r'(?<=\w)_(toint|fromint)$')


def as_for_fortran(match):
    return {'toint': '_c2f', 'fromint': '_f2c'}[match[1]]


def write(path, lines, comment='/* Generated by src/front/generate.py. Do not edit. */'):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = '\n'.join([comment] + list(lines)) + '\n'
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(api, header_in, ini, out):
    front = Front(ini, header_in)
    functions = list(parse_api(api))
    generated = [f for f in functions if f.name not in BY_HAND and not is_value(f)]
    write(f'{out}/{front.prefix}_values.inc', values(front))
    write(f'{out}/{front.prefix}_entries.inc', (entry(front, f, large) for f in generated for large in f.twins))
    write(f'{out}/{front.prefix}_library.c', library(front, functions))
    write(f'{out}/{front.prefix}_fortran_entries.inc', fortran_entries(front, functions))
    f08_names = list(f08_library(front, functions)) if 'f08' in front.table else []
    write(f'{out}/{front.prefix}_fortran_library.c', list(fortran_library(front, functions)) + f08_names)
    if f08_names:
        write(f'{out}/{front.prefix}_f08_entries.inc', f08_entries(front, functions))
    in_fortran = [f for f in functions if fortran.has_fortran_form(f)]
    specifications = list(fortran_declarations(front, header_in))
    write(f'{out}/{front.prefix}/mpif.h', fortran.mpif_h(specifications), '! Generated by src/front/generate.py. Do not edit.')
    write(f'{out}/{front.prefix}/mpi.f90', fortran.module_mpi(specifications, in_fortran), '! Generated by src/front/generate.py. Do not edit.')
    write(f'{out}/{front.prefix}/mpi.h', header(front, functions, header_in))


if __name__ == '__main__':
    main(*sys.argv[1:])
