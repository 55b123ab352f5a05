#!/usr/bin/env python3
"""Checks MAY_SUSPEND (src/base/may_suspend.h) in src/ as `make check` does, without generating code, and virtual functions.

Finds, with Clang's thread-safety analysis, a function without the mark that calls one with it, and a call of a marked function
with a LockGuard alive; and, by the text of the sources, a virtual function without the mark that has the name of a marked
override. Tests, benches and fuzz targets are left out. The build folder gives the list of files; its generated headers must exist.

Usage: check_suspension.py [--build BUILD [--instead DIR] [FILE...]]
--build BUILD   without it, only virtual functions are checked, which `make check` cannot do
FILE...   check only these, relative to src/
--instead DIR   headers in DIR, under the names that they have in src/, replace those of src/

Exit code 1 and the compiler's messages if there are errors, 77 without clang++-19.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / 'src'
COMPILER = 'clang++-19'
SKIPPED = 77
UNCHECKED = re.compile(r'_(test|bench|fuzz)\.cc$')
MARKED_OVERRIDE = re.compile(r'(\w+)\([^;{}()]*\)(?: const)? (?:override MAY_SUSPEND|MAY_SUSPEND override)')
VIRTUAL = re.compile(r'\bvirtual\b[^;{}()]*\b(\w+)\([^;{}()]*\)[^;{}]*')
# The options of the build that decide what the compiler sees; equal for all, so that one header serves all.
KEPT = re.compile(r'-(I|D|std=|isystem)')
OPTIONS = ['-fno-exceptions', '-fno-rtti', '-fsyntax-only', '-Wno-everything', '-Wthread-safety',
           '-Werror=thread-safety', '-ferror-limit=0', '-fno-color-diagnostics']
# Read once for all files: two thirds of the time.
STANDARD = '''algorithm array atomic cerrno cstdint cstdio cstdlib cstring functional map memory mutex new optional span
string utility vector pthread.h sched.h sys/mman.h sys/syscall.h unistd.h'''.split()


def commands(build):
    """Returns {file: options} of the files to be checked."""
    found = {}
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        path = Path(entry['directory'], entry['file']).resolve()
        if path.suffix != '.cc' or not path.is_relative_to(SRC) or UNCHECKED.search(path.name):
            continue
        words = shlex.split(entry['command'])
        options = [word for word in words if KEPT.match(word)]
        options += ['-isystem' + after for word, after in zip(words, words[1:]) if word == '-isystem']
        found.setdefault(path, [word for word in options if word != '-isystem'])
    return found


def unmarked_virtual_functions():
    """Yields a message for each; the compiler does not compare a function with what it overrides."""
    texts = {path: path.read_text() for path in sorted(SRC.rglob('*')) if path.suffix in ('.h', '.cc')}
    marked = {name for text in texts.values() for name in MARKED_OVERRIDE.findall(text)}
    for path, text in texts.items():
        for found in VIRTUAL.finditer(text):
            if found[1] in marked and 'MAY_SUSPEND' not in found[0]:
                line = text.count('\n', 0, found.start()) + 1
                yield f'{path}:{line}: error: {found[1]}() has an override with MAY_SUSPEND, and is not marked itself'


def check(path, options, header, instead):
    replaced = [f'-I{instead}'] if instead else []
    done = subprocess.run([COMPILER, *replaced, *options, *OPTIONS, '-include-pch', header, str(path)],
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def precompile(folder):
    text, header = Path(folder, 'standard.h'), Path(folder, 'standard.pch')
    text.write_text(''.join(f'#include <{name}>\n' for name in STANDARD))
    subprocess.run([COMPILER, '-std=c++20', '-fno-exceptions', '-fno-rtti', '-x', 'c++-header', str(text), '-o',
                    str(header)], check=True)
    return str(header)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=Path)
    parser.add_argument('--instead')
    parser.add_argument('files', nargs='*')
    arguments = parser.parse_args()
    if not arguments.build:
        messages = list(unmarked_virtual_functions())
        print('\n'.join(messages) if messages else 'virtual functions that may suspend are marked')
        return 1 if messages else 0
    if not shutil.which(COMPILER):
        print(f'skipped: {COMPILER} is not installed (apt install clang-19)')
        return SKIPPED
    files = commands(arguments.build)
    if arguments.files:
        files = {SRC / name: files[SRC / name] for name in arguments.files}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        header = precompile(folder)
        results = list(pool.map(lambda one: check(*one, header, arguments.instead), files.items()))
    # A fault in a header is found by all that include it: each message once.
    messages = dict.fromkeys(text for code, text in results if code)
    if not arguments.files:
        messages.update(dict.fromkeys(unmarked_virtual_functions()))
    print('\n'.join(messages) if messages else f'{len(files)} files: what may suspend is marked')
    return 1 if messages else 0


if __name__ == '__main__':
    sys.exit(main())
