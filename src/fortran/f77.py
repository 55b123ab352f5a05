"""The Fortran face of MPI for mpif.h and module mpi: entry points, their names in the program, constants and interfaces.

Knows names and types only; conversions are C++ (convert.h), and so are the functions of BY_HAND.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'entry'))
from generate import C_TYPES, HANDLES, WIDENING, parse_api  # noqa: E402, F401  (src/entry/generate.py)

# Functions without a Fortran form: the tools interface, and conversions between the languages in C.
C_ONLY = re.compile(r'T_|\w+_(c2f|f2c|c2f08|f082c|f2f08|f082f|fromint|toint)$')
# Functions whose Fortran forms differ in more than the types of arguments: *.inc beside this file.
BY_HAND = set('''Init Init_thread Pcontrol Info_create_env Op_create Comm_create_errhandler Win_create_errhandler
    File_create_errhandler Session_create_errhandler Comm_create_keyval Type_create_keyval Win_create_keyval
    Keyval_create Comm_get_attr Comm_set_attr Type_get_attr Type_set_attr Win_get_attr Win_set_attr Attr_get
    Attr_put Grequest_start Register_datarep Info_get Info_get_string Session_get_nth_pset Comm_spawn
    Comm_spawn_multiple Wtime Wtick Aint_add Aint_diff'''.split())
# Those of them that profiling tools get.
TOLD_BY_HAND = {'Init', 'Init_thread', 'Pcontrol'}
# Fortran functions that return a value.
VALUES = {'Wtime': 'double', 'Wtick': 'double', 'Aint_add': 'MPI_Aint', 'Aint_diff': 'MPI_Aint'}
# The C parameters that Fortran lacks.
DROPPED = {'Init': {'argc', 'argv'}, 'Init_thread': {'argc', 'argv'}, 'Info_create_env': {'argc', 'argv'}}
# Bytes that a C function may write into a string.
CAPACITIES = {'comm_name': 'MPI_MAX_OBJECT_NAME', 'type_name': 'MPI_MAX_OBJECT_NAME', 'win_name': 'MPI_MAX_OBJECT_NAME',
              'string': 'MPI_MAX_ERROR_STRING', 'version': 'MPI_MAX_LIBRARY_VERSION_STRING', 'name': 'MPI_MAX_PROCESSOR_NAME',
              'key': 'MPI_MAX_INFO_KEY', 'port_name': 'MPI_MAX_PORT_NAME', 'datarep': 'MPI_MAX_DATAREP_STRING'}
WIDE = {'aint': 'MPI_Aint', 'extent': 'MPI_Aint', 'big_count': 'MPI_Count', 'wide_count': 'MPI_Count', 'offset': 'MPI_Offset'}
FORTRAN_KINDS = {'MPI_Aint': 'MPI_ADDRESS_KIND', 'MPI_Count': 'MPI_COUNT_KIND', 'MPI_Offset': 'MPI_OFFSET_KIND'}
OLD_ATTRIBUTES = {'Keyval_create', 'Attr_get', 'Attr_put'}  # values of INTEGER size


def has_fortran_form(function):
    return not C_ONLY.match(function.name)


def parameters(function):
    dropped = DROPPED.get(function.name, ())
    return [p for p in function.parameters if not p.large_only and p.name not in dropped]


def is_callback(p):
    return p.kind.endswith('_function') or p.kind.endswith('_fn')


def is_choice(p):
    """Returns whether it is a choice buffer, not an address to be returned (MPI_Alloc_mem)."""
    return p.kind == 'buffer' and p.name != 'baseptr'


# The entry points


def entry_type(function, p):
    if is_callback(p):
        return 'void (*'
    if p.kind in ('buffer', 'void'):
        return 'MPI_Aint *' if p.name == 'baseptr' else 'void *'
    if p.kind == 'status':
        return 'MPI_Status *'
    if p.kind == 'string':
        return 'char *'
    return f'{WIDE.get(p.kind, "MPI_Fint")} *'


def declaration(function, name=None):
    """Returns the signature of an entry point, thrum_fortran_NAME, with the lengths of CHARACTER arguments hidden at the end."""
    used = parameters(function)
    parts = [f'void (*{p.name})()' if is_callback(p) else f'{entry_type(function, p)}{p.name}' for p in used]
    if function.name not in VALUES and not function.variadic:
        parts.append('MPI_Fint *ierror')
    parts += [f'size_t {p.name}_length' for p in used if p.kind == 'string']
    name = name or f'thrum_fortran_{function.name.lower()}'
    return f'{VALUES.get(function.name, "void")} {name}({", ".join(parts) or "void"})'


def handle_value(function, p):
    handle = f'MPI_{HANDLES[p.kind]}'
    if p.scalar:
        return f'to_c<{handle}>(*{p.name})'
    use = {'in': 'In', 'out': 'Out', 'inout': 'InOut'}[p.direction]
    if not p.length:
        return f'HandlePlace<{handle}, Use::{use}>({p.name}).c()'
    length = f'*{p.length}'
    if p.length in ('peers', 'destinations', 'sources'):
        length = f'{p.length}_of(to_c<MPI_Comm>(*comm))'
        if p.length != 'sources' and p.name == 'sendtypes':  # not significant with MPI_IN_PLACE
            length = f'is_in_place(sendbuf) ? 0 : {length}'
    return f'Handles<{handle}, Use::{use}>({p.name}, {length}).c()'


def status_value(function, p):
    use = {'in': 'In', 'out': 'Out', 'inout': 'InOut'}[p.direction]
    if not p.array:
        return f'StatusPlace<Use::{use}>({p.name}).c()'
    count = next(q.name for q in function.parameters if q.kind == 'length')
    return f'Statuses<Use::{use}>({p.name}, *{count}).c()'


def value(function, p, other_number):
    """Returns the expression for the C argument. `other_number(function, p)` is one that converts a number, or None."""
    if number := other_number(function, p):
        return number
    names = {q.name: q for q in function.parameters}
    if p.kind in HANDLES:
        return handle_value(function, p)
    if p.kind == 'string' and p.direction == 'in':
        blanks = ', Blanks::Both' if function.name.startswith('Info_') else ''
        return f'InString({p.name}, {p.name}_length{blanks}).c()'
    if p.kind == 'string':
        result = f', {other_number(function, resultlen) or "resultlen"}' if (resultlen := names.get('resultlen')) else ''
        return f'OutString({p.name}, {p.name}_length, {CAPACITIES[p.name]}{result}).c()'
    if p.kind == 'request_index':
        return f'RequestIndices({p.name}, outcount).c()' if p.array else f'RequestIndex({p.name}).c()'
    if p.name == 'buffer_addr':  # section 3.6: has no meaning in Fortran without TYPE(C_PTR)
        return f'Ignored({p.name}).c()'
    if is_choice(p):
        return f'to_buffer({p.name})'
    if p.kind == 'status':
        return status_value(function, p)
    if p.kind == 'weight':
        return f'to_weights({p.name})'
    if p.array.endswith('[3]'):
        return f'reinterpret_cast<int(*){p.array[2:]}>({p.name})'
    return f'*{p.name}' if p.scalar else p.name


def entry(function, other_number=lambda function, p: None):
    values = [value(function, p, other_number) for p in parameters(function)]
    arguments = ''.join(f',\n        {p.argument(v)}' for p, v in zip(parameters(function), values))
    enter = 'enter_anytime' if function.anytime else 'enter'
    name = function.name.lower()
    signature = declaration(function, f'ENTRY({name})').replace('MPI_Status', 'Status')
    return (f'{signature} {{\n    if (auto *tool = take_tool<decltype(P{c_symbol(function)})>()) [[unlikely]]\n'
            f'        return set_code(ierror, tool({", ".join(values)}));\n'
            f'    set_code(ierror, {enter}<mpi::{name}>(CALL({function.name}){arguments}));\n}}')


def c_symbol(function, large=0):
    """Returns the C function that a tool may have."""
    return function.symbol(large or any(p.kind == 'wide_count' for p in function.parameters))


def reaches_tools(function):
    """Subroutines that are arguments, and what Fortran has otherwise than C, do not."""
    return function.name not in BY_HAND or function.name in TOLD_BY_HAND


def call_of_tool(symbols):
    """Writes the statement that names the C function to an entry point, or both if its counts decide (take_either_form())."""
    if len(symbols) == 1:
        return f'thrum_fortran_call_tool({symbols[0]});'
    return f'static const struct FortranForms forms = {{{", ".join(symbols)}}}; thrum_fortran_call_either_form(&forms);'


def definitions(function, signature, target, theirs, mine, symbols, shorter='', checks=''):
    """Writes PMPI's and MPI's name of an entry point: calls with the same arguments, which the compiler turns into jumps. If a tool has
    one of the C functions `symbols`, the second lets it take the call. `shorter` is the begin of a statement: a way that suffices under
    some condition. `checks` are statements for programs of mpifort --check."""
    names = [re.sub(r'.*?(\w+)(\)\(\))?$', r'\1', part) for part in re.search(r'_\w+\((.*)\)$', signature)[1].split(', ') if part != 'void']
    result = 'return ' if function.name in VALUES else ''
    call = lambda name: f'{result}{name}({", ".join(names)});'
    yield f'{signature};\n{signature.replace(target, theirs)} {{ {call(target)} }}'
    mine_signature = f'__attribute__((weak)) {signature.replace(target, mine)}'
    if not reaches_tools(function):
        yield f'{mine_signature} {{ {call(target)} }}'
        return
    for symbol in symbols:
        yield f'__attribute__((weak)) extern void {symbol}(void), P{symbol}(void);'
    is_tool = ' || '.join(f'IS_TOOL({symbol})' for symbol in symbols)
    yield f'FOR_TOOL {signature.replace(target, f"tell_{mine}")} {{ {call_of_tool(symbols)} {call(target)} }}'
    checked = ''
    if checks:
        yield f'FOR_TOOL {signature.replace(target, f"checked_{mine}")} {{ {checks} {call(target)} }}'
        checked = f'if (IS_CHECKED) checked_{call(mine)} else '
    yield f'{mine_signature} {{ if ({is_tool}) tell_{call(mine)} else {checked}{shorter}{call(target)} }}'


def program_names(function, target='thrum_fortran_', symbols=()):
    """Writes mpi_send_ and pmpi_send_: calls with the same arguments, which the compiler turns into jumps."""
    name = function.name.lower()
    signature = re.sub(r'MPI_(Fint|Aint|Count|Offset|Status) \*', 'void *', declaration(function, f'{target}{name}'))
    signature = signature.replace('MPI_Aint ', 'long ')
    return '\n'.join(definitions(function, signature, f'{target}{name}', f'pmpi_{name}_', f'mpi_{name}_',
                                 symbols or [c_symbol(function)]))


def chapters(path):
    """Returns the functions of each commented section of mpi.api."""
    by_name = {f.name: f for f in parse_api(path)}
    title, names = '', []
    for line in Path(path).read_text().splitlines():
        if line.startswith('# '):
            if names:
                yield title, names
            title, names = re.sub(r'\W+', '_', line[2:].strip().lower()).strip('_'), []
        elif match := re.match(r'(\w+)\(', line):
            if has_fortran_form(by_name[match[1]]):
                names.append(by_name[match[1]])
    if names:
        yield title, names


# Constants and interfaces

# LEN is one less than in C, whose strings end with a null character (section 19.3.9).
SHORTER = re.compile(r'MPI_MAX_\w+$')
# Constants that Fortran has as variables (COMMON_BLOCKS) or as subroutines (PREDEFINED_CALLBACKS).
POINTER = re.compile(r'\(\(\w+ \*+\)\d+\)')
NOT_FORTRAN = re.compile(r'MPI_(T_(?!ERR_|VERBOSITY_)|F_|H_)')
COMMON_BLOCKS = '''BOTTOM: integer MPI_BOTTOM
IN_PLACE: integer MPI_IN_PLACE
BUFFER_AUTOMATIC: integer MPI_BUFFER_AUTOMATIC
STATUS_IGNORE: integer MPI_STATUS_IGNORE(MPI_STATUS_SIZE)
STATUSES_IGNORE: integer MPI_STATUSES_IGNORE(MPI_STATUS_SIZE, 1)
ERRCODES_IGNORE: integer MPI_ERRCODES_IGNORE(1)
UNWEIGHTED: integer MPI_UNWEIGHTED(1)
WEIGHTS_EMPTY: integer MPI_WEIGHTS_EMPTY(1)
ARGV_NULL: character MPI_ARGV_NULL(1)
ARGVS_NULL: character MPI_ARGVS_NULL(1, 1)'''
# The names of the COMMON blocks, by the bytes of an INTEGER: objects that are compiled for another interface are told by theirs
# (program/other_interfaces.c).
COMMON_NAMES = {4: 'thrum_fortran_', 8: 'thrum_fortran_i8_'}
# The sizes of REAL and DOUBLE PRECISION, by the folder of their mpif.h and modules. Their COMMON block has no other use.
REALS = {'': (4, 8), 'r8': (8, 16), 'r8d8': (8, 8)}
PREDEFINED_CALLBACKS = [f'MPI_{kind}{name}' for kind in ('', 'COMM_', 'TYPE_', 'WIN_')
                        for name in ('NULL_COPY_FN', 'DUP_FN', 'NULL_DELETE_FN')] + ['MPI_CONVERSION_FN_NULL']


def constants(header, integer_bytes=4):
    """Yields (type, name, value) for each constant of mpi.h that is an integer or a handle, and Fortran's own."""
    for name, kind in ('ADDRESS', 8), ('COUNT', 8), ('OFFSET', 8), ('INTEGER', integer_bytes):
        yield 'integer', f'MPI_{name}_KIND', kind
    for name, number in ('STATUS_SIZE', 8), ('SOURCE', 1), ('TAG', 2), ('ERROR', 3):
        yield 'integer', f'MPI_{name}', number
    for name in 'SUBARRAYS_SUPPORTED', 'ASYNC_PROTECTS_NONBLOCKING':
        yield 'logical', f'MPI_{name}', '.false.'
    for name, text in re.findall(r'#define (MPI_\w+)[ \t]+(\S.*)', Path(header).read_text()):
        match = re.match(r'(?:\(\((MPI_\w+)\)(-?\d+)\)|\(?(-?\d+)\)?)(?:\s*/\*.*)?$', text)
        if not match and not POINTER.match(text):
            sys.exit(f'{header}: {name} is {text}, which is neither a number, a handle nor a pointer')
        if match and not NOT_FORTRAN.match(name):
            number = int(match[2] or match[3])
            kind = 'integer(kind=MPI_OFFSET_KIND)' if name == 'MPI_DISPLACEMENT_CURRENT' else 'integer'
            yield kind, name, number - 1 if SHORTER.match(name) else number


