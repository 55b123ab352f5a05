"""Tests the page of mpiexec --live in headless Chromium, with jobs that run.

Usage: live_page_test.py [unittest arguments], with THRUM_TREE and PYTHONPATH=tests/harness
THRUM_REPORT_PICTURES=DIRECTORY keeps the screenshots. Without chromium the tests are skipped, unless CI=true.
"""

import os
import re
import shutil
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'commands')]
from browser import Browser
from commands import CommandTest, start
from live import RING

chromium = None


def setUpModule():
    global chromium
    if not shutil.which('chromium'):
        if os.environ.get('CI') == 'true':
            raise RuntimeError('chromium is not installed; the tests of the live page need it')
        raise unittest.SkipTest('chromium is not installed')
    chromium = Browser()


def tearDownModule():
    if chromium:
        chromium.close()


class LivePage(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ring = cls.compile('ring', RING, '-g', '-O1')

    def setUp(self):
        self.stop = self.scratch / 'stop'
        self.stop.unlink(missing_ok=True)
        self.job = None

    def tearDown(self):
        self.stop.touch()
        if self.job:
            self.job.communicate(timeout=60)
        self.assertEqual(chromium.problems, [])

    def open(self, *arguments):
        self.job = start('--live', 0, *arguments)
        address = re.search(r'http://\S+', self.job.stderr.readline())[0]
        chromium.open(address)
        self.until("state && state.states.length > 0 && state.calls > 0")

    def value(self, expression):
        return chromium.value(expression)

    def until(self, condition, limit_s=20):
        end = time.monotonic() + limit_s
        while not self.value(f'Boolean({condition})'):
            self.assertLess(time.monotonic(), end, condition)
            time.sleep(0.1)

    def picture(self, name):
        if folder := os.environ.get('THRUM_REPORT_PICTURES'):
            chromium.screenshot(Path(folder, name))

    def test_it_shows_states_groups_and_rates(self):
        self.open('-n', 6, self.ring, self.stop)
        self.until("document.querySelectorAll('#groups tr').length > 0")
        self.assertEqual(self.value("document.querySelector('h1').textContent"), 'ring: 6 ranks')
        self.assertEqual(self.value('state.states.length'), 6)
        self.until("document.querySelector('#chart-messages strong').textContent !== '-'")
        self.assertIn('MPI_Recv at ring.c:', self.value("document.querySelector('#groups').textContent"))
        self.until("document.querySelector('#waits').textContent.includes('rank')")
        self.picture('live_6_ranks.png')

    def test_keys_hold_step_and_let_go(self):
        self.open('-n', 3, self.ring, self.stop)
        press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}))"
        self.assertTrue(self.value("document.querySelector('#step').disabled"))
        self.value(press % 'p')
        self.until('state.held && state.counts[4] > 0 && state.counts[3] + state.counts[4] === 3')
        before = self.value('state.messages')
        for _ in range(6):
            self.value("document.querySelector('#note').textContent = ''")
            self.value(press % 'm')
            self.until("document.querySelector('#note').textContent.startsWith('rank')")
        self.until(f'state.messages > {before}')
        self.value(press % 'u')
        self.until("document.querySelector('#queue-title').textContent.startsWith('Queues')")
        self.picture('live_held.png')
        self.value(press % 'g')
        self.until('!state.held')
        self.until(f'state.messages > {before} + 20')
        self.assertFalse(self.value("document.querySelector('#pause').disabled"))

    def test_a_rank_can_be_chosen_with_keys_and_told(self):
        self.open('-n', 6, self.ring, self.stop)
        self.value("document.querySelector('#grid').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))")
        self.value("document.querySelector('#grid').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))")
        self.until("document.querySelector('#rank').textContent.startsWith('Rank 1: ')")
        self.assertRegex(self.value("document.querySelector('#rank').textContent"), r'calls?, .* messages? sent, .* received')

    def test_the_end_of_the_job_is_shown(self):
        self.open('-n', 2, self.ring, self.stop)
        self.stop.touch()
        self.until("document.querySelector('#ended').textContent === 'the job has ended normally'")
        self.assertTrue(self.value("document.querySelector('#pause').disabled"))

    def test_ten_thousand_ranks_stay_usable(self):
        self.open('-n', 10000, self.ring, self.stop)
        self.until('state.states.length === 10000', 60)
        spent = self.value('(() => { const begin = performance.now(); show(); return performance.now() - begin; })()')
        self.assertLess(spent, 250, 'ms to draw')
        took = self.value("(async () => { const begin = performance.now(); await (await fetch('state')).json(); return performance.now() - begin; })()")
        self.assertLess(took, 2000, 'ms to ask')
        print(f'10,000 ranks: {spent:.0f} ms to draw, {took:.0f} ms to ask')
        self.picture('live_10000_ranks.png')


if __name__ == '__main__':
    unittest.main()
