"""The session in front: lends each test with a number of ranks to a group of ranks, and reports what its ranks have found."""
import builtins
import re
import shlex
import signal
import threading
import warnings

import pytest
from _pytest.runner import CallInfo

from . import marks, reports
from .group import Group, GroupEnded, folder_of
from .thrum_lines import text_of

# What an MPI call says in a rank that has lost another one.
_LOSS = re.compile(r'MPI_ERR_PROC_(ABORTED|FAILED)')
_FRAME_OF_PYTHON = re.compile(r'^  #\d+ (_PyEval|_?PyObject|_PyFunction|ffi_call|libffi|cfunction)')
_OF_MPIEXEC = re.compile(r'^mpiexec: (?:(rank \d+) \(.*? on \S+\) )?')
_IDLE_MOST = 64  # ranks that wait for a test in all groups together


class MpiWarning(pytest.PytestWarning):
    """What ranks have written outside of tests, such as Thrum's warnings about leaks."""


class _Found:
    """What the ranks of a test have sent."""

    def __init__(self, config, item):
        self._config, self._item = config, item
        self.reports, self.troubles, self.xfail_reason, self.warnings, self.left = {}, {}, None, {}, {}

    def __call__(self, rank, message):
        kind, *rest = message
        if kind == 'report':
            self.reports.setdefault(rank, []).append(reports.unpack(self._config, rest[0]))
        elif kind == 'xfail':
            self.xfail_reason = rest[0]
        elif kind in ('missing', 'broken'):
            self.troubles[rank] = rest[0]
            if self._item:
                self.reports.setdefault(rank, []).append(reports.failure(self._item, 'setup', rest[0]))
        elif kind == 'left':
            self.left[rank] = rest
        elif kind == 'exit':
            raise pytest.exit.Exception(f'{text_of([rank])}: {rest[0]}')  # the others may wait for this rank
        elif kind == 'warning':
            self.warnings.setdefault(tuple(rest), []).append(rank)

    def failed_ranks(self):
        return {rank for rank, own in self.reports.items() if any(one.outcome == 'failed' for one in own)}

    def drop_consequences(self):
        """Forgets failures that another rank's loss has caused."""
        for rank, own in self.reports.items():
            self.reports[rank] = [one for one in own if not (one.outcome == 'failed' and _LOSS.search(str(one.longrepr)))]

    def unfinished_phase(self, count):
        """The phase in which the ranks were when their job ended."""
        phases = [one.when for own in self.reports.values() for one in own]
        if 'setup' not in phases:
            return 'setup'
        return 'call' if phases.count('call') < count else 'teardown'


