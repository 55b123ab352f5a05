"""Module mpi_f08 (MPI 5.0 section 19.1): types, constants, interfaces and entry points.

A function without choice buffers has the entry point of mpif.h: a handle is a type around the same INTEGER. Functions
with choice buffers get descriptors of them (section.h), large-count forms other integers: their entry points are made here.
"""
import re
from pathlib import Path

import f77
from f77 import C_TYPES, FORTRAN_KINDS, HANDLES, VALUES, is_callback, is_choice, parameters

# Deprecated functions that the module lacks (section 16).
ABSENT = set('Attr_delete Attr_get Attr_put Keyval_create Keyval_free'.split())
# Large-count forms with a name of their own: their arguments differ in the interface of a callback, which does not tell
# specific procedures apart.
NAMED = {'Op_create', 'Register_datarep'}
# Operations that access their buffers after they have returned.
LATER = re.compile(r'I[a-z]\w*|\w+_init|File_i\w+|File_\w+_(begin|end)|R?(put|get|accumulate|get_accumulate)|Put|Get|Accumulate|'
                   r'Get_accumulate|Fetch_and_op|Compare_and_swap|Win_(create|attach|detach)|\w*[Bb]uffer\w*|Get_address|Free_mem')
# The buffers whose count says what one of the peers sends or receives: the parts of all peers follow each other.
PARTS = {(name, 'recvbuf') for name in ('gather', 'allgather', 'alltoall', 'neighbor_allgather', 'neighbor_alltoall')} | {
    (name, 'sendbuf') for name in ('scatter', 'alltoall', 'neighbor_alltoall')}
OPTIONAL_ARRAYS = {'array_of_errcodes', 'sourceweights', 'destweights', 'weights'}
PREFIXES = 'MPI', 'PMPI'


def c_type(p, large):
    """Returns the type of the integer behind a reference, as C names it."""
    base = C_TYPES.get(p.kind, ('int', 'int'))[1 if p.kind == 'wide_count' else large]
    return base if base in FORTRAN_KINDS else 'MPI_Fint'


def used_parameters(function, large):
    if not large:
        return parameters(function)
    return [p for p in function.parameters if p.name not in f77.DROPPED.get(function.name, ())]


def has_large_form(function):
    """The specific procedures of a generic name must differ in the kind of an INTEGER: 4 or 8 bytes."""
    if function.name in ABSENT or len(function.twins) < 2:
        return False
    return function.name in NAMED or any(
        (c_type(p, 0) == 'MPI_Fint') != (c_type(p, 1) == 'MPI_Fint') for p in function.parameters if not p.large_only)


def has_choice(function):
    return any(is_choice(p) and p.name != 'buffer_addr' for p in function.parameters)


def has_own_entry(function, large):
    return bool(large) or has_choice(function) or any(p.name == 'buffer_addr' for p in function.parameters)


def suffix(function, large):
    return ('_c' if large else '') + ('_f08ts' if has_choice(function) else '_f08')


def forms(function):
    """Returns which forms a procedure has: 0, and 1 for large counts."""
    return [large for large in (0, 1) if not large or has_large_form(function)]


# The entry points


def string_has_descriptor(function, p, bind_c):
    """BIND(C) passes CHARACTER arguments by descriptors, too."""
    return bind_c and p.kind == 'string' and has_choice(function)


def entry_type(function, p, large, bind_c=True, has_descriptors=True):
    if is_choice(p) and has_descriptors:
        return 'void **' if p.name == 'buffer_addr' else 'const Buffer *'
    if has_descriptors and string_has_descriptor(function, p, bind_c):
        return 'const Buffer *'
    if p.kind in C_TYPES and p.kind not in HANDLES and p.kind not in ('buffer', 'status', 'string'):
        return f'{c_type(p, large)} *'
    return f77.entry_type(function, p)


def entry_name(function, large):
    return f'{function.name.lower()}{suffix(function, large)}'


