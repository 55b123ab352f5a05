"""Tests the timeline of the page of mpiexec --report in headless Chromium, with synthetic data.

Usage: timeline_test.py [unittest arguments]
THRUM_REPORT_PICTURES=DIRECTORY keeps the screenshots. Without chromium the tests are skipped, unless CI=true.
"""

import itertools
import json
import re
import shutil
import subprocess
import time
import unittest

import page_test
import synthetic_timeline
from page_test import HERE, assemble, bytes_text, plain, time_text


def setUpModule():
    page_test.setUpModule()


def tearDownModule():
    page_test.tearDownModule()


def moment_text(micros):
    """Formats a moment of the timeline, independently of the page."""
    return f'{micros:,.1f} us' if micros < 1e4 else f'{micros / 1e3:,.3f} ms'


def span_text(micros):
    return time_text(micros / 1e6)


class TimelineTest(page_test.PageTest):
    reports = {}
    report_of = staticmethod(synthetic_timeline.report_of)

    @property
    def browser(self):
        return page_test.chromium

    def press(self, *keys, modifiers=0):
        for key in keys:
            self.browser.key(key, key if len(key) == 1 else '', modifiers)

    def focus_timeline(self):
        self.focus('.timeline canvas')
        self.value('document.querySelector(".timeline canvas").scrollIntoView({ block: "center" })')

    def reading(self):
        """Returns what the page says about the selected item: a list of (term, text)."""
        terms = self.value('[...document.querySelectorAll(".detail dt")].map((node) => node.textContent)')
        texts = self.value('[...document.querySelectorAll(".detail dd")].map((node) => node.textContent)')
        return list(zip(terms, map(plain, texts), strict=True))

    def view(self):
        return self.text('#timeline-view')

    def pixels(self, matches):
        """Returns how many pixels of the canvas have a colour that is near one of the page's, by its name."""
        return self.value(
            f"""(() => {{
            const canvas = document.querySelector('.timeline canvas');
            const copy = Object.assign(document.createElement('canvas'), {{ width: canvas.width, height: canvas.height }});
            const context = copy.getContext('2d', {{ willReadFrequently: true }});
            context.drawImage(canvas, 0, 0);
            const {{ data }} = context.getImageData(0, 0, canvas.width, canvas.height);
            const wanted = {json.dumps(matches)}.map((name) => components(colour(name)));
            const counts = wanted.map(() => 0);
            for (let i = 0; i < data.length; i += 4)
              wanted.forEach((rgb, index) => {{
                if (rgb.every((part, k) => Math.abs(part - data[i + k]) < 3)) counts[index]++;
              }});
            return counts;
            }})()"""
        )

    def frame(self):
        self.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))')

    def place_of(self, rank, micros):
        """Where the middle of a rank's bar is at a time, in CSS pixels of the window: from the page's own axis and rows."""
        x, y = self.value(
            f"""(() => {{
            const area = document.querySelector('.timeline canvas').getBoundingClientRect();
            const view = document.querySelector('.timeline canvas').dataset;
            const [begin, span, first, row, left, top, width, bar, above] = view.geometry.split(' ').map(Number);
            return [area.left + left + (({micros} - begin) / span) * width, area.top + top + ({rank} - first) * row + above + bar / 2];
            }})()"""
        )
        return x, y