class Controller:
    """The plug-in of the session in front."""

    def __init__(self, config):
        self._config = config
        self._groups, self._refused, self._closing, self._started = {}, {}, [], 0
        self._following = None

    # ---- Which tests, and in which group

    def _count_for(self, item):
        """The number of ranks of a test; None if it runs in this process."""
        if item.get_closest_marker('skip'):
            return None
        count = marks.count_of(item)
        if count is None and marks.uses_mpi_without_count(item):
            try:
                return max(marks.min_size_of(item), self._config.getoption('mpi_ranks') or int(self._config.getini('mpi_ranks')))
            except ValueError:
                return 1  # the ranks report what is wrong
        return count

    def _following_of(self, item):
        """The node id of the next test of the same group, in the same file, and whether there is a further test at all."""
        if self._following is None:
            self._following, next_of = {}, {}
            for one in reversed(item.session.items):
                count = self._count_for(one)
                if count:
                    self._following[one.nodeid] = next_of.get(count)
                    next_of[count] = one
        following = self._following.get(item.nodeid)
        same_file = following is not None and following.path == item.path
        return following.nodeid if same_file else None, following is not None

    def _group(self, count):
        if count in self._groups:
            self._groups[count] = self._groups.pop(count)  # the last one used is at the end
            return self._groups[count]
        while self._groups and sum(self._groups) + count > _IDLE_MOST:
            self._dismiss(next(iter(self._groups)))
        self._started += 1
        config = self._config
        plugin_name = config.pluginmanager.get_name(config.pluginmanager.getplugin('thrum-plugin').module)
        setup = {'options': dict(vars(config.option)), 'arguments': [str(argument) for argument in config.args], 'plugin': plugin_name,
                 'argv': ['pytest', *map(str, config.invocation_params.args)]}
        options = [*config.getini('mpi_options'), *shlex.split(config.getoption('mpi_options') or '')]
        group = self._groups[count] = Group(count, options, config.getoption('capture') == 'no', config.invocation_params.dir)
        group.meet(setup, folder_of(config, count, self._started))
        return group

    def _dismiss(self, count):
        """Lets a group end. What it says is heard at the end of the session."""
        group = self._groups.pop(count)
        group.begin_end()
        self._closing.append(group)

    # ---- Running a test

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        _keep_ctrl_c()
        count = self._count_for(item)
        if not count:
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        merged = self._run(item, count)
        # Fixtures of earlier tests of this process, which the next test does not need.
        own = CallInfo.from_call(lambda: item.session._setupstate.teardown_exact(nextitem), when='teardown')
        if own.excinfo:
            merged.append(item.ihook.pytest_runtest_makereport(item=item, call=own))
        for report in merged:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _run(self, item, count):
        if count in self._refused:
            return self._finished([reports.failure(item, 'setup', self._refused[count])], item)
        found = _Found(self._config, item)
        try:
            group = self._group(count)
        except pytest.UsageError as error:
            self._groups.pop(count, None)
            self._refused[count] = str(error)
            return self._finished([reports.failure(item, 'setup', str(error))], item)
        except GroupEnded as error:
            self._refused[count] = self._why_not_started(count, error)
            return self._finished([reports.failure(item, 'setup', self._refused[count])], item)
        except pytest.fail.Exception as error:  # a time limit of another plug-in
            self._interrupted(item, count, False)
            return self._finished([reports.failure(item, 'setup', f'{error} while {text_of(range(count))} started')], item)
        except BaseException:
            self._interrupted(item, count, False)
            raise
        limit = self._config.getoption('mpi_timeout')
        limit = float(self._config.getini('mpi_timeout') or 0) if limit is None else limit
        try:
            group.run(item, *self._following_of(item), limit or None, found)
        except (GroupEnded, pytest.fail.Exception) as error:
            merged = self._after_the_end(item, count, found, str(error))
        except BaseException as error:
            self._interrupted(item, count, not isinstance(error, pytest.exit.Exception))
            raise
        else:
            merged = self._after_a_test(item, count, found)
        self._pass_on_warnings(found, count)
        return self._finished(merged, item)

    def _finished(self, merged, item):
        """Adds the teardown that other plug-ins expect of each test."""
        if merged[-1].when != 'teardown':
            merged.append(reports.outcome_without_failure(item, 'teardown', 'passed'))
        return merged

    def _after_a_test(self, item, count, found):
        merged = reports.merge(item, found.reports)
        has_failed = any(report.outcome == 'failed' or report.outcome == 'skipped' and hasattr(report, 'wasxfail') for report in merged)
        if has_failed or found.left:
            self._groups[count].is_clean = False
            self._dismiss(count)  # messages of this test may be left, which the next one would receive
        if not has_failed:
            for rank, (source, tag) in sorted(found.left.items()):
                self._warn(f'rank {rank} has not received a message of rank {source} with tag {tag}', item.nodeid)
        return merged

    def _after_the_end(self, item, count, found, why):
        """The reports of a test during which the job ended."""
        group = self._groups.pop(count)
        words, code, outputs, others = group.post_mortem()
        group.take_remaining(found)
        group.close()
        if group.lost_rank is not None:
            found.drop_consequences()
        failed = found.failed_ranks()
        where = words.positions(without=failed)
        late = [] if group.has_ended_itself else [why]
        sections = _sections_of(outputs, failed)
        if others:
            sections.append(('Captured stderr of mpiexec', others + '\n'))
        if failed:
            if group.lost_rank is not None and group.lost_rank not in failed and not words.is_deadlock():
                late += _why_lost(words)
            merged = reports.merge(item, found.reports, [*where, *late])
            merged = merged[:next((i + 1 for i, report in enumerate(merged) if report.outcome == 'failed'), len(merged))]
            merged[-1].sections = _joined([*merged[-1].sections, *sections])
            return merged
        phase = found.unfinished_phase(count)
        said = words.about_the_program()
        text = _text_of_the_end(late, said, words, where, code)
        done = {rank: [one for one in own if one.when != phase and reports.PHASES.index(one.when) < reports.PHASES.index(phase)]
                for rank, own in found.reports.items()}
        merged = reports.merge(item, done)
        end = reports.failure(item, phase, text, sections=sections)
        expected = [one for own in found.reports.values() for one in own if one.outcome == 'skipped' and hasattr(one, 'wasxfail')]
        reason = expected[0].wasxfail if expected else found.xfail_reason
        if reason is not None and phase != 'setup':
            end.outcome, end.wasxfail = 'skipped', reason
        return [*merged, end]

    def _why_not_started(self, count, error):
        group = self._groups.pop(count)
        words, code, outputs, others = group.post_mortem()
        broken = _Found(self._config, None)
        group.take_remaining(broken)
        group.close()
        troubles = [line for text in dict.fromkeys(broken.troubles.values()) for line in text.splitlines()]
        lines = [*troubles[-1:], *words.lines, *others.splitlines(), *troubles] or [f'exit code {code}']
        first = lines[0].removeprefix('E').strip()
        return '\n'.join([f'{error}: {first}', *lines[1:]])

    def _interrupted(self, item, count, shows_places):
        group = self._groups.pop(count, None)
        if group is None:
            return
        words, *_ = group.post_mortem()
        group.close()
        where = words.positions()
        if where and shows_places:
            self._warn(f'{item.nodeid} was interrupted: {"; ".join(where)}')

    # ---- The end

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtestloop(self, session):
        outcome = yield
        for count in list(self._groups):
            self._dismiss(count)
        is_interrupted = outcome.excinfo and issubclass(outcome.excinfo[0], (KeyboardInterrupt, pytest.exit.Exception))
        for group in self._closing:
            group.close() if is_interrupted else self._hear_the_end(group)
        self._closing = []

    def _hear_the_end(self, group):
        found = _Found(self._config, None)
        text = group.end(found)
        item = group.last_item
        for rank, trouble in sorted(found.troubles.items()):
            last = trouble.splitlines()[-1].removeprefix('E').strip()
            report = reports.failure(item, 'teardown', f'{text_of([rank])}, after the last test of its group:\n{trouble}',
                                     message=f'{text_of([rank])}: {last}')
            item.ihook.pytest_runtest_logreport(report=report)
        self._pass_on_warnings(found, group.count)
        if text and group.is_clean:
            self._warn(f'{text_of(range(group.count))} wrote outside of tests:\n{text}')

    # ---- Warnings

    def _warn(self, text, node_id=''):
        message = warnings.WarningMessage(MpiWarning(text), MpiWarning, 'pytest-thrum', 0)
        self._config.hook.pytest_warning_recorded.call_historic(
            kwargs={'warning_message': message, 'when': 'runtest', 'nodeid': node_id, 'location': None})

    def _pass_on_warnings(self, found, count):
        for (category, text, file, line, when, nodeid, location), ranks in found.warnings.items():
            shown = text if len(ranks) == count else f'{text_of(ranks)}: {text}'
            kind = getattr(builtins, category, None) or getattr(pytest, category, None)
            if kind is None:  # a class of another package, which this process may not have imported
                kind, shown = UserWarning, f'{category}: {shown}'
            message = warnings.WarningMessage(kind(shown), kind, file, line)
            self._config.hook.pytest_warning_recorded.call_historic(
                kwargs={'warning_message': message, 'when': when, 'nodeid': nodeid, 'location': location})


