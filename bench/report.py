"""Turns the benchmark's results into Markdown tables."""
import math
import os
import platform
import re
import subprocess
from pathlib import Path


def duration(seconds):
    """Three significant digits in a unit that suits."""
    if seconds is None:
        return '-'
    for unit, scale in (('s', 1), ('ms', 1e-3), ('us', 1e-6)):
        if seconds >= scale:
            return f'{digits(seconds / scale)} {unit}'
    return f'{digits(seconds * 1e9)} ns'


def digits(value):
    if value <= 0:
        return '0'
    return f'{value:,.{max(0, 2 - math.floor(math.log10(value)))}f}'


def size(size_bytes):
    for unit, scale in (('MiB', 1 << 20), ('KiB', 1 << 10)):
        if size_bytes >= scale:
            return f'{digits(size_bytes / scale) if size_bytes % scale else size_bytes // scale} {unit}'
    return f'{size_bytes:.0f} B'


def ratio(value, reference):
    return f'{digits(value / reference)}x' if value and reference else '-'


def table(head, rows):
    """Markdown whose columns are aligned, so that it reads well on a terminal, too."""
    cells = [head] + rows
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    line = lambda row: '| ' + ' | '.join(
        text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths))) + ' |'
    rule = '|' + '|'.join('-' * (w + 2) if i == 0 else '-' * (w + 1) + ':'
                          for i, w in enumerate(widths)) + '|'
    return '\n'.join([line(head), rule] + [line(row) for row in rows])


def machine():
    """Describes the machine without naming it."""
    info = Path('/proc/cpuinfo').read_text()
    model = re.search(r'^model name\s*: (.*)$', info, re.M)
    memory = int(re.search(r'MemTotal:\s+(\d+)', Path('/proc/meminfo').read_text())[1]) / (1 << 20)
    virtual = ', in a virtual machine' if re.search(r'^flags.*\bhypervisor\b', info, re.M) else ''
    compiler = subprocess.run(['gcc', '-dumpfullversion'], capture_output=True, text=True).stdout.strip()
    return (f'{model[1] if model else platform.machine()}{virtual}: {len(os.sched_getaffinity(0))} usable '
            f'cores, {memory:.0f} GiB; Linux {platform.release().split("-")[0]}, GCC {compiler}')


DOCS = Path(__file__).resolve().parent.parent / 'docs'


def write_sections(sections, folder=DOCS):
    """Puts each text between the markers of its section, wherever in docs or docs/performance that is, and writes these pages
    into the same place in `folder`. Returns their paths."""
    left, written = set(sections), []
    for page in sorted([*DOCS.glob('*.md'), *(DOCS / 'performance').glob('*.md')]):
        text = page.read_text()
        own = {name: body for name, body in sections.items() if f'<!-- begin {name} -->' in text}
        if own:
            left -= set(own)
            written.append(write_page(page, own, folder))
    if left:
        raise SystemExit(f'no page of docs has the section {", ".join(sorted(left))}')
    return written


def write_page(page, sections, folder=DOCS):
    """The same for a page that has all of the sections. Returns its path."""
    text = page.read_text()
    for name, body in sections.items():
        text = replace_section(text, name, body)
    written = folder / page.relative_to(DOCS)
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(text)
    return written


def replace_section(text, name, body):
    """Puts `body` between the markers of section `name`."""
    begin, end = f'<!-- begin {name} -->', f'<!-- end {name} -->'
    if begin not in text or end not in text:
        raise SystemExit(f'the page has no section {name}: the lines {begin} and {end} are missing')
    head, rest = text.split(begin, 1)
    return head + begin + '\n' + body + '\n' + end + rest.split(end, 1)[1]