class Reading(TimelineTest):
    def check_call(self, report, call):
        rank, begin, end, site, wait, group = call
        site = report['sites'][site]
        place = f'{site["file"]}:{site["line"]} in {site["in"]}' if site['line'] else site['file']
        reading = self.reading()
        self.assertEqual(('Call', f'Rank {rank}: {report["functions"][site["function"]]} at {place}'), reading[0])
        self.assertEqual(
            (
                'Time',
                f'from {moment_text(begin)} to {moment_text(end)}: {span_text(end - begin)}, of which it waited {span_text(wait)}',
            ),
            reading[1],
        )
        if group:
            members = [other for other in report['timeline']['calls'] if other[5] == group]
            self.assertTrue(reading[2][1].startswith(f'{len(members)} members; '), reading)
            last = max(members, key=lambda other: other[1])
            said = 'it came last' if last[0] == rank else f'rank {last[0]} came last, at {moment_text(last[1])}'
            self.assertTrue(reading[2][1].endswith(said), reading)

    def test_arrow_keys_go_through_the_calls_of_a_rank_and_to_the_other_ranks(self):
        report = self.show('4')
        calls = [[call for call in report['timeline']['calls'] if call[0] == rank] for rank in range(4)]
        self.focus_timeline()
        for index in range(8):
            self.press('ArrowRight')
            self.check_call(report, calls[0][index])
        self.press('ArrowLeft')
        self.check_call(report, calls[0][6])
        for rank in (1, 2, 3):
            self.press('ArrowDown')
            self.assertTrue(self.reading()[0][1].startswith(f'Rank {rank}: '))
        self.press('ArrowDown')
        self.assertTrue(self.reading()[0][1].startswith('Rank 3: '))
        self.press('ArrowUp')
        self.assertTrue(self.reading()[0][1].startswith('Rank 2: '))
        self.press('Escape')
        self.assertEqual([], self.reading())

    def test_the_pointer_reads_each_bar_where_its_data_says(self):
        report = self.show('4')
        self.focus_timeline()
        self.value('[...document.querySelectorAll(".timeline .buttons button")].find((node) => node.textContent === "Messages").click()')
        for call in report['timeline']['calls'][::7]:
            if call[2] - call[1] < 1.5:
                continue
            self.browser.mouse('mouseMoved', *self.place_of(call[0], (call[1] + call[2]) / 2))
            self.check_call(report, call)

    def test_a_call_leads_to_its_messages_and_a_message_to_both_calls(self):
        report = self.show('4')
        messages, calls = report['timeline']['messages'], report['timeline']['calls']
        self.focus_timeline()
        self.press('ArrowRight')
        first = next(call for call in calls if call[0] == 0)
        sent = next(message for message in messages if message[0] == 0 and first[1] <= message[1] <= first[2])
        self.press('m')
        reading = dict(self.reading())
        self.assertEqual(
            f'from rank 0 to rank {sent[2]}, {bytes_text(sent[4])}, tag {sent[5]}; sent at {moment_text(sent[1])}, '
            f'received at {moment_text(sent[3])}, {span_text(sent[3] - sent[1])} later',
            reading['Message'],
        )
        self.assertIn('MPI_Isend at stencil.c:131', reading['Sent by'])
        self.assertIn('MPI_Waitall at stencil.c:137', reading['Received by'])
        self.press('ArrowRight')
        receiver = [call for call in calls if call[0] == sent[2] and call[1] <= sent[3] <= call[2]][-1]
        self.check_call(report, receiver)
        self.assertEqual(2, sum(term == 'Message' for term, _ in self.reading()))
        self.press('m', 'ArrowLeft')
        self.assertIn('MPI_Isend', self.reading()[0][1])

    def click_arrow(self, message):
        source, sent, dest, received, size, tag = message
        (x1, y1), (x2, y2) = self.place_of(source, sent), self.place_of(dest, received)
        at = ((x1 + x2) / 2, (y1 + y2) / 2)
        self.browser.mouse('mousePressed', *at, button='left', buttons=1, clickCount=1)
        self.browser.mouse('mouseReleased', *at, button='left')
        self.browser.mouse('mouseMoved', 5, 5)
        self.assertIn(f'from rank {source} to rank {dest}, {bytes_text(size)}, tag {tag}', dict(self.reading())['Message'])

    def test_a_click_on_an_arrow_pins_its_message(self):
        report = self.show('4')
        self.focus_timeline()
        self.click_arrow(next(m for m in report['timeline']['messages'] if m[2] == m[0] + 1))

    def test_m_stays_with_the_message_that_was_clicked(self):
        report = self.show('4')
        self.focus_timeline()
        self.press('ArrowRight', 'm')
        self.assertIn('from rank 0 ', dict(self.reading())['Message'])
        self.click_arrow(next(m for m in report['timeline']['messages'] if (m[0], m[2]) == (2, 3)))
        self.press('m')
        self.assertIn('from rank 2 ', dict(self.reading())['Message'])

    def test_regions_are_read_with_the_pointer(self):
        report = self.show('4')
        self.focus_timeline()
        rank, begin, end, name = next(region for region in report['timeline']['regions'] if region[3] == 0 and region[0] == 2)
        x, y = self.place_of(rank, (begin + end) / 2)
        self.browser.mouse('mouseMoved', x, y - 36)
        self.assertEqual(('Region', 'Rank 2: time step'), self.reading()[0])
        self.assertIn(span_text(end - begin), self.reading()[1][1])

    def test_calls_that_never_ended_are_marked(self):
        report = self.show('deadlock')
        self.assertIn('4 calls never ended', self.text('#timeline .lead'))
        self.assertIn('never ended', self.text('#timeline .legend'))
        self.focus_timeline()
        self.press('ArrowRight', 'ArrowRight')
        begin = report['timeline']['open'][0][1]
        self.assertEqual(f'from {moment_text(begin)}; it had not ended when the job did', self.reading()[1][1])
        self.assertGreater(self.pixels(['--alert'])[0], 100)
        self.show('4')
        self.assertNotIn('never ended', self.text('#timeline .legend'))

    def test_there_are_only_buttons_that_do_something(self):
        groups = '[...document.querySelectorAll(".timeline .buttons")].map((node) => [node.ariaLabel, node.textContent])'
        self.show('deadlock')
        self.assertEqual([['Zoom', '+\u2212All'], ['Ranks', 'Fewer ranksMore ranks'], ['Show', 'Collective operations']], self.value(groups))
        self.show('open')
        self.assertEqual([['Zoom', '+\u2212All'], ['Ranks', 'Fewer ranksMore ranks']], self.value(groups))


