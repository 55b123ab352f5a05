#!/usr/bin/env python3
"""Runs clang-tidy on the lines of src/ and cmd/ that have changed since a commit. A file in which only comments have changed is left out.

Usage: tidy.py --build BUILD [--all | --since COMMIT] [--minutes N]
--all            all lines of all files
--since COMMIT   default: $TIDY_SINCE, or 10 commits ago, or the oldest commit that the clone has
--minutes N      start no file after N minutes (default: no limit); says which files were left out
A header is checked through the file of its name, or else through the first file that includes it.

Exit code 1 and clang-tidy's messages if it complains; 77 without clang-tidy-19 or without git's history.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIDY = 'clang-tidy-19'
SKIPPED = 77
EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
CHECKED = re.compile(r'^(src|cmd)/.*(?<!_bench)(?<!_fuzz)\.(cc|h)$')
DEFAULT_COMMITS = 10


def git(*arguments):
    done = subprocess.run(['git', '-C', ROOT, *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def start_of_changes():
    """The commit DEFAULT_COMMITS before this one, or the oldest on the way there."""
    if os.environ.get('TIDY_SINCE'):
        return os.environ['TIDY_SINCE']
    commits = (git('rev-list', '--first-parent', f'--max-count={DEFAULT_COMMITS + 1}', 'HEAD') or '').split()
    return commits[-1] if commits else None


def changed_lines(since):
    """{file: [[first, last], ...]} where more than comments and white space has changed, the working tree included; None if git fails."""
    patch = git('diff', '--unified=0', '--ignore-all-space', '--ignore-blank-lines', r'--ignore-matching-lines=^\s*//', '--diff-filter=d',
                since, '--', 'src', 'cmd')
    if patch is None:
        return None
    changed, ranges = {}, []
    for name, start, count in re.findall(r'^(?:\+\+\+ b/(.*)|@@ \S+ \+(\d+)(?:,(\d+))? @@.*)$', patch, re.MULTILINE):
        if name:
            ranges = changed.setdefault(name, []) if CHECKED.match(name) else []
        elif count != '0':  # lines that are removed leave none
            ranges.append([int(start), int(start) + int(count or 1) - 1])
    return {name: lines for name, lines in changed.items() if lines}


def translation_units(names, build):
    """The files of the build that check `names`."""
    compiled = {str(Path(entry['directory'], entry['file']).resolve().relative_to(ROOT))
                for entry in json.loads((build / 'compile_commands.json').read_text())
                if Path(entry['directory'], entry['file']).resolve().is_relative_to(ROOT)}
    found = {}  # ordered, each once
    for name in names:
        if name.endswith('.h'):
            own = name[:-2] + '.cc'
            included = re.escape(re.sub('^(src|cmd/mpiexec|cmd)/', '', name))
            users = (user for user in sorted(compiled)
                     if CHECKED.match(user) and re.search(rf'^#include "{included}"', (ROOT / user).read_text(), re.MULTILINE))
            name = own if own in compiled else next(users, None)
        if name in compiled:
            found[name] = None
    return list(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=Path, required=True)
    since = parser.add_mutually_exclusive_group()
    since.add_argument('--all', action='store_const', const=EMPTY_TREE, dest='since')
    since.add_argument('--since')
    parser.add_argument('--minutes', type=float)
    arguments = parser.parse_args()
    if not shutil.which(TIDY):
        print(f'skipped: {TIDY} is not installed')
        return SKIPPED
    since = arguments.since or start_of_changes()
    changed = changed_lines(since) if since else None
    if changed is None:
        print(f'skipped: git cannot compare with {since}' if since else 'skipped: there is no history')
        return SKIPPED
    files = translation_units(changed, arguments.build)
    line_filter = [] if since == EMPTY_TREE else ['--line-filter=' + json.dumps([{'name': name, 'lines': lines} for name, lines in changed.items()])]
    end = time.monotonic() + 60 * arguments.minutes if arguments.minutes else float('inf')

    def check(name):
        """Returns (name, messages), with None for a file that was left out."""
        if time.monotonic() > end:
            return name, None
        # Some of gcc's warnings are unknown to clang, which a build with warnings as errors refuses.
        done = subprocess.run([TIDY, '--quiet', '--extra-arg=-Wno-unknown-warning-option', *line_filter, '-p', arguments.build, ROOT / name],
                              capture_output=True, text=True)
        return name, done.stdout + done.stderr if done.returncode else ''

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, files))
    wrong = [(name, text) for name, text in results if text]
    left_out = [name for name, text in results if text is None]
    for name, text in wrong:
        print(f'{name}:\n{text}')
    scope = '' if since == EMPTY_TREE else f' for what has changed since {since[:12]}'
    print(f'clang-tidy: {len(files) - len(left_out)} files checked{scope}; {len(wrong)} with complaints')
    if left_out:
        print(f'left out after {arguments.minutes:g} minutes: {" ".join(left_out)}')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
