"""Tests the page of mpiexec --report in headless Chromium, with synthetic data.

Usage: page_test.py [unittest arguments]
THRUM_REPORT_PICTURES=DIRECTORY keeps the screenshots. Without chromium the tests are skipped, unless CI=true.
"""

import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / 'cmd' / 'report' / 'page'
sys.path[:0] = [str(HERE), str(PAGE)]
import assemble
import synthetic
from browser import Browser

SIZES = ('8', '512', '10000')
SHIFT = 8
chromium = folder = pictures = None


def setUpModule():
    global chromium, folder, pictures
    if not shutil.which('chromium'):
        if os.environ.get('CI') == 'true':
            raise RuntimeError('chromium is not installed; the tests of the report page need it')
        raise unittest.SkipTest('chromium is not installed')
    folder = Path(tempfile.mkdtemp(prefix='thrum-report-'))
    pictures = Path(os.environ.get('THRUM_REPORT_PICTURES', folder))
    pictures.mkdir(exist_ok=True)
    chromium = Browser()


def tearDownModule():
    if chromium:
        chromium.close()
        shutil.rmtree(folder)


# What the page should print, written independently of its scripts.


def three_digits(value):
    """Formats a number with three significant digits, without exponents above 1e-6."""
    if value == 0:
        return '0'
    digits = 2 - math.floor(math.log10(abs(value)))
    value = round(value, digits)
    digits = 2 - math.floor(math.log10(abs(value)))
    return f'{value:,.{max(0, digits)}f}'.replace('-', '\u2212')


def with_unit(value, units):
    """Formats with the largest unit that leaves at least 1 after rounding."""
    rounded = float(f'{abs(value):.3g}')
    scale, name = next(((scale, name) for scale, name in units if rounded >= scale), units[-1])
    return f'{three_digits(value / scale)} {name}'


def time_text(seconds):
    return with_unit(seconds, [(1, 's'), (1e-3, 'ms'), (1e-6, 'us'), (1e-9, 'ns')]) if seconds else '0 s'


