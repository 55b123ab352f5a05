"""The reports of all ranks about a test become one.

All is made of pytest's own classes, so that colours, --tb, the summary, JUnit XML and xdist treat it as any other report.
"""
import re

from _pytest._code.code import ExceptionChainRepr, ReprEntryNative, ReprFileLocation, ReprTraceback
from pytest import TestReport

from .thrum_lines import text_of

PHASES = ('setup', 'call', 'teardown')
_SHOWN_MOST = 3  # different failures that are shown in full
_ADDRESS = re.compile(r'\b0x[0-9a-f]+')
_STRICT = '[XPASS(strict)]'


def pack(config, report):
    """A report as simple objects that can be pickled."""
    data = config.hook.pytest_report_to_serializable(config=config, report=report)
    data['user_properties'] = [(str(name), value if isinstance(value, (str, int, float, bool)) else str(value))
                               for name, value in data.get('user_properties', ())]
    return data


def unpack(config, data):
    return config.hook.pytest_report_from_serializable(config=config, data=data)


def failure(item, when, text, message=None, duration=0.0, sections=()):
    """A report that a test failed, of which only a text is known.

    message   one line for the summary
    """
    report = TestReport(nodeid=item.nodeid, location=item.location, keywords={name: 1 for name in item.keywords}, outcome='failed',
                        longrepr=None, when=when, sections=list(sections), duration=duration)
    report.longrepr = ExceptionChainRepr([(_lines(text), _crash(item, message or text.splitlines()[0]), None)])
    return report


def outcome_without_failure(item, when, outcome):
    """A report of a phase that has nothing to say."""
    return TestReport(nodeid=item.nodeid, location=item.location, keywords={name: 1 for name in item.keywords}, outcome=outcome,
                      longrepr=None, when=when)


def _crash(item, message):
    path, line, _ = item.location
    return ReprFileLocation(path, (line or 0) + 1, message)


def _lines(text):
    return ReprTraceback([ReprEntryNative([f'{line}\n' for line in text.splitlines()])], None, 'native')


def _heading(text):
    return ReprTraceback([], f'{f" {text} ":-^79}', 'native')


def _chain_of(longrepr):
    if hasattr(longrepr, 'chain'):
        return list(longrepr.chain)
    if hasattr(longrepr, 'reprtraceback'):
        return [(longrepr.reprtraceback, longrepr.reprcrash, None)]
    return [(_lines(str(longrepr)), None, None)]


def _message_of(report):
    crash = getattr(report.longrepr, 'reprcrash', None)
    text = crash.message if crash else str(report.longrepr)
    return (text.splitlines() or [''])[0]


def _ranks_by(reports, key):
    """{key(report): its ranks}, in the order of ranks. reports: {rank: report}."""
    found = {}
    for rank, report in sorted(reports.items()):
        found.setdefault(key(report), []).append(rank)
    return found


def _put_failures_together(item, failed, remarks):
    """What is shown of failed reports, {rank: report}. remarks: further lines."""
    groups = _ranks_by(failed, lambda report: _ADDRESS.sub('0x', str(report.longrepr)))
    chain, rest = [], []
    for text, ranks in groups.items():
        report = failed[ranks[0]]
        phase = '' if report.when == 'call' else f', in its {report.when}'
        if len(chain) < _SHOWN_MOST or len(groups) <= _SHOWN_MOST:
            own = _chain_of(report.longrepr)
            heading = _heading(f'{text_of(ranks)}{phase}')
            chain.append([(heading, None, None), *own])
        else:
            rest.append(f'{text_of(ranks)}{phase}: {_message_of(report)}')
    parts = [part for one in chain for part in one]
    first_ranks = next(iter(groups.values()))
    first = failed[first_ranks[0]]
    crash = getattr(first.longrepr, 'reprcrash', None)
    message = f'{text_of(first_ranks)}: {_message_of(first)}'
    crash = ReprFileLocation(crash.path, crash.lineno, message) if crash else _crash(item, message)
    # The last part's place is the one that pytest's summary shows.
    last = rest + list(remarks)
    parts.append((_lines('\n'.join(last)) if last else ReprTraceback([], None, 'native'), crash, None))
    return ExceptionChainRepr(parts)


