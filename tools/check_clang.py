#!/usr/bin/env python3
"""Has Clang read src/ and cmd/ without generating code: its warnings are errors, and MAY_SUSPEND (src/base/may_suspend.h) is checked.

Clang's thread-safety analysis finds a function without the mark that calls one with it, and a call of a marked function with a
LockGuard alive. By the text of the sources, a virtual function without the mark that has the name of a marked override is found.
Tests, benches and fuzz targets are left out. The build folder gives the list of files; its generated headers must exist.

Usage: check_clang.py --build BUILD [--instead DIR] [FILE...]
FILE...   check only these, relative to the project
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

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / 'src'
COMPILER = 'clang++-19'
SKIPPED = 77
CHECKED = re.compile(r'^(src|cmd)/.*(?<!_test)(?<!_bench)(?<!_fuzz)\.cc$')
MARKED_OVERRIDE = re.compile(r'(\w+)\([^;{}()]*\)(?: const)? (?:override MAY_SUSPEND|MAY_SUSPEND override)')
VIRTUAL = re.compile(r'\bvirtual\b[^;{}()]*\b(\w+)\([^;{}()]*\)[^;{}]*')
# The options of the build that decide what the compiler sees and says, whichever compiler it is for.
KEPT = re.compile(r'-(I|D|std=|isystem$|fno-exceptions$|fno-rtti$|W(?!shadow|invalid-pch))')
OPTIONS = ['-fsyntax-only', '-Werror', '-Wthread-safety', '-Wno-unknown-warning-option', '-Wno-deprecated-declarations',
           '-ferror-limit=0', '-fno-color-diagnostics']
# Options that precompiled headers and the files that include them must have in common.
OF_LANGUAGE = re.compile(r'-(f|std=)')
# Read once for all files with the same options of the language: most of the time.
STANDARD = '''algorithm array atomic cerrno cstdint cstdio cstdlib cstring filesystem fstream functional map memory mutex new
optional set span sstream string utility vector pthread.h sched.h sys/mman.h sys/syscall.h unistd.h'''.split()


def commands(build):
    """Returns {file: options} of the files to be checked."""
    found = {}
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        path = Path(entry['directory'], entry['file']).resolve()
        if not path.is_relative_to(ROOT) or not CHECKED.match(str(path.relative_to(ROOT))):
            continue
        words = shlex.split(entry['command'])
        found.setdefault(path, [word for before, word in zip(words, words[1:]) if KEPT.match(word) or before == '-isystem'])
    return found


def language_of(options):
    return tuple(sorted({word for word in options if OF_LANGUAGE.match(word)}))


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


def precompile(language, folder):
    text = Path(tempfile.mkdtemp(dir=folder), 'standard.h')
    header = text.with_suffix('.pch')
    text.write_text(''.join(f'#include <{name}>\n' for name in STANDARD))
    subprocess.run([COMPILER, *language, '-x', 'c++-header', str(text), '-o', str(header)], check=True)
    return str(header)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--instead')
    parser.add_argument('files', nargs='*')
    arguments = parser.parse_args()
    if not shutil.which(COMPILER):
        print(f'skipped: {COMPILER} is not installed (apt install clang-19)')
        return SKIPPED
    files = commands(arguments.build)
    if not files:
        sys.exit(f'{arguments.build} has no commands for files of {ROOT}: configure it first')
    if arguments.files:
        files = {ROOT / name: files[ROOT / name] for name in arguments.files}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        languages = set(map(language_of, files.values()))
        headers = dict(zip(languages, pool.map(lambda one: precompile(one, folder), languages)))
        results = list(pool.map(lambda one: check(*one, headers[language_of(one[1])], arguments.instead), files.items()))
    # A fault in a header is found by all that include it: each message once.
    messages = dict.fromkeys(text for code, text in results if code)
    if not arguments.files:
        messages.update(dict.fromkeys(unmarked_virtual_functions()))
    print('\n'.join(messages) if messages else f'{len(files)} files: Clang has nothing to complain about')
    return 1 if messages else 0


if __name__ == '__main__':
    sys.exit(main())