def bytes_text(size):
    power = min(5, int(math.log2(size) // 10)) if size >= 1024 else 0
    number = f'{size:,}' if power == 0 else three_digits(size / 1024**power)
    return f'{number} {["B", "KiB", "MiB", "GiB", "TiB", "PiB"][power]}'


def count_text(count):
    return f'{count:,}' if count < 10000 else with_unit(count, [(1e12, 'T'), (1e9, 'G'), (1e6, 'M'), (1e3, 'k')])


def percent_text(share):
    return '<\u00a00.01 %' if 0 < abs(share) < 1e-4 else f'{three_digits(100 * share)} %'


def expected_figures(report):
    ranks, run = report['ranks'], report['run']
    total = math.fsum(ranks['seconds'])
    computing = [whole - part for whole, part in zip(ranks['seconds'], ranks['mpi'])]
    figures = {
        'ranks': f'{run["ranks"]:,}',
        'processes': str(run['processes']),
        'workers': str(run['workers']),
        'seconds': time_text(run['seconds']),
        'mpi': percent_text(math.fsum(ranks['mpi']) / total),
        'waiting': percent_text((math.fsum(ranks['wait']) - math.fsum(ranks['ready'])) / total),
        'ready': percent_text(math.fsum(ranks['ready']) / total),
        'imbalance': percent_text(max(computing) * len(computing) / math.fsum(computing) - 1),
        'messages': count_text(sum(ranks['messages'])),
        'bytes': bytes_text(sum(ranks['bytes'])),
        'findings': str(len(report['findings'])),
        'ended': run['ended'],
    }
    if 'memory' in run:
        figures['memory'] = bytes_text(run['memory'])
    return figures


def plain(text):
    return text.replace('\u00a0', ' ')


class PageTest(unittest.TestCase):
    reports = {}
    report_of = staticmethod(synthetic.report_of)

    def show(self, kind, **options):
        """Opens the page of a report and returns the report."""
        if kind not in self.reports:
            self.reports[kind] = self.report_of(kind)
            page = assemble.with_data(assemble.template(), json.dumps(self.reports[kind]))
            (folder / f'{kind}.html').write_text(page)
        self.seconds = chromium.open(folder / f'{kind}.html', **options)
        return self.reports[kind]

    def tearDown(self):
        if chromium and chromium.problems:
            self.fail('\n'.join(chromium.problems))

    def value(self, expression):
        return chromium.value(expression)

    def text(self, selector):
        return plain(self.value(f'document.querySelector({json.dumps(selector)}).textContent'))

    def rows(self, name):
        """Returns the cells of the table with this name, as texts."""
        table = f"document.querySelector('[aria-label={json.dumps(name)}]')"
        rows = self.value(
            f"""[...{table}.querySelectorAll('tbody tr')]
            .map((row) => [...row.cells].map((cell) => cell.innerText.trim()))"""
        )
        return [[plain(cell) for cell in row] for row in rows]

    def edges(self, selector, *names):
        box = f'document.querySelector({json.dumps(selector)}).getBoundingClientRect()'
        return self.value(f'{json.dumps(names)}.map((name) => {box}[name])')

    def focus(self, selector):
        self.value(f'document.querySelector({json.dumps(selector)}).focus()')


class Figures(PageTest):
    def test_figures_are_those_of_the_data(self):
        for kind in (*SIZES, 'one-rank', 'incomplete', 'hostile', 'no-messages', 'blocks'):
            with self.subTest(kind):
                expected = expected_figures(self.show(kind))
                shown = self.value(
                    'Object.fromEntries([...document.querySelectorAll("[data-figure]")]'
                    '.map((node) => [node.dataset.figure, node.textContent]))'
                )
                shown = {name: plain(text) for name, text in shown.items()}
                self.assertEqual({name: plain(text) for name, text in expected.items()}, shown)

    def test_call_sites_are_listed_by_time_with_all_their_figures(self):
        report = self.show('512')
        calls = sorted(report['calls'], key=lambda call: -call['seconds'])
        total = math.fsum(call['seconds'] for call in calls)
        for call, row in zip(calls, self.rows('Time in MPI by call site'), strict=True):
            site = report['sites'][call['site']]
            place = f'{site["file"]}:{site["line"]} in {site["in"]}' if site['line'] else site['file']
            self.assertEqual(f'{report["functions"][site["function"]]}\n{place}', row[0])
            self.assertEqual(
                [
                    count_text(call['calls']),
                    str(call['ranks']),
                    time_text(call['seconds']),
                    plain(percent_text(call['seconds'] / total)),
                    time_text(call['wait'] - call['ready']),
                    time_text(call['ready']),
                    bytes_text(call['bytes']),
                    time_text(call['longest']),
                    str(call['longest_rank']),
                ],
                row[1:],
            )

    def test_load_balance_names_the_slowest_rank(self):
        report = self.show('10000')
        computing = [whole - part for whole, part in zip(report['ranks']['seconds'], report['ranks']['mpi'])]
        slowest = computing.index(max(computing))
        self.assertIn(f'Rank {slowest} computed longest: {time_text(computing[slowest])}', self.text('#balance .lead'))
        self.assertEqual([str(slowest), time_text(computing[slowest])], self.rows('Ranks')[0][:2])

    def test_waits_name_both_ends_and_the_rank_that_caused_most(self):
        report = self.show('8')
        waits = sorted(report['waits'], key=lambda wait: -wait['seconds'])
        for wait, row in zip(waits, self.rows('Who waits for whom'), strict=True):
            cause = report['sites'][wait['cause']] if wait['cause'] >= 0 else None
            self.assertIn(f'{cause["file"]}:{cause["line"]}' if cause else 'unknown', row[1])
            self.assertEqual(wait['kind'].capitalize(), row[2])
            self.assertEqual(time_text(wait['seconds']), row[3])
            self.assertEqual(f'rank {wait["cause_rank"]}\n{time_text(wait["cause_rank_seconds"])}', row[7])

    def test_message_sizes_and_files_are_listed(self):
        report = self.show('512')
        self.value('document.querySelectorAll("details").forEach((details) => { details.open = true; })')
        self.assertEqual(
            [[count_text(messages), bytes_text(size)] for _, messages, size in report['sizes']],
            [row[1:] for row in self.rows('Message sizes')],
        )
        self.assertEqual(sorted(file['name'] for file in report['files']), sorted(row[0] for row in self.rows('Files')))

    def test_an_incomplete_run_is_marked(self):
        self.show('incomplete')
        self.assertIn('incomplete', self.text('[role=alert]'))
        self.assertIn('by signal 9 (Killed)', self.text('[role=alert]'))
        self.show('8')
        self.assertFalse(self.value('!!document.querySelector("[role=alert]")'))

    def test_parts_that_are_absent_have_no_section(self):
        self.show('no-messages')
        sections = self.value('[...document.querySelectorAll("section")].map((section) => section.id)')
        self.assertTrue({'waits', 'files', 'memory', 'queue', 'path'}.isdisjoint(sections))
        self.assertIn('No rank sent a message', self.text('#communication'))

    def test_ten_thousand_ranks_are_shown_fast_and_with_few_elements(self):
        self.show('10000')
        self.assertLess(self.seconds, 20)
        self.assertLess(self.value('document.querySelectorAll("*").length'), 4000)


class Tables(PageTest):
    def column(self, index):
        return [row[index] for row in self.rows('Time in MPI by call site')]

    def press_heading(self, index):
        headings = 'document.querySelectorAll("[aria-label=\'Time in MPI by call site\'] .sort")'
        self.value(f'{headings}[{index}].focus()')
        chromium.key('Enter', '\r')

    def test_a_heading_sorts_by_keyboard_and_says_so(self):
        report = self.show('8')
        self.press_heading(1)
        expected = [count_text(count) for count in sorted((call['calls'] for call in report['calls']), reverse=True)]
        self.assertEqual(expected, self.column(1))
        order = self.value('document.querySelectorAll("[aria-label=\'Time in MPI by call site\'] th")[1].ariaSort')
        self.assertEqual('descending', order)
        self.press_heading(1)
        self.assertEqual(expected[::-1], self.column(1))
        self.press_heading(0)
        self.assertEqual(sorted(self.column(0)), self.column(0))

    def search(self, query):
        self.value(
            f'(() => {{ const field = document.getElementById("search"); field.value = {json.dumps(query)};'
            'field.dispatchEvent(new Event("input")); })()'
        )

    def test_the_search_finds_functions_files_lines_and_ranks(self):
        self.show('512')
        for query, found in (
            ('mpi_isend', ['MPI_Isend\nstencil.c:131 in exchange_halo']),
            ('stencil.c:13', []),
            ('stencil.c:137', ['MPI_Waitall\nstencil.c:137 in exchange_halo']),
            ('exchange 124', ['MPI_Irecv\nstencil.c:124 in exchange_halo']),
            ('libtiming', ['MPI_Barrier\nlibtiming.so.2+0x1c40']),
        ):
            self.search(query)
            self.assertEqual(found, self.column(0), query)
        self.search('rank 17')
        self.assertEqual(['17'], [row[0] for row in self.rows('Ranks')])
        self.assertTrue(all('17' in row[:2] for row in self.rows('Largest pairs')))
        self.search('no such thing')
        self.assertIn('None of 512 rows matches', self.text('#balance'))
        self.search('')
        self.assertEqual(10, len(self.column(0)))

    def test_long_tables_show_a_part_and_then_more(self):
        self.show('10000')
        self.assertEqual(8, len(self.rows('Ranks')))
        more = '[...document.querySelectorAll("#balance .more")].find((button) => !button.hidden).click()'
        self.value(more)
        self.assertEqual(208, len(self.rows('Ranks')))


class MatrixTest(PageTest):
    READING = re.compile(r'From ranks? ([\d\u2013]+) to ranks? ([\d\u2013]+): (\S+(?: [kMGT])?) messages?, (.*?)\. ')

    def press(self, *keys):
        for key in keys:
            chromium.key(key, key if len(key) == 1 else '')

    def reading(self):
        """Returns the ranges of ranks that the mark is on, and the messages and bytes that the page says."""
        source, dest, messages, size = self.READING.match(self.text('#matrix-reading')).groups()
        span = [range(int(part[0]), int(part[-1]) + 1) for part in (source.split('\u2013'), dest.split('\u2013'))]
        return span[0], span[1], messages, size

    def check_reading(self, report):
        sources, dests, messages, size = self.reading()
        inside = [entry for entry in report['matrix']['entries'] if entry[0] in sources and entry[1] in dests]
        self.assertEqual(count_text(sum(entry[2] for entry in inside)), messages)
        self.assertEqual(bytes_text(sum(entry[3] for entry in inside)), size)
        return sources, dests

    def test_the_keyboard_reads_and_enlarges_the_matrix(self):
        for kind in SIZES:
            report = self.show(kind)
            self.focus('canvas')
            self.press('ArrowRight', 'ArrowRight', 'ArrowDown')
            sources, _ = self.check_reading(report)
            before = self.text('#matrix-view')
            self.press('+', '+')
            self.assertNotEqual(before, self.text('#matrix-view'))
            enlarged, _ = self.check_reading(report)
            self.assertLessEqual(len(enlarged), len(sources))
            self.assertIn(enlarged.start, sources)
            self.press('ArrowRight', 'ArrowUp')
            self.check_reading(report)
            self.press('0')
            self.assertEqual(before, self.text('#matrix-view'))

    def test_ten_thousand_ranks_are_enlarged_to_single_ranks(self):
        report = self.show('10000')
        self.focus('canvas')
        self.press('ArrowRight')
        self.press(*'+' * 12)
        sources, dests = self.check_reading(report)
        self.assertEqual((1, 1), (len(sources), len(dests)))
        self.assertEqual('From ranks 0\u20133 to ranks 0\u20133', self.text('#matrix-view'))

    def test_pointer_and_wheel_read_and_enlarge_the_matrix(self):
        report = self.show('512')
        self.value('document.querySelector("canvas").scrollIntoView({ block: "center" })')
        x, y = (edge + 150 for edge in self.edges('canvas', 'left', 'top'))
        chromium.mouse('mouseMoved', x, y)
        self.check_reading(report)
        before = self.text('#matrix-view')
        self.focus('canvas')
        chromium.mouse('mouseWheel', x, y, deltaX=0, deltaY=-100)
        self.assertNotEqual(before, self.text('#matrix-view'))
        before = self.text('#matrix-view')
        chromium.mouse('mousePressed', x, y, button='left', buttons=1, clickCount=1)
        chromium.mouse('mouseMoved', x - 40, y - 40, button='left', buttons=1)
        chromium.mouse('mouseReleased', x - 40, y - 40, button='left')
        self.assertNotEqual(before, self.text('#matrix-view'))
        self.value('[...document.querySelectorAll(".buttons button")].at(-1).click()')
        self.assertIn('ranks 0\u2013511 to ranks 0\u2013511', self.text('#matrix-view'))

    def test_sums_are_those_of_all_messages_of_a_rank(self):
        report = self.show('8')
        self.focus('canvas')
        self.press('ArrowRight', 'ArrowDown', 'ArrowDown')
        entries = report['matrix']['entries']
        sent = sum(entry[3] for entry in entries if entry[0] == 2)
        received = sum(entry[3] for entry in entries if entry[1] == 0)
        self.assertTrue(
            self.text('#matrix-reading').endswith(
                f'Sent by rank 2 in all: {bytes_text(sent)}; received by rank 0: {bytes_text(received)}.'
            )
        )


class Access(PageTest):
    def test_every_figure_and_column_has_a_definition_that_the_keyboard_opens(self):
        self.show('8')
        bare = self.value(
            """[...document.querySelectorAll('.figure dt, thead th')]
            .filter((node) => node.textContent.trim() && !node.querySelector('.help'))
            .map((node) => node.textContent)"""
        )
        self.assertLessEqual(set(bare), {'Rank', 'Of each rank', 'Where'})
        self.value('document.querySelectorAll("details").forEach((details) => { details.open = true; })')
        count = self.value('document.querySelectorAll(".help").length')
        self.assertGreater(count, 60)
        for index in range(0, count, 5):
            self.value(f'document.querySelectorAll(".help")[{index}].focus()')
            chromium.key('Enter', '\r')
            self.assertGreater(len(self.text('#help')), 20)
            self.assertEqual('true', self.value('document.activeElement.ariaExpanded'))
            left, right = self.edges('#help', 'left', 'right')
            self.assertTrue(0 <= left < right <= 1280)
            chromium.key('Escape')
            self.assertTrue(self.value('document.getElementById("help").hidden'))
            self.assertTrue(self.value(f'document.activeElement === document.querySelectorAll(".help")[{index}]'))

    def test_text_has_enough_contrast_in_both_colour_schemes(self):
        script = (HERE / 'contrast.js').read_text()
        for scheme, kind in itertools.product(('light', 'dark'), ('8', 'incomplete', 'compared')):
            self.show(kind, scheme=scheme)
            self.assertEqual([], self.value(script), f'{kind} {scheme}')

    def test_headings_ids_and_names_are_in_order(self):
        for kind in ('8', 'compared', 'empty'):
            self.show(kind)
            levels = self.value('[...document.querySelectorAll("h1, h2, h3")].map((node) => Number(node.tagName[1]))')
            self.assertEqual(1, levels[0])
            self.assertTrue(all(after - before <= 1 for before, after in itertools.pairwise(levels)))
            ids = self.value('[...document.querySelectorAll("[id]")].map((node) => node.id)')
            self.assertEqual(len(set(ids)), len(ids))
            self.assertEqual(
                0,
                self.value("""[...document.querySelectorAll('button, input, svg[role], canvas, [role=region]')]
                    .filter((node) =>
                !(node.ariaLabel || node.textContent.trim() || node.closest('label')?.textContent.trim())).length"""),
            )

    def test_pictures_are_read_with_arrow_keys(self):
        report = self.show('512')
        self.focus('#balance .chart')
        chromium.key('ArrowRight')
        chromium.key('ArrowRight')
        computing = report['ranks']['seconds'][1] - report['ranks']['mpi'][1]
        self.assertIn(f'Rank 1: computing {time_text(computing)}', self.text('#balance .reading'))

    def test_the_colours_change_with_the_button(self):
        self.show('8')
        grounds = []
        for _ in range(3):
            self.value('document.getElementById("theme").click()')
            grounds.append(self.value('getComputedStyle(document.body).backgroundColor'))
        self.assertEqual(grounds[0], grounds[2])
        self.assertNotEqual(grounds[0], grounds[1])

    def test_nothing_is_wider_than_a_telephone(self):
        for kind in ('8', '10000', 'hostile', 'compared'):
            self.show(kind, width=400)
            self.assertLessEqual(self.value('document.documentElement.scrollWidth'), 400, kind)


class HostileData(PageTest):
    def test_names_are_shown_as_text(self):
        report = self.show('hostile')
        self.assertEqual(report['run']['command'], self.value('document.querySelector("h1").textContent'))
        self.assertEqual(report['run']['command'], self.value('document.title'))
        findings = self.value('[...document.querySelectorAll(".findings li")].map((node) => node.textContent)')
        self.assertEqual(report['findings'], findings)
        self.assertEqual(
            0, self.value('document.querySelectorAll("#evil, main b, main i, main img, main script").length')
        )
        names = self.value('[...document.querySelectorAll("#files tbody th")].map((node) => node.textContent)')
        self.assertIn(report['files'][0]['name'], names)

    def test_degenerate_reports_are_shown_without_errors(self):
        for kind in synthetic.DEGENERATE:
            for scheme in ('light', 'dark'):
                with self.subTest(kind, scheme=scheme):
                    self.show(kind, scheme=scheme)
                    self.assertTrue(self.text('h1'))
                    self.assertEqual([], chromium.problems)
                    self.assertNotRegex(
                        self.value('document.body.innerText'), r'\b(undefined|NaN|Infinity|null|\[object)\b'
                    )

    def test_other_versions_and_broken_data_are_refused(self):
        for number, (data, message) in enumerate(
            (
                ('{"format": "thrum report", "version": 2}', 'version 2'),
                ('{"format": "x"}', 'unknown format'),
                ('{"format"', 'cannot be read'),
                ('null', 'unknown format'),
            )
        ):
            page = folder / f'refused{number}.html'
            page.write_text(assemble.with_data(assemble.template(), data))
            chromium.open(page)
            self.assertIn(message, self.text('[role=alert]'))


class Comparison(PageTest):
    def test_both_values_and_their_ratio_are_shown(self):
        first, second = self.show('compared')['compare']
        for which, report in (('first', first), ('second', second)):
            expected = expected_figures(report)
            for name in ('seconds', 'mpi', 'waiting', 'imbalance', 'messages', 'bytes', 'memory', 'findings'):
                self.assertEqual(plain(expected[name]), self.text(f'[data-figure={name}-{which}]'))
        self.assertEqual(
            f'\u00d7 {three_digits(second["run"]["seconds"] / first["run"]["seconds"])}',
            self.text('[data-figure=seconds-ratio]'),
        )

    def test_calls_are_matched_although_their_lines_have_moved(self):
        first, second = self.show('compared')['compare']
        rows = {row[0]: row[1:] for row in self.rows('Time in MPI by call, in both runs')}
        before, after = (
            next(call['seconds'] for call in report['calls'] if call['site'] == 2) for report in (first, second)
        )
        self.assertEqual(
            [time_text(before), time_text(after)], rows['MPI_Waitall\nstencil.c:137 \u2192 149 in exchange_halo'][2:4]
        )
        self.assertEqual('none left', rows['MPI_Send\ngather.c:77 \u2192 \u2013 in send_profile'][4])
        self.assertEqual('new', rows['MPI_Send\ngather.c:\u2013 \u2192 77 in send_profiles_at_once'][4])


class Template(PageTest):
    def test_one_marker_is_left_and_nothing_is_loaded(self):
        template = folder / 'template.html'
        subprocess.run([sys.executable, PAGE / 'assemble.py', '-o', template], check=True)
        text = template.read_text()
        self.assertEqual(1, text.count('/*DATA*/'))
        self.assertEqual({'http://www.w3.org/2000/svg'}, set(re.findall(r'https?://[^\s"\']+', text)))
        self.assertNotRegex(text, r'<script src|@import|url\(|gradient')

    def test_the_command_makes_a_page(self):
        report, page = folder / 'one.json', folder / 'one.html'
        report.write_text(json.dumps(synthetic.hostile()))
        subprocess.run([sys.executable, PAGE / 'assemble.py', '--data', report, '-o', page], check=True)
        chromium.open(page)
        self.assertEqual('8', self.text('[data-figure=ranks]'))

    def test_scripts_are_short(self):
        for script in (PAGE / 'script').iterdir():
            self.assertIn(script.stem, assemble.SCRIPTS)
            self.assertLess(len(script.read_text().splitlines()), 400, script.name)


class Pictures(PageTest):
    def test_pages_are_photographed(self):
        for kind in (*SIZES, 'compared'):
            for scheme, width in (('light', 1280), ('dark', 1280), ('light', 400)):
                self.show(kind, scheme=scheme, width=width)
                chromium.screenshot(pictures / f'{kind}-{scheme}-{width}.png')

    def test_pages_are_printed_with_all_sections(self):
        for kind in (*SIZES, 'compared'):
            self.show(kind, scheme='dark')
            titles = self.value('[...document.querySelectorAll("h2")].map((node) => node.firstChild.data)')
            chromium.pdf(pictures / f'{kind}.pdf')
            self.assertTrue(self.value('document.documentElement.dataset.theme === "system"'))
            if not shutil.which('pdftotext'):
                continue
            command = ['pdftotext', '-layout', pictures / f'{kind}.pdf', '-']
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            for title in titles:
                self.assertRegex(text, rf'(?m)^\s*{title}$')
            subprocess.run(
                ['pdftoppm', '-r', '70', '-png', pictures / f'{kind}.pdf', pictures / f'{kind}-printed'], check=True
            )


if __name__ == '__main__':
    unittest.main(verbosity=2)
