#!/usr/bin/env python3
"""Assembles the page of a report: the skeleton with the style and the scripts, as one file.

Usage: assemble.py -o TEMPLATE                   the template; one marker for the data is left in it
       assemble.py --data REPORT.json -o PAGE    a finished page
"""
import argparse
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
DATA = '/*DATA*/'
# The order matters only for constants: functions of later files may be called from earlier ones.
SCRIPTS = ('format', 'elements', 'definitions', 'help', 'figures', 'table', 'search', 'theme', 'chart', 'rank_chart',
           'bin_chart', 'matrix_data', 'matrix_picture', 'matrix', 'timeline_data', 'timeline_picture',
           'timeline_arrows', 'timeline', 'timeline_section', 'time_sections', 'balance_sections',
           'wait_sections', 'traffic_sections', 'summary', 'comparison', 'main')


def template():
    """Returns the page with a marker where the JSON object belongs."""
    page = (FOLDER / 'page.html').read_text()
    style = (FOLDER / 'style.css').read_text()
    script = '\n'.join((FOLDER / 'script' / f'{name}.js').read_text() for name in SCRIPTS)
    for part, end in ((style, '</style'), (script, '</script'), (style + script, DATA)):
        if end in part:
            sys.exit(f'assemble.py: {end} in the style or in a script would end or split the page')
    return page.replace('/*STYLE*/', style).replace('/*SCRIPT*/', script)


def with_data(page, json_text):
    """Puts the JSON into the page. A < occurs in strings only, where the escape means the same and ends no element."""
    before, after = page.split(DATA)
    return before + json_text.replace('<', '\\u003c') + after


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--data', type=Path, help='a report, or two to compare, as JSON')
    parser.add_argument('-o', '--output', type=Path, required=True)
    arguments = parser.parse_args()
    page = template()
    if arguments.data:
        page = with_data(page, arguments.data.read_text())
    arguments.output.write_text(page)


if __name__ == '__main__':
    main()
