#!/usr/bin/env python3
"""Reads the table of settings (settings.ini) and writes what the core includes of it.

cmd/man/generate.py and tools/variables.py use the class Setting, too.
Usage: settings.py OUT_DIR     writes base/setting_fields.h, base/settings.inc, trace/setting_variables.inc,
                               trace/writable_settings.inc and thrum/settings_of_commands.inc
"""
import configparser
import re
import sys
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).resolve().parent / 'settings.ini'
STRUCTS = {'Settings': 'the_settings', 'FabricSettings': 'the_fabric_settings', 'JobSettings': 'the_job_settings'}
SHIFTS = {'K': 10, 'M': 20, 'G': 30}
CHOICES = {'type': {'count', 'size', 'seconds', 'switch', 'word', 'choice', 'text', 'path'},
           'scope': {'user', 'job', 'internal', 'test'},
           'reader': {'library', 'mpiexec', 'wrapper'},
           'in': set(STRUCTS),
           'writable': {'', 'rank', 'process'},
           'audience': {'user', 'tuner', 'developer'}}
KEYS = set(CHOICES) | {'least', 'most', 'words', 'default', 'description', 'details', 'field', 'parser', 'expected', 'option',
                       'sets', 'category'}
C_TYPES = {'count': 'int', 'size': 'size_t', 'seconds': 'int', 'switch': 'bool', 'choice': 'int', 'word': 'const char *',
           'text': 'const char *', 'path': 'const char *'}
VALUE_TYPES = {'count': 'Int', 'size': 'Unsigned', 'seconds': 'Int', 'switch': 'Int', 'choice': 'Int', 'word': 'Text',
               'text': 'Text', 'path': 'Text'}


def fail(name, text):
    sys.exit(f'{TABLE}: [{name}]: {text}')