def declarations(values):
    """Writes specification statements for constants(), one per line, valid in fixed and free form: at most 66 characters."""
    for kind, name, number in values:
        yield f'{kind} {name}'
        yield f'parameter ({name}={number})'


def block_of_reals(reals):
    yield 'character MPI_REALS(1)'
    yield f'common /thrum_fortran_reals_{reals[0]}_{reals[1]}/ MPI_REALS'


def common_blocks(integer_bytes, reals):
    yield from block_of_reals(reals)
    for line in COMMON_BLOCKS.splitlines():
        name, statement = line.split(': ')
        yield statement
        yield f'common /{COMMON_NAMES[integer_bytes]}{name.lower()}/ MPI_{name}'


# What MPI 3.0 removed (include/thrum/removed.h). Module mpi_f08 does not have them.
REMOVED_CONSTANTS = {'MPI_LB': 4094, 'MPI_UB': 4095, 'MPI_COMBINER_HVECTOR_INTEGER': -105, 'MPI_COMBINER_HINDEXED_INTEGER': -107,
                     'MPI_COMBINER_STRUCT_INTEGER': -110}


def standard_declarations(header, integer_bytes=4, reals=REALS['']):
    yield from declarations(constants(header, integer_bytes))
    yield from declarations(('integer', name, number) for name, number in REMOVED_CONSTANTS.items())
    yield from common_blocks(integer_bytes, reals)