class View(TimelineTest):
    def test_keys_zoom_move_and_reset(self):
        self.show('64')
        whole = self.view()
        self.focus_timeline()
        self.press('+', '+')
        near = self.view()
        self.assertNotEqual(whole, near)
        self.press('ArrowRight', modifiers=8)
        self.assertNotEqual(near, self.view())
        self.press('ArrowLeft', modifiers=8)
        self.assertEqual(near, self.view())
        self.press('-')
        self.assertNotEqual(near, self.view())
        self.press('r', 'r')
        self.assertRegex(self.view(), r'^Ranks 24\u201339, ')
        self.press('ArrowDown', modifiers=8)
        self.assertRegex(self.view(), r'^Ranks 28\u201343, ')
        self.press('0')
        self.assertEqual(whole, self.view())

    def test_the_smallest_view_is_half_a_microsecond_and_ends_there(self):
        self.show('4')
        self.focus_timeline()
        self.press('ArrowRight', *'+' * 40)
        begin, end = (float(text) for text in re.findall(r'([\d.]+) us', self.view()))
        self.assertAlmostEqual(0.5, end - begin, delta=0.11)
        self.assertEqual([], self.browser.problems)

    def test_the_wheel_zooms_around_the_pointer_and_a_drag_moves(self):
        report = self.show('4')
        self.focus_timeline()
        call = report['timeline']['calls'][40]
        middle = (call[1] + call[2]) / 2
        at = self.place_of(call[0], middle)
        self.browser.mouse('mouseWheel', *at, deltaX=0, deltaY=-100)
        after = self.place_of(call[0], middle)
        self.assertAlmostEqual(at[0], after[0], delta=1)
        before = self.view()
        self.browser.mouse('mousePressed', *at, button='left', buttons=1, clickCount=1)
        self.browser.mouse('mouseMoved', at[0] - 60, at[1], button='left', buttons=1)
        self.browser.mouse('mouseReleased', at[0] - 60, at[1], button='left')
        self.assertNotEqual(before, self.view())
        self.assertAlmostEqual(at[0] - 60, self.place_of(call[0], middle)[0], delta=1)
        self.assertEqual([], self.reading(), 'a drag selects nothing')

    def test_the_wheel_scrolls_the_page_while_the_timeline_has_no_focus(self):
        self.show('4')
        self.value('document.querySelector(".timeline canvas").scrollIntoView({ block: "center" })')
        before = self.view()
        self.browser.mouse('mouseWheel', *self.place_of(0, 30), deltaX=0, deltaY=-100)
        self.assertEqual(before, self.view())

    def test_more_ranks_than_rows_are_reached_by_moving(self):
        self.show('many-ranks')
        self.assertRegex(self.view(), r'^Ranks 0\u2013299, ')
        self.focus_timeline()
        for _ in range(12):
            self.press('ArrowDown', modifiers=8)
        self.assertRegex(self.view(), r'^Ranks 700\u2013999, ')

    def test_buttons_hide_arrows_and_bands(self):
        self.show('4')
        self.frame()
        for name in ('Messages', 'Collective operations'):
            before = self.value('document.querySelector(".timeline canvas").toDataURL()')
            button = f'[...document.querySelectorAll(".timeline .buttons button")].find((node) => node.textContent === "{name}")'
            self.value(f'{button}.click()')
            self.frame()
            self.assertEqual('false', self.value(f'{button}.ariaPressed'))
            self.assertNotEqual(before, self.value('document.querySelector(".timeline canvas").toDataURL()'))