def declaration(function, large, name=None, bind_c=True, has_descriptors=True):
    used = used_parameters(function, large)
    parts = [f'void (*{p.name})()' if is_callback(p) else f'{entry_type(function, p, large, bind_c, has_descriptors)}{p.name}' for p in used]
    if function.name not in VALUES and not function.variadic:
        parts.append('MPI_Fint *ierror')
    parts += [f'size_t {p.name}_length' for p in used
              if p.kind == 'string' and not (has_descriptors and string_has_descriptor(function, p, bind_c))]
    return f'{VALUES.get(function.name, "void")} {name or f"thrum_fortran_{entry_name(function, large)}"}({", ".join(parts) or "void"})'


def section(function, p):
    """Returns (class, its arguments beside the section, name of the count, name of the datatype) of a choice buffer: section.h."""
    following = function.parameters[function.parameters.index(p) + 1:]
    if p.name in ('location', 'base') and function.name in ('Get_address', 'Free_mem', 'Win_detach') \
            or function.name in ('Fetch_and_op', 'Compare_and_swap') or re.match(r'File_\w+_end$', function.name):
        return 'FirstElement', [], '', ''
    if p.name == 'base' or following[0].name == 'size':
        return 'Dense', [], '', ''
    back = f'PackedCopy::Back::{"No" if p.direction == "in" else "Yes"}'
    kinds = {q.kind for q in function.parameters}
    if 'op' in kinds and 'win' not in kinds:
        return 'Packed', [back], '', ''
    is_partitioned = following[0].name == 'partitions'
    first, second, *more = following[is_partitioned:]
    if first.scalar and second.kind == 'datatype' and second.scalar:
        arguments = [f'*{first.name}', second.name]
        if is_partitioned:
            return 'Partitions', arguments, first.name, second.name
        if (re.sub('^I|_init$', '', function.name).lower(), p.name) in PARTS:
            return 'PartsOfPeers', arguments + [back], first.name, second.name
        is_read_now = p.direction == 'in' and not LATER.fullmatch(function.name)
        return 'SentElements' if is_read_now else 'Elements', arguments, first.name, second.name
    if first.array and more[0].kind == 'datatype' and more[0].scalar:
        return 'PartsOfPeers', [more[0].name, back], '', more[0].name
    return 'Packed', [back], '', ''  # of bytes, or with a datatype for each peer


def entry(function, large, other_number=lambda function, p: None, bind_c=True, either=None):
    """Writes an entry point. Without `bind_c` the descriptors are the compiler's own (front/gfortran_buffer.h)."""
    signature = declaration(function, large, f'ENTRY({entry_name(function, large)})', bind_c)
    return definition(function, large, signature, other_number, bind_c, either=either)


def definition(function, large, signature, other_number, bind_c=True, has_descriptors=True, either=None):
    """Writes an entry point of this signature. `either(function, p)`: tools get the C function that fits the counts; it writes a count
    for both, or None."""
    used = used_parameters(function, large)
    statements, values, copies = [], {}, []
    has_section = lambda p: has_descriptors and is_choice(p) and p.name != 'buffer_addr'
    for p in used:
        if has_section(p):
            kind, arguments, count, datatype = section(function, p)
            arguments = [f'to_c<MPI_Datatype>(*{a})' if a == datatype else a for a in arguments]
            statements.append(f'{kind} of_{p.name}({", ".join([f"to_section(*{p.name})"] + arguments)});')
            values[p.name] = f'of_{p.name}.address()'
            if count:
                values[count] = f'of_{p.name}.count()'
            if datatype:
                values[datatype] = f'of_{p.name}.datatype()'
            if kind in ('Packed', 'PartsOfPeers'):
                copies.append(f'of_{p.name}')
        elif has_descriptors and string_has_descriptor(function, p, bind_c):
            values[p.name] = f'InString(static_cast<const char *>({p.name}->base), {p.name}->element_bytes).c()'
        elif has_descriptors and p.name == 'buffer_addr':
            values[p.name] = 'static_cast<void *>(buffer_addr)'
    keeps = copies and any(p.kind == 'request' and p.direction == 'out' for p in used)
    if keeps:
        statements.append('HandlePlace<MPI_Request, Use::Out> of_request(request);')
        values['request'] = 'of_request.c()'
    in_place = lambda value: value.replace('is_in_place(sendbuf)', 'of_sendbuf.address() == MPI_IN_PLACE') if has_descriptors else value
    values = {p.name: values.get(p.name) or in_place(f77.value(function, p, other_number)) for p in used}
    buffers = [f'of_{p.name}' for p in used if has_section(p)]
    def argument(p):
        return f'arg::Section{{"{p.name}", of_{p.name}}}' if f'of_{p.name}' in buffers else p.argument(values[p.name])
    arguments = ''.join(f',\n        {argument(p)}' for p in used)
    enter = 'enter_anytime' if function.anytime else 'enter'
    _, name, _ = function.implementation(large)
    implementation = f'mpi::LargeCount<mpi::{name}>::call' if large and function.makes_type else f'mpi::{name}'
    def result(call):
        return f'keep_copies({call}, of_request.c(), {", ".join(copies)})' if keeps else call
    if either:
        take = f'take_either_form<decltype(P{function.symbol(0)}), decltype(P{function.symbol(1)})>'
        of_tool = [in_place(either(function, p) or values[p.name]) for p in used]
    else:
        take, of_tool = f'take_tool<decltype(P{f77.c_symbol(function, large)})>', values.values()
    to_tool = result(f'tool({", ".join(of_tool)})')
    statements.append(f'if (auto tool = {take}({", ".join(buffers)})) [[unlikely]]\n        return set_code(ierror, {to_tool});')
    call = result(f'{enter}<{implementation}>(CALL({function.name}){arguments})')
    signature = signature.replace('MPI_Status', 'Status')
    body = ''.join(f'    {s}\n' for s in statements)
    return f'{signature} {{\n{body}    set_code(ierror, {call});\n}}'


