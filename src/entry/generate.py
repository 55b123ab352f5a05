#!/usr/bin/env python3
"""Turns mpi.api into the C face of MPI: mpi.h, function ids and entry points.

Knows names and C types only. All judgement (checks, conversions, errors) is C++: argument.h, entry.h.
The functions of beside.api, which are written by hand, get ids and names for reports.
Usage: generate.py MPI_API BESIDE_API MPI_H_IN MPI_H OUT_DIR
"""
import re
import sys
from dataclasses import dataclass
from pathlib import Path

HANDLES = {'comm': 'Comm', 'datatype': 'Datatype', 'type': 'Datatype', 'group': 'Group',
           'request': 'Request', 'message': 'Message', 'op': 'Op', 'info': 'Info',
           'errhandler': 'Errhandler', 'win': 'Win', 'file': 'File', 'session': 'Session'}
# Kind: C type in the int binding, C type in the large-count binding.
C_TYPES = {kind: (f'MPI_{name}',) * 2 for kind, name in HANDLES.items()} | {
    kind: ('int', 'int') for kind in ('int', 'length', 'dest', 'source', 'root', 'target', 'send_tag',
                                      'recv_tag', 'logical', 'request_index', 'weight')} | {
    'count': ('int', 'MPI_Count'), 'number': ('int', 'MPI_Count'),
    'displacement': ('int', 'MPI_Aint'), 'extent': ('MPI_Aint', 'MPI_Count'),
    'aint': ('MPI_Aint',) * 2, 'big_count': ('MPI_Count',) * 2, 'wide_count': ('int', 'MPI_Count'), 'offset': ('MPI_Offset',) * 2,
    'status': ('MPI_Status',) * 2, 'buffer': ('void',) * 2, 'string': ('char',) * 2}
WIDENING = {kind for kind, (small, large) in C_TYPES.items() if small != large}
# The type of a plain handle argument in an implementation.
OBJECTS = {'comm': 'Communicator &', 'datatype': 'Datatype &', 'type': 'Datatype &',
           'group': 'Group &', 'request': 'Request *', 'message': 'Message *', 'op': 'Op &',
           'info': 'Info *', 'errhandler': 'Errhandler &', 'win': 'Window &', 'file': 'File &',
           'session': 'Session &'}
CHECKED_SCALARS = {'count', 'wide_count', 'length', 'dest', 'source', 'root', 'target', 'send_tag', 'recv_tag'}
# Strings and callbacks that may be null: significant at the root only, or at a length above 0, or with a null
# constant. Their implementations check them.
MAY_BE_NULL = {'command', 'port_name', 'pset_name', 'value', 'argv', 'array_of_commands'}
# The receive buffer is significant at the root only.
ROOTED = {'Reduce', 'Ireduce', 'Reduce_init'}
CALLBACKS = re.compile(r'MPI_(Grequest_\w+_function|\w+_errhandler_function)$')
PARAMETER = re.compile(r'(large )?(poly )?(out |inout )?(const )?(\w+)(\??)(\**) (\w+)((?:\[\w*\])*)$')
FUNCTION = re.compile(r'(\w+)\((.*)\)(?: -> (\w+))?( anytime| tool)?$')


