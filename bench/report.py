"""Turns the benchmark's results into Markdown tables and self-contained SVG plots."""
import math
import os
import platform
import re
import subprocess
from pathlib import Path

COLOURS = ('#1f77b4', '#2ca02c', '#d62728', '#ff9896', '#9467bd', '#c5b0d5', '#8c564b', '#c49c94', '#7f7f7f')


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
    """What was measured on; nothing that names the machine."""
    info = Path('/proc/cpuinfo').read_text()
    model = re.search(r'^model name\s*: (.*)$', info, re.M)
    memory = int(re.search(r'MemTotal:\s+(\d+)', Path('/proc/meminfo').read_text())[1]) / (1 << 20)
    virtual = ', in a virtual machine' if re.search(r'^flags.*\bhypervisor\b', info, re.M) else ''
    compiler = subprocess.run(['gcc', '-dumpfullversion'], capture_output=True, text=True).stdout.strip()
    return (f'{model[1] if model else platform.machine()}{virtual}: {len(os.sched_getaffinity(0))} usable '
            f'cores, {memory:.0f} GiB; Linux {platform.release().split("-")[0]}, GCC {compiler}')


def plot(path, title, y_label, series, x_label='ranks'):
    """series: {name: [(x, y), ...]}; both axes logarithmic."""
    series = {name: points for name, points in series.items() if points}
    if not series:
        return
    width, height, left, right, top, bottom = 730, 420, 90, 180, 40, 50
    xs = sorted({x for points in series.values() for x, _ in points})
    ys = [y for points in series.values() for _, y in points]
    x_low, x_high = math.log2(xs[0]), max(math.log2(xs[-1]), math.log2(xs[0]) + 1)
    low = math.floor(math.log10(min(ys)))
    high = max(math.ceil(math.log10(max(ys))), low + 1)
    across = lambda x: left + (width - left - right) * (math.log2(x) - x_low) / (x_high - x_low)
    down = lambda y: top + (height - top - bottom) * (high - math.log10(y)) / (high - low)
    out = frame(width, height, left, right, title, y_label, low, high, down)
    out += [f'<text x="{across(x):.1f}" y="{height - bottom + 18}" text-anchor="middle">{x:,}</text>'
            for x in xs]
    for i, (name, points) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        places = ' '.join(f'{across(x):.1f},{down(y):.1f}' for x, y in points)
        out.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="3.5" fill="{colour}"/>'
                for x, y in points]
        out.append(f'<text x="{width - right + 12}" y="{top + 16 * i + 12}" fill="{colour}">{name}</text>')
    out += [f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">{x_label}</text>',
            '</svg>']
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('\n'.join(out) + '\n')


def bars(path, title, groups, series):
    """series: {name: [value or None for each of the groups]}, times; the axis is logarithmic."""
    values = [v for column in series.values() for v in column if v]
    if not values:
        return
    width, height, left, right, top, bottom = 180 + 130 * len(groups), 420, 80, 170, 40, 40
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    down = lambda y: top + (height - top - bottom) * (high - math.log10(y)) / (high - low)
    out = frame(width, height, left, right, title, 'time', low, high, down)
    room = (width - left - right) / len(groups)
    bar = room * 0.85 / len(series)
    for k, (name, column) in enumerate(series.items()):
        colour = COLOURS[k % len(COLOURS)]
        out += [f'<rect x="{left + room * i + bar * k:.1f}" y="{down(value):.1f}" width="{bar:.1f}" '
                f'height="{height - bottom - down(value):.1f}" fill="{colour}"/>'
                for i, value in enumerate(column) if value]
        out.append(f'<text x="{width - right + 12}" y="{top + 16 * k + 12}" fill="{colour}">{name}</text>')
    out += [f'<text x="{left + room * (i + 0.42):.1f}" y="{height - bottom + 18}" text-anchor="middle">{name}</text>'
            for i, name in enumerate(groups)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('\n'.join(out + ['</svg>']) + '\n')


def frame(width, height, left, right, title, kind, low, high, down):
    """How a picture begins: its title, and a line for each power of ten."""
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="22" font-size="14">{title}</text>']
    for power in range(low, high + 1):
        out += [f'<line x1="{left}" y1="{down(10.0 ** power):.1f}" x2="{width - right}" '
                f'y2="{down(10.0 ** power):.1f}" stroke="#ddd"/>',
                f'<text x="{left - 8}" y="{down(10.0 ** power) + 4:.1f}" text-anchor="end">'
                f'{axis_label(10.0 ** power, kind)}</text>']
    return out


def axis_label(value, kind):
    if kind == 'time':
        unit, scale = next(((u, s) for u, s in (('s', 1), ('ms', 1e-3), ('us', 1e-6)) if value >= s * 0.99),
                           ('ns', 1e-9))
        return f'{value / scale:,.0f} {unit}'
    return f'{value:,.0f} {kind}' if value >= 1 else f'{value:g} {kind}'


def replace_section(text, name, body):
    """Puts `body` between the markers of section `name`."""
    begin, end = f'<!-- begin {name} -->', f'<!-- end {name} -->'
    if begin not in text or end not in text:
        raise SystemExit(f'the page has no section {name}: the lines {begin} and {end} are missing')
    head, rest = text.split(begin, 1)
    return head + begin + '\n' + body + '\n' + end + rest.split(end, 1)[1]