# Their names in the program


def program_names(function):
    if function.name not in ABSENT:
        for large in forms(function):
            yield from names_of_form(function, large)


def names_of_form(function, large):
    """Writes the names that the module's interfaces call: jumps to an entry point, or other names of the one of mpif.h."""
    return jumps(function, large) if has_own_entry(function, large) else other_names(function, large)


def other_names(function, large):
    lower = function.name.lower()
    theirs, mine = symbols(function, large)
    yield (f'void {theirs}() __attribute__((alias("pmpi_{lower}_")));\n'
           f'void {mine}() __attribute__((weak, alias("mpi_{lower}_")));')


def jumps(function, large, target='thrum_fortran_', functions_of_c=()):
    name = f'{target}{entry_name(function, large)}'
    signature = re.sub(r'(const )?(MPI_(Fint|Aint|Count|Offset|Status)|Buffer) \*', 'void *', declaration(function, large, name))
    yield from f77.definitions(function, signature, name, *symbols(function, large),
                               functions_of_c or [f77.c_symbol(function, large)], simple_call(function, large, target),
                               ' '.join(checks_of_buffers(function, large)))


def checks_of_buffers(function, large):
    """Yields statements that tell the type of each buffer with a count and a datatype of its own, which matters at the calling rank."""
    is_rooted_reduction = any(p.kind == 'op' for p in function.parameters) and any(p.kind == 'root' for p in function.parameters)
    for p in filter(is_choice, function.parameters):
        behind = [q for q in function.parameters[function.parameters.index(p) + 1:] if not is_choice(q)][:2]
        part = (re.sub('^I|_init$', '', function.name).lower(), p.name)
        if len(behind) < 2 or part in PARTS or is_rooted_reduction and p.direction == 'out':
            continue
        count, datatype = behind
        if count.scalar and count.direction == 'in' and datatype.kind == 'datatype' and datatype.scalar:
            number = 'FortranInteger' if c_type(count, large) == 'MPI_Fint' else 'int64_t'
            yield (f'thrum_check_fortran_buffer({p.name}, NUMBER({number}, {count.name}), (int)NUMBER(FortranInteger, {datatype.name}), '
                   f'"MPI_{function.name} {p.name}", __builtin_return_address(0));')


def simple_call(function, large, target):
    """Returns the begin of a statement: simple buffers go to the entry point of mpif.h, which takes less time. "": there is none."""
    buffers = [p.name for p in function.parameters if is_choice(p)]
    others = [p for p in used_parameters(function, large) if not is_choice(p)]
    if target != 'thrum_fortran_' or large or not has_choice(function) or function.name in f77.BY_HAND or any(
            is_callback(p) or p.kind == 'string' or p.name == 'buffer_addr' or entry_type(function, p, 0) != f77.entry_type(function, p) for p in others):
        return ''
    names = [f'BASE({p.name})' if is_choice(p) else p.name for p in used_parameters(function, 0)] + ['ierror']
    return f'if ({" && ".join(f"thrum_is_simple({name})" for name in buffers)}) {target}{function.name.lower()}({", ".join(names)}); else '


