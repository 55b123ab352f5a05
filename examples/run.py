#!/usr/bin/env python3
"""make run: factorises a matrix with 1,000 ranks, and with fewer, and draws time against ranks.

Compiles examples/cholesky.c with the project's own mpicc, runs it with mpiexec, and ends with a table
and an SVG picture in the build folder. Exit code 1 if a residual is too large or a run fails.
"""
import argparse
import math
import re
import subprocess
import sys
from pathlib import Path

RESULT = re.compile(r'ranks (\d+) order (\d+) seconds (\S+) messages (\d+) bytes (\d+) residual (\S+)')


def compile_example(bin_dir, source, program):
    if program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return
    command = [str(bin_dir / 'mpicc'), '-O3', '-march=native', str(source), '-o', str(program), '-lm']
    print('Compiling:', ' '.join(command), flush=True)
    subprocess.run(command, check=True)


def run(bin_dir, program, ranks, order):
    command = [str(bin_dir / 'mpiexec'), '-n', str(ranks), str(program), '-n', str(order), '-r', '2']
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    match = RESULT.search(done.stdout)
    if done.returncode or not match:
        sys.exit(f'{" ".join(command)} failed with exit code {done.returncode}\n{done.stdout}')
    return {'ranks': int(match[1]), 'order': int(match[2]), 'seconds': float(match[3]),
            'messages': int(match[4]), 'bytes': int(match[5]), 'residual': match[6]}


def picture(rows, path):
    """Time against ranks, both axes logarithmic, as a self-contained SVG."""
    width, height, left, right, top, bottom = 640, 400, 70, 20, 40, 50
    x_max = math.log10(max(row['ranks'] for row in rows))
    low = math.floor(math.log10(min(row['seconds'] for row in rows)))
    high = math.ceil(math.log10(max(row['seconds'] for row in rows)))
    high = max(high, low + 1)
    x = lambda ranks: left + (width - left - right) * math.log10(ranks) / x_max
    y = lambda seconds: top + (height - top - bottom) * (high - math.log10(seconds)) / (high - low)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{width / 2}" y="20" text-anchor="middle" font-size="14">Cholesky factorisation, '
           f'order {rows[0]["order"]}: time against ranks</text>']
    for power in range(low, high + 1):
        level = y(10.0 ** power)
        label = f'{10.0 ** power:g} s'
        out += [f'<line x1="{left}" y1="{level:.1f}" x2="{width - right}" y2="{level:.1f}" stroke="#ddd"/>',
                f'<text x="{left - 8}" y="{level + 4:.1f}" text-anchor="end">{label}</text>']
    for row in rows:
        out.append(f'<text x="{x(row["ranks"]):.1f}" y="{height - bottom + 18}" '
                   f'text-anchor="middle">{row["ranks"]:,}</text>')
    points = ' '.join(f'{x(row["ranks"]):.1f},{y(row["seconds"]):.1f}' for row in rows)
    out.append(f'<polyline points="{points}" fill="none" stroke="#1f77b4" stroke-width="2"/>')
    out += [f'<circle cx="{x(row["ranks"]):.1f}" cy="{y(row["seconds"]):.1f}" r="4" fill="#1f77b4">'
            f'<title>{row["ranks"]} ranks: {row["seconds"]:.4f} s</title></circle>' for row in rows]
    out += [f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">ranks '
            '(threads of one process)</text>', '</svg>']
    path.write_text('\n'.join(out) + '\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--build', type=Path, default=Path('build/release'), help='build folder')
    parser.add_argument('--order', type=int, default=2000, help='order of the matrix (default 2000)')
    parser.add_argument('--ranks', default='1,2,4,16,64,256,1000', help='numbers of ranks, comma separated')
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    source = Path(__file__).resolve().parent / 'cholesky.c'
    (build / 'examples').mkdir(exist_ok=True)
    program = build / 'examples' / 'cholesky'
    compile_example(build / 'bin', source, program)
    rows = [run(build / 'bin', program, int(ranks), arguments.order) for ranks in arguments.ranks.split(',')]
    image = build / 'examples' / 'cholesky.svg'
    picture(rows, image)
    print(f'\n{"ranks":>6} {"time":>10} {"messages":>11} {"bytes":>15} {"residual":>10}')
    for row in rows:
        print(f'{row["ranks"]:>6,} {row["seconds"]:>8.4f} s {row["messages"]:>11,} {row["bytes"]:>15,} '
              f'{row["residual"]:>10}')
    print(f'\nTime against ranks: {image}')


if __name__ == '__main__':
    main()