def _keep_ctrl_c():
    """Gives Ctrl-C back to Python: when tests import mpi4py into this process, Thrum sets a handler that ends it."""
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler) and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)


def _sections_of(outputs, without):
    """The output of the ranks that were in the middle of something when the job ended."""
    sections = []
    for index, name in enumerate(('Captured stdout', 'Captured stderr')):
        lines = [f'{text_of([rank])}: {line}' for rank, texts in outputs.items() if rank not in without for line in texts[index].splitlines()]
        if lines:
            sections.append((f'{name} call', '\n'.join(lines) + '\n'))
    return sections


def _joined(sections):
    """Sections of which each name appears once."""
    texts = {}
    for name, text in sections:
        texts[name] = texts.get(name, '') + text
    return list(texts.items())


def _why_lost(words):
    """Lines that say how a rank ended, Thrum's before those of mpiexec."""
    of_thrum = [line.removeprefix('thrum: ') for line in words.about_an_end() if line.startswith('thrum: ') and not _LOSS.search(line)]
    of_interpreter = [index for index, line in enumerate(of_thrum) if _FRAME_OF_PYTHON.search(line)]
    if of_interpreter:  # Python's own frames follow; pytest's faulthandler has printed the lines of the script
        of_thrum = [line for index, line in enumerate(of_thrum) if index < of_interpreter[0] or not line.startswith('  ')]
    of_mpiexec = [_OF_MPIEXEC.sub(lambda found: f'{found[1]} ' if found[1] else '', line) for line in words.lines
                  if line.startswith('mpiexec: ')]
    return of_thrum + of_mpiexec[:1]  # the other ranks have ended because of the first


def _text_of_the_end(late, said, words, where, code):
    """Why the job ended, for a test in which no rank has failed by itself. The first line is for the summary."""
    lines = list(late)
    if words.is_deadlock():
        lines += [line.removeprefix('thrum: ') for line in said if line.startswith('thrum: ') and not (words.at_end and ' in a cycle: ' in line)]
    elif late:
        lines += where
    else:
        lines += _why_lost(words) or [f'the job ended with exit code {code}']
    if words.at_end:
        lines.append(f'{text_of(words.at_end)} had finished the test')
    return '\n'.join(lines)