HEAD = '''Constants and functions of MPI 5.0 (section 19.1), standard ABI.
Generated from mpi.api by src/fortran/generate.py. Do not edit.'''


def mpif_h(specifications):
    yield from ('! ' + line for line in ('mpif.h - for fixed and free form.\n' + HEAD).splitlines())
    for line in specifications:
        yield ' ' * 6 + line
    for prefix in 'MPI', 'PMPI':
        for name, kind in VALUES.items():
            kind = 'real(kind=8)' if kind == 'double' else 'integer(kind=MPI_ADDRESS_KIND)'
            yield f'      {kind} {prefix}_{name.upper()}'
            yield f'      external {prefix}_{name.upper()}'
    for name in PREDEFINED_CALLBACKS:
        yield f'      external {name}'


def wrapped(text, indent, columns=120):
    """Splits a free-form statement into lines of at most `columns` characters."""
    line = ' ' * indent
    for word in re.split(r'(?<=[ ,])', text):
        if len(line) + len(word) > columns:
            yield line + '&'
            line = ' ' * (indent + 4)
        line += word
    yield line.rstrip()


def fortran_type(function, p):
    """Returns (type with attributes, dimension) of a dummy argument."""
    read = ', intent(in)' if p.scalar and p.direction == 'in' else ''
    if is_choice(p):
        return 'integer', '(*)'
    if p.name == 'baseptr':
        return 'integer(kind=MPI_ADDRESS_KIND)', ''
    if p.kind == 'void':
        if p.name.startswith('logical_'):
            return 'logical', ''
        return ('integer' if function.name in OLD_ATTRIBUTES else 'integer(kind=MPI_ADDRESS_KIND)'), ''
    if p.kind == 'status':
        return 'integer', '(MPI_STATUS_SIZE, *)' if p.array else '(MPI_STATUS_SIZE)'
    if p.kind == 'string':
        rows = {'array_of_argv': '(count, *)', 'array_of_commands': '(*)', 'argv': '(*)'}.get(p.name, '')
        return f'character(len=*){", intent(in)" if p.direction == "in" else ""}', rows
    base = 'logical' if p.kind == 'logical' else f'integer(kind={FORTRAN_KINDS[WIDE[p.kind]]})' if p.kind in WIDE else 'integer'
    dimension = '(3, *)' if p.array.endswith('[3]') else '(*)' if p.array else ''
    return base + read, dimension


