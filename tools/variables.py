#!/usr/bin/env python3
"""Writes the tables of docs/tools.md: every setting (src/base/settings.ini), variable and event of MPI_T. Asks the library
itself for the variables and events, and fails if its control variables are not those of the table of settings.

The text of docs/tools.md before the line MARKER is written by hand and kept.
Usage: variables.py --build DIR [--check]    --check: exit code 1 if docs/tools.md is not up to date
"""
import argparse
import ctypes
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'src' / 'base'))
from settings import read_table  # noqa: E402

PAGE = ROOT / 'docs' / 'tools.md'
HEADER = ROOT / 'src' / 'entry' / 'mpi.h.in'
MARKER = '<!-- From here on written by tools/variables.py. Do not edit. -->'
TEXT_MAX = 1024


class Library:
    """MPI_T of a process that is one rank."""

    def __init__(self, build):
        self.mpi = ctypes.CDLL(str(build / 'lib' / 'libmpi_abi.so.1'))
        self.call('init_thread', 0, ctypes.byref(ctypes.c_int()))

    def call(self, name, *arguments):
        code = getattr(self.mpi, f'MPI_T_{name}')(*arguments)
        if code != 0:
            sys.exit(f'variables.py: MPI_T_{name} returned {code}')

    def count(self, kind):
        number = ctypes.c_int()
        self.call(f'{kind}_get_num', ctypes.byref(number))
        return number.value

    def info(self, kind, index, layout):
        """Calls MPI_T_KIND_get_info; of `layout`, a word per argument, returns those not named '-'."""
        results, arguments = {}, []
        for word in layout.split():
            if word == '-':
                arguments.append(None)
            elif word in ('name', 'description'):
                results[word] = ctypes.create_string_buffer(TEXT_MAX)
                arguments += [results[word], ctypes.byref(ctypes.c_int(TEXT_MAX))]
            else:
                results[word] = ctypes.c_void_p() if word in ('type', 'names') else ctypes.c_int()
                arguments.append(ctypes.byref(results[word]))
        self.call(f'{kind}_get_info', index, *arguments)
        return {word: result.value.decode() if word in ('name', 'description') else result.value
                for word, result in results.items()}

    def items(self, names):
        """The values of an enumeration, as text."""
        handle, number = ctypes.c_void_p(names), ctypes.c_int()
        self.call('enum_get_info', handle, ctypes.byref(number), None, None)
        found = []
        for i in range(number.value):
            text, length = ctypes.create_string_buffer(TEXT_MAX), ctypes.c_int(TEXT_MAX)
            value = ctypes.c_int()
            self.call('enum_get_item', handle, i, ctypes.byref(value), text, ctypes.byref(length))
            found.append(text.value.decode())
        return found


def constants(prefix):
    """Value -> name without the prefix, from mpi.h."""
    pattern = re.compile(rf'#define {prefix}(\w+)\s+(\d+)$', re.M)
    return {int(value): name for name, value in pattern.findall(HEADER.read_text())}


def with_values(library, info, text):
    names = library.items(info['names']) if info['names'] else []
    return text + (f' ({", ".join(f"{i} {name}" for i, name in enumerate(names))})' if names else '')


def check_controls(controls, settings):
    described = {setting.name: setting.description for setting in settings}
    if described != {name: info['description'] for name, info in controls.items()}:
        sys.exit('variables.py: the control variables of the library are not those of src/base/settings.ini: '
                 f'{sorted(set(described) ^ set(controls)) or "descriptions differ"}')


def tables(library):
    scopes, classes = constants('MPI_T_SCOPE_'), constants('MPI_T_PVAR_CLASS_')
    binds = {value: name.replace('MPI_', '').replace('NO_OBJECT', '').lower()
             for value, name in constants('MPI_T_BIND_').items()}
    controls = {info['name']: info for info in (library.info('cvar', i, 'name - - names description - scope')
                                                for i in range(library.count('cvar')))}
    settings = sorted(read_table(), key=lambda setting: setting.name)
    check_controls(controls, [setting for setting in settings if setting.category])
    yield '\n## Settings\n\n| name | option of mpiexec | default | scope | |\n|---|---|---|---|---|'
    for setting in settings:
        info = controls.get(setting.name)
        text = with_values(library, info, setting.description) if info else setting.description
        if setting.is_for_users:
            yield (f"| `{setting.name}` | {f'`{setting.option}`' if setting.option else ''} | {setting.default_text} | "
                   f"{scopes[info['scope']] if info else ''} | {text} |")
    yield '\n## Performance variables\n\n| name | class | bound to | |\n|---|---|---|---|'
    for info in sorted((library.info('pvar', i, 'name - class - names description bind - - -')
                        for i in range(library.count('pvar'))), key=lambda info: (info['name'], info['class'])):
        yield (f"| `{info['name']}` | {classes[info['class']]} | {binds[info['bind']]} | "
               f"{with_values(library, info, info['description'])} |")
    yield '\n## Events\n\n| name | bound to | elements | |\n|---|---|---|---|'
    for info in sorted((library.info('event', i, 'name - - - - names - description bind')
                        for i in range(library.count('event'))), key=lambda info: info['name']):
        yield (f"| `{info['name']}` | {binds[info['bind']]} | {', '.join(library.items(info['names']))} | "
               f"{info['description']} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release')
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    old = PAGE.read_text()
    new = old.split(MARKER)[0] + MARKER + '\n' + '\n'.join(tables(Library(options.build))) + '\n'
    if options.check:
        if new != old:
            print('docs/tools.md is not up to date: run tools/variables.py and commit it')
        return int(new != old)
    PAGE.write_text(new)
    return 0


if __name__ == '__main__':
    sys.exit(main())
