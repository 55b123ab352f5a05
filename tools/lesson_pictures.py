#!/usr/bin/env python3
"""Runs the lessons of docs/teaching.md and photographs their pages into docs/pictures (make lesson-pictures).

Usage: lesson_pictures.py BUILD [LESSON...]. Needs chromium.
"""
import base64
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'tests' / 'report'))
from browser import Browser

LESSONS = sorted(path.stem for path in (ROOT / 'examples' / 'lessons').glob('*.c'))
PART = '#timeline .legend, #timeline .timeline'  # of the page
# What a picture leaves out: buttons and hints, which do nothing on paper.
STYLE = '.help, .hint, .buttons, .reading, .timeline .where { display: none !important }'
MARGIN = 12
RUNS = 7  # of each lesson


def run_lesson(build, name, folder):
    environment = {key: value for key, value in os.environ.items() if not key.startswith('THRUM_')}
    subprocess.run([build / 'bin' / 'thrum', 'demo', '--no-open', name], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return folder / f'{name}.html'


def shortest_run(build, browser, name, folder):
    """Runs a lesson several times; returns the page of the shortest run, which other processes of the machine have disturbed least."""
    pages = []
    for run in range(RUNS):
        page = run_lesson(build, name, folder).rename(folder / f'{run}.html')
        browser.open(page)
        pages.append((browser.value('JSON.parse(document.getElementById("data").textContent).run.seconds'), page))
    return min(pages)[1]


def photograph(browser, page, picture):
    browser.open(page, width=1000, height=900)
    browser.value(f'document.head.append(element("style", {{}}, {STYLE!r}))')
    browser.value('new Promise((done) => setTimeout(done, 200))')
    left, top, width, height = browser.value(
        f"""(() => {{
        const boxes = [...document.querySelectorAll({PART!r})].map((node) => node.getBoundingClientRect());
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
    build, names = Path(sys.argv[1]).resolve(), sys.argv[2:] or LESSONS
    if unknown := set(names) - set(LESSONS):
        sys.exit(f'lesson_pictures.py: unknown lesson {min(unknown)}')
    browser = Browser()
    try:
        for name in names:
            with tempfile.TemporaryDirectory(prefix='thrum-lesson-') as folder:
                picture = ROOT / 'docs' / 'pictures' / f'lesson_{name}.png'
                photograph(browser, shortest_run(build, browser, name, Path(folder)), picture)
                print(f'Made {picture.relative_to(ROOT)}')
    finally:
        browser.close()


if __name__ == '__main__':
    main()
