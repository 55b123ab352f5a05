#!/usr/bin/env python3
"""Writes the man pages: fills the table of settings (src/base/settings.ini) into the pages x.1.in.

A line "@OPTION stack@" becomes the entry of the setting's option, "@VARIABLE cc@" that of its variable, and
"@VARIABLES@" the entries of all variables that the library and mpiexec read. Other lines stay as they are.
Usage: generate.py IN OUT
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'src' / 'base'))
from settings import fail, read_table  # noqa: E402

BOLD = re.compile(r'(?<![\w$-])(--?[a-z][\w-]*|[A-Z]+_[A-Z_0-9]+)(?![\w-])')


def escaped(text):
    return text.replace('\\', '\\e').replace('-', '\\-')


def paragraph(text):
    """Running text, with options and variables in bold."""
    parts = BOLD.split(text)
    text = ''.join(f'\\fB{escaped(part)}\\fR' if i % 2 else escaped(part) for i, part in enumerate(parts))
    return '\\&' + text if text.startswith(('.', "'")) else text


def body(setting):
    yield paragraph(setting.description)
    for i, details in enumerate(setting.details):
        yield ('.br\n' if i else '') + paragraph(details)
    if setting.default_text != 'not set' and not (setting.option and setting.type == 'switch'):
        yield paragraph(f'Default: {setting.default_text}.')


def option(setting):
    name = escaped(setting.option)
    yield f'.TP\n.BR {name} " \\fI{setting.metavar}\\fR"' if setting.metavar else f'.TP\n.B {name}'
    yield from body(setting)


def variable(setting):
    yield f'.TP\n.B {setting.variable}'
    if not setting.option:
        yield from body(setting)
    elif setting.metavar:
        yield f'The default of\n.BR {escaped(setting.option)} .'
    else:
        value = '1' if setting.sets == '1' else 'NAME'
        yield f'{value}: the same as\n.BR {escaped(setting.option)} .'


def fill_in(line, settings):
    match = re.fullmatch(r'@(OPTION|VARIABLE|VARIABLES)(?: (\w+))?@', line)
    if not match:
        return [line]
    kind, name = match.groups()
    if kind == 'VARIABLES':
        return [text for s in settings.values() if s.is_for_users and s.reader != 'wrapper' for text in variable(s)]
    if name not in settings:
        fail(name, f'the page has "{line}", but there is no such setting')
    return option(settings[name]) if kind == 'OPTION' else variable(settings[name])


def main(page, out):
    settings = {setting.name: setting for setting in read_table()}
    lines = [text for line in Path(page).read_text().splitlines() for text in fill_in(line, settings)]
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    Path(out).write_text('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