def any_type(names):
    """Writes the directives, of gfortran and of flang, by which arguments may have any type and rank."""
    yield f'      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {", ".join(names)}'
    yield f'      !DIR$ IGNORE_TKR {", ".join(f"(TKRDMAC) {name}" for name in names)}'


def interface(function, prefix):
    used = parameters(function)
    names = [p.name for p in used]
    returns = VALUES.get(function.name)
    if not returns and not function.variadic:
        names.append('ierror')
    name = f'{prefix}_{function.name}'
    yield from wrapped(f'{"function" if returns else "subroutine"} {name}({", ".join(names)})', 4)
    yield '      import'
    if returns:
        yield f'      {"double precision" if returns == "double" else "integer(kind=MPI_ADDRESS_KIND)"} :: {name}'
    choices = [p.name for p in used if is_choice(p)]
    if choices:
        yield from any_type(choices)
    for p in used:
        if is_callback(p):
            yield f'      external :: {p.name}'
        else:
            kind, dimension = fortran_type(function, p)
            yield f'      {kind} :: {p.name}{dimension}'
    if 'ierror' in names:
        yield '      integer, intent(out) :: ierror'
    yield f'    end {"function" if returns else "subroutine"}'


def callback_interface(name):
    """Writes the interfaces of MPI_COMM_DUP_FN etc., which can be called and passed as arguments."""
    if name == 'MPI_CONVERSION_FN_NULL':
        yield f'    subroutine {name}(userbuf, datatype, count, filebuf, position, extra_state, ierror)'
        yield '      import'
        yield from any_type(['userbuf', 'filebuf'])
        yield '      integer :: userbuf(*), filebuf(*), datatype, count, ierror'
        yield '      integer(kind=MPI_OFFSET_KIND) :: position'
        yield '      integer(kind=MPI_ADDRESS_KIND) :: extra_state'
    else:
        old = name in ('MPI_NULL_COPY_FN', 'MPI_DUP_FN', 'MPI_NULL_DELETE_FN')
        kind = 'integer' if old else 'integer(kind=MPI_ADDRESS_KIND)'
        if 'DELETE' in name:
            yield f'    subroutine {name}(object, keyval, attribute_val, extra_state, ierror)'
            yield '      import'
            yield '      integer :: object, keyval, ierror'
            yield f'      {kind} :: attribute_val, extra_state'
        else:
            yield f'    subroutine {name}(object, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)'
            yield '      import'
            yield '      integer :: object, keyval, ierror'
            yield f'      {kind} :: extra_state, attribute_val_in, attribute_val_out'
            yield '      logical :: flag'
    yield '    end subroutine'