@dataclass
class Parameter:
    large_only: bool
    poly: bool
    direction: str
    const: str
    kind: str
    nullable: bool
    stars: str
    name: str
    array: str
    length: str  # of an array of handles, for bindings of other languages (src/fortran/generate.py)

    @classmethod
    def parse(cls, text):
        match = PARAMETER.match(text)
        if not match:
            sys.exit(f'mpi.api: cannot parse parameter "{text}"')
        large, poly, direction, const, kind, nullable, stars, name, array = match.groups()
        length = re.match(r'\[([a-z]\w*)\]$', array)
        return cls(bool(large), bool(poly), (direction or 'in').strip(), const or '', kind, bool(nullable),
                   stars, name, '[]' if length else array, length[1] if length else '')

    @property
    def scalar(self):
        return not self.stars and not self.array

    def c(self, large):
        base = C_TYPES.get(self.kind, (self.kind,) * 2)[large] + ('_c' if self.poly and large else '')
        if self.kind == 'weight' and self.array:  # compilers look into what is declared as an array
            return f'{self.const}{base} *{self.name}'
        return f'{self.const}{base} {self.stars}{self.name}{self.array}'

    def internal(self):
        """Returns the implementation's parameter: one signature serves the int and the large-count entry."""
        if self.poly:
            return f'AnyFunction {self.name}'
        if self.scalar and self.kind in OBJECTS:
            object_type = OBJECTS[self.kind]
            return (object_type.replace('&', '*') if self.nullable else object_type) + self.name
        if self.kind in WIDENING:
            if self.scalar:
                return f'Count {self.name}'
            return f'{"CountArray" if self.array else "CountRef"} {self.name}'
        return self.c(1 if self.large_only else 0)

    def argument(self, value=None):
        """Returns the expression that wraps this parameter, or `value`, for entry.h: its kind of argument.h."""
        wrap = lambda kind: f'arg::{kind}{{"{self.name}", {value or self.name}}}'
        if self.poly:
            return wrap('Function')
        if self.scalar and self.kind in HANDLES:
            kind = 'Type' if self.kind == 'type' else HANDLES[self.kind]
            return wrap('Nullable' + kind if self.nullable else kind)
        if self.kind in WIDENING and not self.scalar:
            return wrap('Counts' if self.array else 'CountOut')
        if self.scalar and self.kind in CHECKED_SCALARS:
            return wrap(''.join(word.capitalize() for word in self.kind.split('_')))
        if self.must_not_be_null and self.kind in HANDLES:
            if self.direction == 'out':
                return wrap('NewHandle')
            if self.direction == 'inout' and self.kind != 'request':
                return wrap('ChangedHandle')
        return wrap('Pointer' if self.must_not_be_null else 'Plain')

    @property
    def must_not_be_null(self):
        """Excludes arrays, for which the length decides, and choice buffers, for which null is MPI_BOTTOM."""
        if self.name in MAY_BE_NULL:
            return False
        if self.kind == 'string':
            return self.stars == '*' and not self.array or self.array == '[]' and not self.stars
        if self.stars != '*':
            return False
        if self.kind == 'status':  # MPI_STATUS_IGNORE is for results only
            return self.direction != 'out'
        if self.kind in ('buffer', 'void'):
            return self.direction == 'out' and self.name in ('buffer_addr', 'baseptr', 'attribute_val')
        return self.direction != 'in' or self.kind == 'request' or bool(CALLBACKS.match(self.kind))