def symbols(function, large):
    """Returns the linker's names of the PMPI and the MPI form."""
    specific = f'{function.name}{suffix(function, large)}'
    if has_choice(function):
        return f'PMPI_{specific}', f'MPI_{specific}'
    return f'pmpi_{specific.lower()}_', f'mpi_{specific.lower()}_'


# The module

TYPES = list(dict.fromkeys(HANDLES.values()))
CALLBACKS = '''User_function(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer{count} :: len
    type(MPI_Datatype) :: datatype
{object}_copy_attr_function(old{lower}, {lower}_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_{type}) :: old{lower}
    integer :: {lower}_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
{object}_delete_attr_function({argument}, {lower}_keyval, attribute_val, extra_state, ierror)
    type(MPI_{type}) :: {argument}
    integer :: {lower}_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
{handler}_errhandler_function({argument}, error_code)
    type(MPI_{handler}) :: {argument}
    integer :: error_code
Grequest_query_function(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
Grequest_free_function(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
Grequest_cancel_function(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
Datarep_extent_function(datatype, extent, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
Datarep_conversion_function(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer{count} :: count
    integer :: ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state'''
OBJECTS = {'{object}': [('Comm', 'comm', 'comm', 'Comm'), ('Type', 'type', 'datatype', 'Datatype'), ('Win', 'win', 'win', 'Win')],
           '{handler}': [('Comm', 'comm', 'comm', 'Comm'), ('Win', 'win', 'win', 'Win'), ('File', 'file', 'file', 'File'),
                         ('Session', 'session', 'session', 'Session')]}


def callback_forms():
    """Yields (name, arguments, declarations) of each abstract interface."""
    for text in re.split(r'\n(?=\S)', CALLBACKS):
        head, *lines = text.splitlines()
        key = next((key for key in OBJECTS if key in head), None)
        for object_, lower, argument, type_ in OBJECTS.get(key, [('', '', '', '')]):
            for large in (0, 1) if '{count}' in text else (0,):
                fill = lambda s: s.format(object=object_, handler=object_, lower=lower, argument=argument, type=type_,
                                          count='(kind=MPI_COUNT_KIND)' * large)
                name, arguments = re.match(r'(\w+)(\(.*\))', fill(head)).groups()
                yield f'MPI_{name}{"_c" * large}', arguments, [fill(line).strip() for line in lines]


def constants(header, integer_bytes):
    """Writes the constants: handles are PARAMETERs of their types."""
    of_type = {name: kind for name, kind in re.findall(r'#define (MPI_\w+)\s+\(\((MPI_\w+)\)\d+\)', Path(header).read_text())}
    for kind, name, number in f77.constants(header, integer_bytes):
        if name in ('MPI_SUBARRAYS_SUPPORTED', 'MPI_ASYNC_PROTECTS_NONBLOCKING'):
            number = '.true.'
        handle = of_type.get(name)
        if handle and handle[4:] in TYPES:
            yield f'type({handle}), parameter :: {name} = {handle}({number})'
        else:
            yield f'{kind}, parameter :: {name} = {number}'


def common_blocks(integer_bytes, reals):
    yield from f77.block_of_reals(reals)
    for line in f77.COMMON_BLOCKS.splitlines():
        name, statement = line.split(': ')
        if 'STATUS' in name:
            statement = 'type(MPI_Status) MPI_STATUS_IGNORE' if name == 'STATUS_IGNORE' else 'type(MPI_Status) MPI_STATUSES_IGNORE(1)'
        yield statement
        yield f'common /{f77.COMMON_NAMES[integer_bytes]}{name.lower()}/ MPI_{name}'