def _sections(reports):
    """The captured output of all ranks: each line begins with its rank."""
    texts = {}
    for rank, report in sorted(reports.items()):
        for name, text in report.sections:
            texts.setdefault(name, {}).setdefault(text, []).append(rank)
    merged = []
    for name, by_text in texts.items():
        lines = [f'{text_of(ranks)}: {line}' for text, ranks in by_text.items() for line in text.splitlines()]
        merged.append((name, '\n'.join(lines) + '\n'))
    return merged


def _base(reports):
    """The report of the lowest rank, which becomes that of all."""
    report = reports[min(reports)]
    report.duration = max(one.duration for one in reports.values())
    report.sections = _sections(reports)
    properties = [tuple(pair) for _, one in sorted(reports.items()) for pair in one.user_properties]
    report.user_properties = list(dict.fromkeys(properties))
    return report


def _is_expected_failure(report):
    return report.outcome == 'skipped' and hasattr(report, 'wasxfail')


def _is_unexpected_pass(report):
    return report.outcome == 'passed' and hasattr(report, 'wasxfail') or \
        report.outcome == 'failed' and isinstance(report.longrepr, str) and report.longrepr.startswith(_STRICT)


def _kind(report):
    if _is_expected_failure(report):
        return f'failed as expected ({report.wasxfail})'
    if report.outcome == 'skipped':
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        return f'skipped the test ({reason.removeprefix("Skipped: ")})'
    return 'ran it'


def merge_phase(item, reports, remarks=(), later_failures=None):
    """One report of those of a phase, {rank: report}.

    remarks          lines for a failure
    later_failures   {rank: report}: failures of ranks that had passed this phase, shown if it fails anyway
    """
    failed = {rank: report for rank, report in reports.items() if report.outcome == 'failed'}
    expected = {rank: report for rank, report in reports.items() if _is_expected_failure(report)}
    if expected and all(rank in expected or _is_unexpected_pass(report) for rank, report in reports.items()):
        first = expected[min(expected)]
        report = _base(reports)
        report.outcome, report.longrepr, report.wasxfail = 'skipped', first.longrepr, first.wasxfail
        return report
    if failed:
        report = _base(reports)
        report.outcome = 'failed'
        if len(failed) == len(reports) and all(map(_is_unexpected_pass, failed.values())):
            return report
        if hasattr(report, 'wasxfail'):
            del report.wasxfail
        report.longrepr = _put_failures_together(item, {**(later_failures or {}), **failed}, remarks)
        return report
    if len({report.outcome for report in reports.values()}) == 1 and not (expected and len(expected) < len(reports)):
        report = _base(reports)
        return report
    kinds = [f'{text_of(ranks)} {kind}' for kind, ranks in _ranks_by(reports, _kind).items()]
    report = _base(reports)
    report.outcome = 'failed'
    if hasattr(report, 'wasxfail'):
        del report.wasxfail
    text = 'the ranks disagree: ' + '; '.join(kinds) + '\nAll ranks of a test must skip it, or none.'
    report.longrepr = ExceptionChainRepr([(_lines(text), _crash(item, text.splitlines()[0]), None)])
    return report


def merge(item, by_rank, remarks=()):
    """The reports of a test, in the order of its phases. by_rank: {rank: its reports}."""
    merged = []
    for phase in PHASES:
        reports = {rank: report for rank, own in by_rank.items() for report in own if report.when == phase}
        if not reports or phase == 'call' and merged and merged[0].outcome != 'passed':
            continue
        later = {rank: report for rank, own in by_rank.items() for report in own
                 if phase == 'setup' and report.when == 'call' and report.outcome == 'failed'}
        merged.append(merge_phase(item, reports, remarks, later))
    return merged