def literal(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


def number(text):
    """A C++ constant: "4K" is 4 << 10."""
    match = re.fullmatch(r'(-?\d+)([KMG])?', text)
    if not match:
        return text
    digits, unit = match.groups()
    return f'size_t{{{digits}}} << {SHIFTS[unit]}' if unit else digits


def in_words(words):
    """'"a", "b" or "c"'"""
    quoted = [f'"{word}"' for word in words]
    return ' or '.join(filter(None, [', '.join(quoted[:-1]), quoted[-1]]))


@dataclass
class Setting:
    name: str
    type: str
    description: str
    details: list      # paragraphs
    default: str       # the value; '': none
    meaning: str       # what that value means, for readers
    least: str
    most: str
    words: list
    scope: str
    reader: str
    struct: str
    field: str
    parser: str
    expected: str
    option: str        # without the name of its value
    metavar: str
    sets: str
    category: str
    writable: str
    audience: str

    @property
    def variable(self):
        return 'THRUM_' + self.name.upper()

    @property
    def is_for_users(self):
        return self.scope in ('user', 'job')

    @property
    def default_text(self):
        """For readers. Where 0 or -1 stands for something else, that."""
        if self.meaning:
            return self.meaning if self.default in ('0', '-1') else f'{self.default} ({self.meaning})'
        return self.default or 'not set'

    @property
    def expectation(self):
        """What a message about a wrong value says that was expected."""
        if self.expected:
            return self.expected
        if self.type == 'count':
            text = f'a number from {self.least} to {self.most}' if self.most else f'a whole number of at least {self.least or 0}'
        elif self.type == 'size':
            text = f'a size of at most {self.most}' if self.most else 'a size such as 262144, 256K or 8M'
        elif self.type == 'seconds':
            text = f'a number of seconds greater than {self.least}'
        elif self.type in ('word', 'choice'):
            return in_words(self.words)
        else:
            return {'switch': '0 or 1', 'text': 'a text', 'path': 'a path'}[self.type]
        names = self.words[::2]
        return f'{text}{", " if len(names) > 1 else " or "}{in_words(names)}' if names else text

    @property
    def declaration(self):
        """Of the member that holds the value."""
        initial = {'text': lambda: literal(self.default) if self.default else 'nullptr',
                   'word': lambda: literal(self.default) if self.default else 'nullptr',
                   'path': lambda: 'nullptr',
                   'choice': lambda: str(self.words.index(self.default)),
                   'switch': lambda: 'true' if self.default == '1' else 'false'
                   }.get(self.type, lambda: number(self.default))()
        if self.writable == 'process':
            return f'mutable std::atomic<unsigned> {self.field}{{{initial}}};'
        return f'{C_TYPES[self.type]} {self.field} = {initial};'.replace('* ', '*')

    @property
    def parse(self):
        """C++ that returns whether `text` is valid, and stores it if there is a field."""
        struct = STRUCTS[self.struct]
        if self.parser:
            return f'return {self.parser}(text, {struct});'
        place = f'{struct}.{self.field}' if self.field else 'value'
        call = self.call_of_parser(place)
        return f'return {call};' if self.field else f'{C_TYPES[self.type]} value; return {call};'

    def call_of_parser(self, place):
        if self.type in ('count', 'size', 'seconds'):
            limits = f'{number(self.least or "0")}, {number(self.most) if self.most else "no_limit"}'
            named = ''.join(f'parse_name(text, "{name}", {value}, {place}) || '
                            for name, value in zip(self.words[::2], self.words[1::2]))
            return f'{named}parse_{self.type}(text, {limits}, {place})'
        if self.type in ('word', 'choice'):
            return f'parse_{self.type}(text, {{{", ".join(map(literal, self.words))}}}, {place})'
        return f'parse_{self.type}(text, {place})'

    @property
    def row(self):
        """Of the table in settings.cc."""
        texts = {'name': self.name, 'variable': self.variable, 'option': self.option, 'metavar': self.metavar,
                 'sets': self.sets, 'description': self.description, 'default_text': self.default_text,
                 'expected': self.expectation}
        lines = [f'.{member} = {literal(text)},' for member, text in texts.items()]
        lines += [f'.scope = Setting::Scope::{self.scope.capitalize()},', f'.reader = Setting::Reader::{self.reader.capitalize()},',
                  f'.is_path = {"true" if self.type == "path" else "false"},',
                  f'.parse = [](const char *text) {{ {self.parse} }}']
        return '{' + '\n '.join(lines) + '},'

    @property
    def row_of_info(self):
        """Of what `thrum info` prints beside control variables."""
        return f'{{{", ".join(map(literal, (self.name, self.variable, self.default_text)))}}},'

    @property
    def control_variable(self):
        """The members of its ControlVariable (trace/variables.h) but those that access the value."""
        scope = {'': 'CONSTANT', 'rank': 'LOCAL', 'process': 'ALL_EQ'}[self.writable]
        verbosity = {'user': 'USER_BASIC', 'tuner': 'TUNER_BASIC', 'developer': 'MPIDEV_BASIC'}[self.audience]
        text = (f'.name = "{self.name}", .category = "{self.category}", .description = {literal(self.description)}, '
                f'.type = ValueType::{VALUE_TYPES[self.type]}, .verbosity = MPI_T_VERBOSITY_{verbosity}, '
                f'.scope = MPI_T_SCOPE_{scope}')
        if self.type == 'choice':
            text += f', .enumeration = &words_of_{self.name}'
        return text

    @property
    def enumeration(self):
        words = ', '.join(map(literal, self.words))
        return (f'constexpr const char *{self.name}_words[] = {{{words}}};\n'
                f'constexpr Enumeration words_of_{self.name} = {{"{self.name}", {self.name}_words, {len(self.words)}}};\n'
                if self.type == 'choice' else '')

    @property
    def read_only_variable(self):
        """The whole definition of a variable that MPI_T cannot write."""
        struct = {'Settings': 'settings', 'FabricSettings': 'fabric_settings', 'JobSettings': 'job_settings'}[self.struct]
        value = f'{struct}().{self.field}'
        access = (f'.text = [] {{ return or_empty({value}); }}' if VALUE_TYPES[self.type] == 'Text' else
                  f'.read = [] {{ return static_cast<int64_t>({value}); }}')
        return f'{self.enumeration}CONTROL_VARIABLE({self.name}, {self.control_variable}, {access});'


def read_setting(name, keys):
    for key in keys:
        if key not in KEYS:
            fail(name, f'unknown key {key}')
        if key in CHOICES and keys[key] not in CHOICES[key]:
            fail(name, f'{key} = {keys[key]}: expected one of {", ".join(sorted(CHOICES[key]))}')
    if not keys.get('type') or not keys.get('description'):
        fail(name, 'type and description are needed')
    one_line = lambda text: ' '.join(text.split())
    default, _, meaning = keys.get('default', '').partition(': ')
    option, _, metavar = keys.get('option', '').partition(' ')
    setting = Setting(
        name=name, type=keys['type'], description=one_line(keys['description']),
        details=[one_line(text) for text in re.split(r'\n\s*\n', keys.get('details', '')) if text.strip()],
        default=default, meaning=meaning, least=keys.get('least', ''), most=keys.get('most', ''),
        words=keys.get('words', '').split(), scope=keys.get('scope', 'user'), reader=keys.get('reader', 'library'),
        struct=keys.get('in', 'Settings'), field=keys.get('field', ''), parser=keys.get('parser', ''),
        expected=one_line(keys.get('expected', '')), option=option, metavar=metavar,
        sets=keys.get('sets', '1' if option and not metavar else ''), category=keys.get('category', ''),
        writable=keys.get('writable', ''), audience=keys.get('audience', 'user'))
    if setting.type in ('word', 'choice') and not setting.words:
        fail(name, f'type {setting.type} needs words')
    if setting.field and setting.type in ('count', 'size', 'seconds', 'choice', 'switch') and not default:
        fail(name, 'needs a default')
    if setting.category and not setting.field:
        fail(name, 'a control variable needs a field')
    return setting


def read_table(path=TABLE):
    table = configparser.ConfigParser(interpolation=None, strict=True)
    table.read_string(path.read_text(), source=str(path))
    return [read_setting(name, dict(table[name])) for name in table.sections()]


def write(path, lines):
    """Leaves a file alone that has not changed, so that nothing is compiled again."""
    text = '// Generated from src/base/settings.ini by settings.py. Do not edit.\n' + '\n'.join(lines) + '\n'
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def fields(settings):
    yield '#pragma once\n#include <atomic>\n#include <cstddef>\nnamespace thrum {'
    for struct in STRUCTS:
        yield f'struct {struct[:-1]}Fields {{'
        for s in settings:
            if s.field and s.struct == struct:
                yield f'    // {s.variable}: {s.description}\n    {s.declaration}'
        yield '};'
    yield '} // namespace thrum'


def main(out):
    out = Path(out)
    settings = read_table()
    variables = [s for s in settings if s.category]
    write(out / 'base' / 'setting_fields.h', fields(settings))
    write(out / 'base' / 'settings.inc', (s.row for s in settings))
    write(out / 'trace' / 'setting_variables.inc', (s.read_only_variable for s in variables if not s.writable))
    write(out / 'trace' / 'writable_settings.inc',
          (f'inline constexpr ControlVariable {s.name} = {{{s.control_variable}}};' for s in variables if s.writable))
    write(out / 'thrum' / 'settings_of_commands.inc', (s.row_of_info for s in settings if s.is_for_users and not s.category))


if __name__ == '__main__':
    main(*sys.argv[1:])