class Search(TimelineTest):
    def search(self, query):
        self.value(
            f'(() => {{ const field = document.getElementById("search"); field.value = {json.dumps(query)};'
            'field.dispatchEvent(new Event("input")); })()'
        )
        self.frame()

    def test_the_search_pales_what_it_does_not_find(self):
        self.show('4')
        self.frame()
        colours = ['--call-0', '--call-1', '--call-2', '--call-3']
        allreduce, isend, irecv, waitall = self.pixels(colours)
        self.assertTrue(all(count > 100 for count in (allreduce, isend, irecv, waitall)))
        self.search('MPI_Waitall')
        found = self.pixels(colours)
        self.assertGreater(found[3], waitall / 2)
        self.assertLess(max(found[:3]), 50)
        self.search('stencil.c:131')
        found = self.pixels(colours)
        self.assertGreater(found[1], isend / 2)
        self.assertLess(found[3], 50)
        self.search('rank 2')
        self.assertLess(self.pixels(colours)[3], waitall / 2)
        self.search('')
        self.assertEqual([allreduce, isend, irecv, waitall], self.pixels(colours))


class Tables(TimelineTest):
    def test_tables_say_what_the_picture_shows(self):
        report = self.show('4')
        self.value('document.querySelectorAll("#timeline details").forEach((details) => { details.open = true; })')
        calls = sorted(report['timeline']['calls'], key=lambda call: call[1])
        rows = self.rows('Calls of the timeline')
        self.assertEqual(12, len(rows))
        for (rank, begin, end, _, wait, _), row in zip(calls, rows):
            self.assertEqual([str(rank), moment_text(begin), span_text(end - begin), span_text(wait)], row[1:5])
        messages = sorted(report['timeline']['messages'], key=lambda message: message[1])
        for (source, sent, dest, received, size, tag), row in zip(messages, self.rows('Messages of the timeline')):
            expected = [str(source), str(dest), moment_text(sent), moment_text(received), span_text(received - sent)]
            self.assertEqual([*expected, bytes_text(size), str(tag)], row)
        self.assertEqual({'time step', 'halo exchange'}, {row[0] for row in self.rows('Regions of the timeline')})

    def test_every_column_and_sign_has_a_definition(self):
        self.show('deadlock')
        self.show('4')
        self.value('document.querySelectorAll("#timeline details").forEach((details) => { details.open = true; })')
        bare = self.value(
            """[...document.querySelectorAll('#timeline thead th, #timeline h2')]
            .filter((node) => !node.querySelector('.help')).map((node) => node.textContent)"""
        )
        self.assertEqual({'Rank'}, set(bare))
        for index in range(self.value('document.querySelectorAll("#timeline .help").length')):
            self.value(f'document.querySelectorAll("#timeline .help")[{index}].focus()')
            self.browser.key('Enter', '\r')
            self.assertGreater(len(self.text('#help')), 15)
            self.browser.key('Escape')


