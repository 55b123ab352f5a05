#!/usr/bin/env python3
"""Checks the house rules that a machine can: sizes of lines, functions, files and table cells, foreign paths, types of the library
with one name.

Usage: check_style.py [ROOT]   Exit code 1 and one line per offence.
Looks at the files that git knows, or at all files if there is no git.
"""
import re
import subprocess
import sys
from pathlib import Path

COLUMNS_MAX = 100
FUNCTION_LINES_MAX = 70
FILE_LINES_MAX = 800
CELL_CHARACTERS_MAX = 300
SOURCES = ('.h', '.cc', '.c', '.S')
TEXTS = SOURCES + ('.py', '.sh', '.md', '.txt', '.cmake', '.in', '.api', '')
# Directories of a developer's own machine, which mean nothing to others.
HOST_PATH = re.compile(r'(?<![\w.])/(work|home/\w+|root|Users)/')
# The first line of a definition at the outermost level or in a class; namespaces and the like do not count.
OPENING = re.compile(r'^(\s*)(?!namespace|class|struct|union|enum|extern|using|constexpr \w+ \w+\[|\}|#)\S.*\)[^;={]*\{$')


def files(root):
    listing = subprocess.run(['git', '-C', root, 'ls-files', '-co', '--exclude-standard'], capture_output=True, text=True)
    names = listing.stdout.split('\n') if listing.returncode == 0 else [
        str(path.relative_to(root)) for path in root.rglob('*') if 'build' not in path.parts]
    for name in sorted(filter(None, names)):
        path = root / name
        if path.is_file() and path.suffix in TEXTS and path.name not in ('LICENSE', Path(__file__).name):
            yield name, path


def function_lengths(lines):
    """Yields (first line number, lines) for each function: from its opening to the brace in its column."""
    number = 0
    while number < len(lines):
        match = OPENING.match(lines[number])
        if not match or re.match(r'\s*(if|for|while|switch|else|do)\b', lines[number]):
            number += 1
            continue
        end = next((i for i in range(number, len(lines)) if re.match(match[1] + r'\}', lines[i])), number)
        yield number + 1, end - number + 1
        number = end + 1


def long_cells(lines):
    """Yields (line number, characters) for each cell of a Markdown table that is too long to read."""
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= line.lstrip().startswith('```')
        if line.startswith('|') and not fenced:
            for cell in re.split(r'(?<!\\)\|', line):
                if len(cell.strip()) > CELL_CHARACTERS_MAX:
                    yield number, len(cell.strip())


def types(lines):
    """Yields the full name of each type that the lines define, unless only they can name it."""
    spaces = []
    for line in lines:
        if match := re.match(r'namespace\s*([\w:]*)\s*\{', line):
            spaces.append(match[1])
        elif line.startswith('} // namespace') and spaces:
            spaces.pop()
        elif (match := re.match(r'(?:struct|class|union|enum(?: class)?) (?:alignas\(\w+\) )?([\w:]+)[^;(/]*\{', line)) and '' not in spaces:
            yield '::'.join(spaces + [match[1]])


def offences(root):
    defined = {}
    for name, path in files(root):
        try:
            lines = path.read_text().split('\n')
        except UnicodeDecodeError:
            continue
        if path.suffix in SOURCES and len(lines) > FILE_LINES_MAX:
            yield f'{name}: {len(lines)} lines; split it (at most {FILE_LINES_MAX})'
        for number, line in enumerate(lines, 1):
            if HOST_PATH.search(line):
                yield f'{name}:{number}: path of one machine: {HOST_PATH.search(line)[0]}'
            if path.suffix in SOURCES and len(line) > COLUMNS_MAX + 20:
                yield f'{name}:{number}: {len(line)} columns (aim at {COLUMNS_MAX}, never over {COLUMNS_MAX + 20})'
        if name.startswith('src/') and path.suffix in ('.cc', '.h'):
            for type_name in types(lines):
                first = defined.setdefault(type_name, name)
                if first != name: # their inline members would be one function
                    yield f'{name}: {type_name} is another type in {first}; give one of them its own name'
        if path.suffix == '.md':
            for number, length in long_cells(lines):
                yield (f'{name}:{number}: table cell of {length} characters (at most {CELL_CHARACTERS_MAX}); '
                       'move the details into a section below the table')
        if path.suffix in ('.cc', '.h', '.c'):
            for number, length in function_lengths(lines):
                if length > FUNCTION_LINES_MAX:
                    yield f'{name}:{number}: function of {length} lines (at most {FUNCTION_LINES_MAX})'


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    errors = list(offences(root))
    print('\n'.join(errors) if errors else 'style: nothing to complain about')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
