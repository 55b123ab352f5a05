#!/usr/bin/env python3
"""Checks that every memory order stronger than relaxed names its partner, in src/, cmd/ and compiler/.

A label is `[name-N]`. Both sides of a pair carry the same label, and may be in different files:

    // release [stop-1]: workers see what the caller has written.
    stopping_.store(true, std::memory_order_release);
    ...
    return stopping_.load(std::memory_order_acquire); // acquire [stop-1]

An order is `memory_order_acquire`, `release`, `acq_rel`, `seq_cst` or `consume`, also as `memory_order::x` or
`__ATOMIC_X`, and also where it is passed on as an argument. Signal fences are none: they order nothing between
threads. Tests, benches and fuzz targets are left out.

- The label is in a comment on the order's own line. If that line has none, it is in a comment on another line of the
  statement (which ends with `;`, `{` or `}`), or in the comment lines directly above the statement.
- Each label occurs at an acquire and at a release. acq_rel and seq_cst are both.
- Each label occurs at two statements at least. A single one suffices only if it has a read-modify-write with acq_rel
  or seq_cst, whose executions pair with each other: the last owner of a counted object sees what the others have done.
- A label written in any other comment, or in a README.md, is one that some order carries.

Usage: check_orders.py [--labels] [ROOT]   Exit code 1 and one line per offence. --labels lists all labels instead.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

FOLDERS = ('src', 'cmd', 'compiler')
ORDER = re.compile(r'memory_order(?:_|::)(acquire|release|acq_rel|seq_cst|consume)\b|'
                   r'__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST|CONSUME)\b')
FENCE_OF_SIGNALS = re.compile(r'atomic_signal_fence\s*\(')
UPDATE = re.compile(r'\b(fetch_\w+|exchange|compare_exchange_\w+)\s*\(')
LABEL = re.compile(r'\[([a-z][a-z0-9-]*-[0-9]+)\]')
UNCHECKED = re.compile(r'_(test|bench|fuzz)\.')
COMMENT = re.compile(r'//(.*)$')
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"')


class Line:
    """A line of source, split into code and comment."""

    def __init__(self, text):
        text = LITERAL.sub('""', text)
        comment = COMMENT.search(text)
        self.labels = LABEL.findall(comment.group(1)) if comment else []
        self.code = (text[:comment.start()] if comment else text).strip()
        self.is_comment = bool(comment) and not self.code
        self.orders = [(a or b).lower() for a, b in ORDER.findall(self.code)]
        if FENCE_OF_SIGNALS.search(self.code):
            self.orders = []


def ends_statement(line):
    return not line.code or line.code.startswith('#') or line.code[-1] in ';{}:'


def statement_of(lines, at):
    """Returns the numbers of the first and of the last line of the statement that line `at` belongs to."""
    first = last = at
    while first > 0 and not ends_statement(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and not ends_statement(lines[last]):
        last += 1
    return first, last


def labels_at(lines, at):
    """Returns the labels of the order in line `at`, and the lines of comment that they were found in."""
    if lines[at].labels:
        return lines[at].labels, [at]
    first, last = statement_of(lines, at)
    found = list(range(first, last + 1))
    while first > 0 and lines[first - 1].is_comment:
        first -= 1
        found.append(first)
    return [label for i in found for label in lines[i].labels], found


class Places:
    """Where a label occurs."""

    def __init__(self):
        self.acquires, self.releases, self.pairs_with_itself = [], [], False

    def add(self, place, order, is_update):
        if order != 'release':
            self.acquires.append(place)
        if order not in ('acquire', 'consume'):
            self.releases.append(place)
        self.pairs_with_itself |= is_update and order in ('acq_rel', 'seq_cst')

    def fault(self):
        if not self.releases:
            return f'{self.acquires[0]}: acquires, and no release has this label'
        if not self.acquires:
            return f'{self.releases[0]}: releases, and no acquire has this label'
        if len(set(self.acquires + self.releases)) == 1 and not self.pairs_with_itself:
            return f'{self.acquires[0]}: no other order has this label'
        return None


def check(root):
    """Returns ({label: Places}, errors)."""
    labels, mentions, errors = defaultdict(Places), [], []
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob('*') if path.suffix in ('.h', '.cc'))
    for path in files:
        name = str(path.relative_to(root))
        if UNCHECKED.search(name):
            continue
        lines = [Line(text) for text in path.read_text().splitlines()]
        used = set()
        for at, line in enumerate(lines):
            for order in line.orders:
                found, where = labels_at(lines, at)
                used.update(where)
                first, last = statement_of(lines, at)
                is_update = any(UPDATE.search(line.code) for line in lines[first:last + 1])
                for label in found:
                    labels[label].add(f'{name}:{first + 1}', order, is_update)
                if not found:
                    errors.append(f'{name}:{at + 1}: {order} has no label; write [name-N] in a comment beside it')
        mentions += [(label, f'{name}:{at + 1}') for at, line in enumerate(lines) if at not in used
                     for label in line.labels]
    for path in sorted((root / 'src').rglob('README.md')):
        mentions += [(label, path.relative_to(root)) for label in LABEL.findall(path.read_text())]
    errors += [f'{place}: [{label}] is the label of no order' for label, place in mentions if label not in labels]
    errors += [f'{places.fault()}: [{label}]' for label, places in sorted(labels.items()) if places.fault()]
    return labels, errors


def main():
    arguments = sys.argv[1:]
    lists = '--labels' in arguments
    roots = [a for a in arguments if not a.startswith('--')]
    labels, errors = check(Path(roots[0] if roots else Path(__file__).parent.parent))
    if lists:
        for label, places in sorted(labels.items()):
            print(f'[{label}]\n    acquire: {", ".join(sorted(set(places.acquires)))}\n'
                  f'    release: {", ".join(sorted(set(places.releases)))}')
        return 0
    print('\n'.join(errors) if errors else f'{len(labels)} labels, each with an acquire and a release')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