def dummy(function, p, large):
    """Returns (type with attributes, dimension) of a dummy argument (appendix A.4)."""
    later = ', asynchronous' if LATER.fullmatch(function.name) and has_choice(function) else ''
    if p.name in ('baseptr', 'buffer_addr'):
        return 'type(c_ptr), intent(out)', ''
    if is_choice(p):
        read = ', intent(in)' if p.const or function.name == 'Free_mem' else ''
        return f'type(*), dimension(..){read}{later}', ''
    intent = f', intent({p.direction})'
    if p.name in OPTIONAL_ARRAYS and p.direction == 'out' or p.kind == 'status' and p.direction == 'out':
        intent = ''
    dimension = '(3, *)' if p.array.endswith('[3]') else '(*)' if p.array else ''
    if is_callback(p):
        return f'procedure({p.kind}{"_c" if p.poly and large else ""})', ''
    if p.kind in HANDLES:
        intent = ', intent(in)' if p.name == 'request' and function.name == 'Cancel' else intent
        array_later = later if p.array else ''
        return f'type(MPI_{HANDLES[p.kind]}){intent}{array_later}', dimension
    if p.kind == 'status':
        return f'type(MPI_Status){intent}', '(*)' if p.array else ''
    if p.kind == 'void':
        return ('logical' if p.name.startswith('logical_') else 'integer(kind=MPI_ADDRESS_KIND)') + intent, ''
    if p.kind == 'string':
        rows = {'array_of_argv': '(count, *)', 'array_of_commands': '(*)', 'argv': '(*)'}.get(p.name, '')
        return f'character(len=*){intent}', rows
    if p.kind == 'logical':
        return f'logical{intent}', dimension
    kind = FORTRAN_KINDS.get(c_type(p, large))
    return f'integer{f"(kind={kind})" if kind else ""}{intent}{later if p.array else ""}', dimension


def interface(function, prefix, large):
    used = used_parameters(function, large)
    returns = VALUES.get(function.name)
    names = [p.name for p in used] + ([] if returns or function.variadic else ['ierror'])
    specific = f'{prefix}_{function.name}{suffix(function, large)}'
    bind = f' bind(C, name="{specific}")' if has_choice(function) else ''
    word = 'function' if returns else 'subroutine'
    yield from f77.wrapped(f'{word} {specific}({", ".join(names)}){bind}', 4)
    yield '      import'
    if returns:
        yield f'      {"double precision" if returns == "double" else "integer(kind=MPI_ADDRESS_KIND)"} :: {specific}'
    for p in used:
        kind, dimension = dummy(function, p, large)
        yield f'      {kind} :: {p.name}{dimension}'
    if 'ierror' in names:
        yield '      integer, optional, intent(out) :: ierror'
    yield f'    end {word}'


SYNC_REG = '''    subroutine {prefix}_F_sync_reg_f08ts(buf) bind(C, name="{prefix}_F_sync_reg_f08ts")
      import
      type(*), dimension(..), asynchronous :: buf
    end subroutine'''
SIZEOF = '''    subroutine {prefix}_Sizeof_f08ts(x, size, ierror) bind(C, name="thrum_sizeof")
      import
      type(*), dimension(..) :: x
      integer, intent(out) :: size
      integer, optional, intent(out) :: ierror
    end subroutine'''
STATUS_CONVERSIONS = '''    subroutine {prefix}_Status_f2f08_f08(f_status, f08_status, ierror)
      import
      integer, intent(in) :: f_status(MPI_STATUS_SIZE)
      type(MPI_Status), intent(out) :: f08_status
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine {prefix}_Status_f082f_f08(f08_status, f_status, ierror)
      import
      type(MPI_Status), intent(in) :: f08_status
      integer, intent(out) :: f_status(MPI_STATUS_SIZE)
      integer, optional, intent(out) :: ierror
    end subroutine'''


def by_hand_interfaces(prefix):
    for text in re.split(r'(?<=end subroutine)\n', '\n'.join((SYNC_REG, SIZEOF, STATUS_CONVERSIONS))):
        text = text.format(prefix=prefix)
        generic = re.search(rf'subroutine ({prefix}_\w+?)_f08(ts)?\(', text)[1]
        yield f'  interface {generic}'
        yield from text.splitlines()
        yield '  end interface'