class Robust(TimelineTest):
    def test_pages_without_or_with_a_left_out_timeline_say_so(self):
        report = self.show('left-out')
        self.assertEqual(f"The {report['timeline']['left_out'][4:]}.", self.text('#timeline p'))
        self.assertFalse(self.value('!!document.querySelector(".timeline")'))
        del report['timeline']
        page = page_test.folder / 'without.html'
        page.write_text(assemble.with_data(assemble.template(), json.dumps(report)))
        self.browser.open(page)
        self.assertFalse(self.value('!!document.getElementById("timeline")'))

    def test_degenerate_timelines_are_shown_without_errors(self):
        for kind, scheme in itertools.product(synthetic_timeline.DEGENERATE, ('light', 'dark')):
            with self.subTest(kind, scheme=scheme):
                self.show(kind, scheme=scheme)
                self.assertEqual([], self.browser.problems)
                self.assertNotRegex(self.text('#timeline'), r'\b(undefined|NaN|Infinity|null|\[object)\b')
                self.assertEqual(0, self.value('document.querySelectorAll("#evil").length'))
                if not self.value('!!document.querySelector(".timeline")'):
                    continue
                self.focus_timeline()
                self.press(*['ArrowRight', 'ArrowDown', 'm', 'ArrowLeft', '+', 'r'] * 4, '0')
                self.press('ArrowDown', 'ArrowUp', 'm', 'R', '-')
                self.assertEqual([], self.browser.problems)
                self.assertNotRegex(self.text('#timeline'), r'\b(undefined|NaN|Infinity|null|\[object)\b')

    def test_twenty_thousand_bars_are_painted_in_less_than_a_frame_of_four(self):
        report = self.show('256x16')
        self.assertGreater(len(report['timeline']['calls']), 20000)
        self.assertLess(self.seconds, 20)
        self.focus_timeline()
        self.value('document.querySelector(".timeline canvas").scrollIntoView()')
        start = time.monotonic()
        for _ in range(10):
            self.press('+', '-')
            self.frame()
        per_paint = (time.monotonic() - start) / 20
        print(f'a paint of {len(report["timeline"]["calls"])} bars takes {per_paint * 1e3:.1f} ms', flush=True)
        self.assertLess(per_paint, 0.25)
        self.assertLess(self.value('document.querySelectorAll("*").length'), 4000)

    def test_text_has_enough_contrast_and_nothing_is_too_wide(self):
        script = (HERE / 'contrast.js').read_text()
        for scheme, kind in itertools.product(('light', 'dark'), ('4', 'deadlock')):
            self.show(kind, scheme=scheme)
            self.focus_timeline()
            self.press('ArrowRight')
            self.assertEqual([], self.value(script), f'{kind} {scheme}')
        self.show('4', width=400)
        self.assertLessEqual(self.value('document.documentElement.scrollWidth'), 400)

    def test_colours_of_functions_differ_from_the_page_and_from_each_other(self):
        for scheme in ('light', 'dark'):
            self.show('4', scheme=scheme)
            values = self.value(
                '[...["--paper"], ...Array.from({ length: 8 }, (_, i) => `--call-${i}`)].map((name) => components(colour(name)))'
            )
            paper, *calls = values
            for one in calls:
                pair = self.value(f'[luminance(...{one}), luminance(...{paper})]')
                self.assertGreater((max(pair) + 0.05) / (min(pair) + 0.05), 3, f'{scheme} {one}')
            for one, other in itertools.combinations(calls, 2):
                self.assertGreater(sum(abs(a - b) for a, b in zip(one, other)), 60, f'{scheme} {one} {other}')


class Pictures(TimelineTest):
    def test_timelines_are_photographed_and_printed(self):
        for kind in ('4', '64', '256', 'deadlock'):
            for scheme, width in (('light', 1280), ('dark', 1280), ('light', 400)):
                self.show(kind, scheme=scheme, width=width)
                self.frame()
                self.browser.screenshot(page_test.pictures / f'timeline-{kind}-{scheme}-{width}.png')
            self.show(kind, scheme='dark')
            pdf = page_test.pictures / f'timeline-{kind}.pdf'
            self.browser.pdf(pdf)
            if not shutil.which('pdftotext'):
                continue
            text = subprocess.run(['pdftotext', '-layout', pdf, '-'], check=True, capture_output=True, text=True).stdout
            self.assertRegex(text, r'(?m)^\s*Timeline$')
            subprocess.run(['pdftoppm', '-r', '70', '-png', pdf, pdf.with_name(f'timeline-{kind}-printed')], check=True)


if __name__ == '__main__':
    unittest.main(verbosity=2)