@dataclass
class Function:
    name: str
    parameters: list
    variadic: bool
    returns: str
    when: str

    @classmethod
    def parse(cls, line):
        match = FUNCTION.match(line)
        if not match:
            sys.exit(f'mpi.api: cannot parse "{line}"')
        parts = [part for part in match[2].split(', ') if part]
        return cls(match[1], [Parameter.parse(part) for part in parts if part != '...'],
                   '...' in parts, match[3] or '', (match[4] or '').strip())

    @property
    def checked(self):
        """Functions with another return type, and MPI_Pcontrol, return no error."""
        return not self.returns and not self.variadic

    @property
    def anytime(self):
        return self.when == 'anytime'

    @property
    def tool(self):
        """MPI_T: the implementation gets the C arguments unchanged."""
        return self.when == 'tool'

    @property
    def in_abi(self):
        """Excludes conversions to Fortran's INTEGER, whose kind depends on the compiler."""
        return not re.search(r'_(c2f|f2c|c2f08|f082c|f2f08|f082f)$', self.name)

    @property
    def twins(self):
        widens = any(p.kind in WIDENING or p.poly or p.large_only for p in self.parameters)
        return (0, 1) if widens else (0,)

    @property
    def has_large_only(self):
        return any(p.large_only for p in self.parameters)

    @property
    def makes_type(self):
        return any(p.name == 'newtype' for p in self.parameters)

    def symbol(self, large):
        return f'MPI_{self.name}{"_c" if large else ""}'

    def prototype(self, prefix, large):
        parameters = [p.c(large) for p in self.parameters if large or not p.large_only]
        if self.variadic:
            parameters.append('...')
        return (f'{self.returns or "int"} {prefix}{self.symbol(large)}'
                f'({", ".join(parameters) or "void"})')

    def argument(self, parameter):
        """Works like the parameter's argument(), but marks an error handler for an object to be made."""
        place = self.parameters.index(parameter)
        before = self.parameters[place - 1] if place else None
        if parameter.kind == 'datatype' and parameter.scalar and not parameter.nullable \
                and before and before.scalar and before.kind in ('count', 'number', 'wide_count'):
            return f'arg::Datatype{{"{parameter.name}", {parameter.name}, {before.name}}}'
        behind = self.parameters[place + 1:place + 4]
        if parameter.kind == 'buffer' and parameter.stars == '*' and 'eighbor' not in self.name:
            # Reductions have two buffers before the count; the second one is significant at the root only.
            if behind and behind[0].kind == 'buffer':
                behind = behind[1:]
            if len(behind) > 1 and behind[0].scalar and behind[0].kind in ('count', 'wide_count') \
                    and behind[1].kind == 'datatype' and behind[1].scalar and not behind[1].nullable:
                result = self.name in ROOTED and parameter.direction == 'out'
                peers = [p.name for p in self.parameters[place + 3:place + 4] if p.kind in ('dest', 'source', 'target')]
                if not result:
                    named = [parameter.name, behind[0].name, behind[1].name] + peers
                    return f'arg::Buffer{{"{parameter.name}", {", ".join(named)}}}'
        makes_object = any(p.direction == 'out' and p.kind in ('comm', 'session') for p in self.parameters)
        text = parameter.argument()
        return text.replace('arg::Errhandler', 'arg::CreationErrhandler') if makes_object else text

    def implementation(self, large):
        """Returns name and signature; the large-count twin has its own only if it has more parameters."""
        extra = large and self.has_large_only
        parameters = [p.internal() if self.checked and not self.tool else p.c(0)
                      for p in self.parameters if extra or not p.large_only]
        if self.variadic:
            parameters.append('...')
        returns = 'Error' if self.checked else self.returns or 'int'
        return returns, f'{self.name.lower()}{"_c" if extra else ""}', ', '.join(parameters)

    def implementations(self):
        return [self.implementation(large) for large in ((0, 1) if self.has_large_only else (0,))]

    def entry(self, large):
        _, name, _ = self.implementation(large)
        used = [p for p in self.parameters if large or not p.large_only]
        if self.checked:
            arguments = ''.join(f',\n        {p.name if self.tool else self.argument(p)}' for p in used)
            function = f'mpi::LargeCount<mpi::{name}>::call' if large and self.makes_type else f'mpi::{name}'
            if self.tool:
                body = f'return enter_tool<{function}>(CALL({self.name}){arguments});'
            else:
                body = f'{"ENTER_ANYTIME" if self.anytime else "ENTER"}({function}, {self.name}{arguments});'
        else:
            body = f'return mpi::{name}({", ".join(p.name for p in used)});'
        return f'{self.prototype("P", large)} {{\n    {body}\n}}\nMPI_WEAK_ALIAS({self.symbol(large)});\n'


def parse_api(path):
    for line in Path(path).read_text().splitlines():
        line = line.split('#')[0].strip()
        if line:
            yield Function.parse(line)


def parse_names(path):
    lines = (line.split('#')[0].strip() for line in Path(path).read_text().splitlines())
    return [line for line in lines if line]


def write(path, text, comment='// '):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = f'{comment}Generated from mpi.api by generate.py. Do not edit.\n{text}\n' if comment else text
    path.write_text(text)


def main(api, beside_api, header_in, header, out):
    functions = list(parse_api(api))
    beside = parse_names(beside_api)
    entries = [(f, large) for f in functions for large in f.twins]
    def prototypes(in_abi):
        return '\n'.join(f'{f.prototype(prefix, large)};' for prefix in ('', 'P') for f, large in entries
                         if f.in_abi == in_abi)

    text = Path(header_in).read_text().replace('@PROTOTYPES@', prototypes(True))
    write(header, text.replace('@PROTOTYPES_BESIDE_ABI@', prototypes(False)), comment='')
    write(f'{out}/function.h', '#pragma once\n#include <cstdint>\nnamespace thrum {\n'
          'enum class Function : uint16_t {\n    None,\n'
          + '\n'.join(f'    {name},' for name in [f.name for f in functions] + beside) + '\n};\n} // namespace thrum')
    write(f'{out}/function_names.inc', '\n'.join(f'"{name}",' for name in [f'MPI_{f.name}' for f in functions] + beside))
    write(f'{out}/functions_for_any_thread.inc', '\n'.join(f'Function::{f.name},' for f in functions if f.anytime or f.tool))
    # What returns an Error is called by enter(), which says that the program calls. The others only compute.
    write(f'{out}/generated_calls.h', '\n'.join(
        f'{returns} {name}({parameters}){" MAY_SUSPEND" * (returns == "Error")};' for f in functions
        for returns, name, parameters in f.implementations()))
    write(f'{out}/entry_points.inc', '\n'.join(f.entry(large) for f, large in entries))


if __name__ == '__main__':
    main(*sys.argv[1:])