def generics(functions, prefix, forms_of):
    for f in functions:
        names = [(f'_c' * large, [large]) for large in forms_of(f)] if f.name in NAMED else [('', forms_of(f))]
        for suffix_, specifics in names:
            yield f'  interface {prefix}_{f.name}{suffix_}'
            for large in specifics:
                yield from interface(f, prefix, large)
            yield '  end interface'


def predefined_callbacks():
    """Writes the interfaces of MPI_COMM_DUP_FN and so on, which can be called and passed as arguments."""
    forms_ = {name: (arguments, lines) for name, arguments, lines in callback_forms()}
    yield '  interface'
    for name in f77.PREDEFINED_CALLBACKS:
        if name in ('MPI_NULL_COPY_FN', 'MPI_DUP_FN', 'MPI_NULL_DELETE_FN'):
            continue
        names = [name]
        if name == 'MPI_CONVERSION_FN_NULL':
            names, kinds = [name, f'{name}_c'], ['MPI_Datarep_conversion_function', 'MPI_Datarep_conversion_function_c']
        else:
            object_ = name.split('_')[1].capitalize()
            kinds = [f'MPI_{object_}_{"delete" if "DELETE" in name else "copy"}_attr_function']
        for each, kind in zip(names, kinds):
            arguments, lines = forms_[kind]
            yield from f77.wrapped(f'subroutine {each}{arguments}', 4)
            yield '      import'
            yield from ('      ' + line for line in lines)
            yield '    end subroutine'
    yield '  end interface'


def operators():
    """Writes == and /= of handles, elemental."""
    for operator, word in ('==', 'eq'), ('/=', 'ne'):
        yield f'  interface operator({operator})'
        yield from f77.wrapped('module procedure ' + ', '.join(f'{t.lower()}_{word}' for t in TYPES), 4)
        yield '  end interface'


def operator_procedures():
    for t in TYPES:
        for word, symbol in ('eq', '=='), ('ne', '/='):
            yield f'  elemental logical function {t.lower()}_{word}(a, b)'
            yield f'    type(MPI_{t}), intent(in) :: a, b'
            yield f'    {t.lower()}_{word} = a%MPI_VAL {symbol} b%MPI_VAL'
            yield '  end function'


def module(header, functions, forms_of=forms, integer_bytes=4, reals=f77.REALS['']):
    functions = [f for f in functions if f.name not in ABSENT]
    yield from ('! ' + line for line in ('Module mpi_f08.\n' + f77.HEAD).splitlines())
    yield 'module mpi_f08'
    yield '  use, intrinsic :: iso_c_binding, only: c_ptr'
    yield '  implicit none'
    yield '  private :: c_ptr'
    yield from f77.wrapped('private :: ' + ', '.join(f'{t.lower()}_{w}' for t in TYPES for w in ('eq', 'ne')), 2)
    for t in TYPES:
        yield f'  type, bind(C) :: MPI_{t}\n    integer :: MPI_VAL\n  end type'
    yield '  type, bind(C) :: MPI_Status'
    yield '    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n    integer, private :: internal(5)\n  end type'
    for line in constants(header, integer_bytes):
        yield '  ' + line
    for line in common_blocks(integer_bytes, reals):
        yield '  ' + line
    yield '  abstract interface'
    for name, arguments, lines in callback_forms():
        yield from f77.wrapped(f'subroutine {name}{arguments}', 4)
        yield '      import'
        yield from ('      ' + line for line in lines)
        yield '    end subroutine'
    yield '  end interface'
    yield from predefined_callbacks()
    yield from operators()
    for prefix in PREFIXES:
        yield from generics(functions, prefix, forms_of)
        yield from by_hand_interfaces(prefix)
    yield 'contains'
    yield from operator_procedures()
    yield 'end module mpi_f08'


def own_entries(functions):
    """Yields (function, large) of the entry points beside those of mpif.h."""
    for f in functions:
        if f.name not in ABSENT:
            yield from ((f, large) for large in forms(f) if has_own_entry(f, large))


def declarations(functions):
    return (declaration(f, large).replace('Buffer', 'FortranBuffer') + ';' for f, large in own_entries(functions))


def entries(functions, *conventions):
    return (entry(f, large, *conventions) for f, large in own_entries(functions) if f.name not in f77.BY_HAND)  # f08.inc
