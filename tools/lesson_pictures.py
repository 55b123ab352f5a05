#!/usr/bin/env python3
"""Runs the lessons of docs/teaching.md and photographs their pages into docs/pictures (make lesson-pictures).

Usage: lesson_pictures.py BUILD [LESSON...]. Needs chromium.
"""
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'tests' / 'report'))
from browser import Browser

# Without a trace a page has no timeline; then this part of it is photographed.
LESSONS = {'ring': '#path', 'deadlock': '#findings', 'halo': '#communication .matrix', 'trees': '#communication .matrix', 'imbalance': '#balance .pictured'}
# What a picture leaves out: buttons, hints and tables, which do nothing on paper.
STYLE = '.help, .hint, .buttons, .reading, details, .timeline .where { display: none !important } section { border: 0 !important }'
MARGIN = 12
RUNS = 7  # of each lesson


def run_lesson(build, name, folder):
    """Runs a lesson several times; returns the page of the shortest run, which other processes of the machine have disturbed least."""
    pages = []
    for _ in range(RUNS):
        run_once(build, name, folder)
        text = (folder / f'{name}.html').read_text()
        seconds = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])['run']['seconds']
        pages.append((seconds, text))
    page = folder / f'{name}.html'
    page.write_text(min(pages)[1])
    return page


def run_once(build, name, folder):
    environment = {key: value for key, value in os.environ.items() if not key.startswith('THRUM_')}
    subprocess.run([build / 'bin' / 'thrum', 'demo', '--no-open', name], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def photograph(browser, page, part, picture):
    browser.open(page, width=1000, height=900)
    browser.value(f'document.head.append(element("style", {{}}, {STYLE!r}))')
    browser.value('new Promise((done) => setTimeout(done, 200))')
    if browser.value('!!document.querySelector("#timeline .timeline")'):
        part = '#timeline .legend, #timeline .timeline'
    left, top, width, height = browser.value(
        f"""(() => {{
        const boxes = [...document.querySelectorAll({part!r})].map((node) => node.getBoundingClientRect());
        const [left, top] = ['left', 'top'].map((edge) => Math.min(...boxes.map((box) => box[edge])));
        const [right, bottom] = ['right', 'bottom'].map((edge) => Math.max(...boxes.map((box) => box[edge])));
        return [left, top + scrollY, right - left, bottom - top];
        }})()"""
    )
    clip = {'x': left - MARGIN, 'y': top - MARGIN, 'width': width + 2 * MARGIN, 'height': height + 2 * MARGIN, 'scale': 1}
    shot = browser.call('Page.captureScreenshot', format='png', captureBeyondViewport=True, clip=clip)
    picture.write_bytes(base64.b64decode(shot['data']))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, names = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(LESSONS)
    if unknown := set(names) - set(LESSONS):
        sys.exit(f'lesson_pictures.py: unknown lesson {min(unknown)}')
    browser = Browser()
    try:
        for name in names:
            with tempfile.TemporaryDirectory(prefix='thrum-lesson-') as folder:
                picture = ROOT / 'docs' / 'pictures' / f'lesson_{name}.png'
                photograph(browser, run_lesson(build, name, Path(folder)), LESSONS[name], picture)
                print(f'Made {picture.relative_to(ROOT)}')
    finally:
        browser.close()


if __name__ == '__main__':
    main()