def pointer_generic(function, prefix):
    """Writes the second form, with TYPE(C_PTR), of MPI_Alloc_mem and similar functions (section 9.2)."""
    name = f'{prefix}_{function.name}'
    yield f'  interface {name}'
    yield from interface(function, prefix)
    for line in interface(function, prefix):
        line = re.sub(rf'\b{name}\b', f'{name}_cptr', line)
        if line.endswith(':: baseptr'):
            line = '      type(c_ptr) :: baseptr'
        yield line
    yield '  end interface'


def module_mpi(specifications, functions):
    yield from ('! ' + line for line in ('Module mpi.\n' + HEAD).splitlines())
    yield 'module mpi'
    yield '  use, intrinsic :: iso_c_binding, only: c_ptr'
    yield '  implicit none'
    yield '  private :: c_ptr'
    for line in specifications:
        yield '  ' + line
    pointers = [f for f in functions if any(p.name == 'baseptr' for p in f.parameters)]
    for prefix in 'MPI', 'PMPI':
        yield '  interface'
        for function in functions:
            if function not in pointers:
                yield from interface(function, prefix)
        if prefix == 'MPI':
            for name in PREDEFINED_CALLBACKS:
                yield from callback_interface(name)
        yield f'    subroutine {prefix}_F_sync_reg(buf)'
        yield from any_type(['buf'])
        yield '      integer :: buf(*)'
        yield '    end subroutine'
        yield f'    subroutine {prefix}_Sizeof(x, size, ierror) bind(C, name="thrum_sizeof")'
        yield '      type(*), dimension(..) :: x'
        yield '      integer, intent(out) :: size, ierror'
        yield '    end subroutine'
        yield '  end interface'
        for function in pointers:
            yield from pointer_generic(function, prefix)
    yield 'end module mpi'


def write(path, lines, comment=''):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = '\n'.join([f'{comment}Generated from mpi.api by src/fortran/generate.py. Do not edit.'] * bool(comment)
                     + list(lines)) + '\n'
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
