"""Every KIND_wrong program below tests/wrong_kinds has a right look-alike KIND_right: a few other lines, and no report.

Usage: wrong_kinds_come_in_pairs.py FOLDER
"""
import difflib
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1])
LINES_MAX = 45  # of a program, as short as a question in a forum
DIFFERENT_MAX = 14  # lines that only one of the two has
PAIRS_MIN = 100


def split(path):
    """Returns the comment on top, and the program."""
    lines = path.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if not line.startswith(('// ', '! ', '# ')))
    return [line.lstrip('/!# ') for line in lines[:first]], lines[first:]


def mistakes(wrong):
    right = wrong.with_name(wrong.name.replace('_wrong.', '_right.'))
    if not right.exists():
        return ['has no right look-alike']
    found = []
    (wrong_comment, wrong_lines), (right_comment, right_lines) = split(wrong), split(right)
    differences = [line for line in difflib.ndiff(wrong_lines, right_lines) if line[0] in '-+']
    if not 1 <= len(differences) <= DIFFERENT_MAX:
        found.append(f'differs from its look-alike in {len(differences)} lines')
    if max(len(wrong_lines), len(right_lines)) > LINES_MAX:
        found.append(f'has more than {LINES_MAX} lines')
    if 'expect-not: thrum:' not in right_comment or any(line.startswith('exit:') for line in right_comment):
        found.append('its look-alike does not have to end in silence')
    silent = wrong.parent.name == 'not_found_yet'
    if silent == any(line.startswith('expect:') for line in wrong_comment):
        found.append('expects a report' if silent else 'expects no report')
    return found


programs = sorted(FOLDER.glob('*/*_wrong.*'))
failures = [f'{path.relative_to(FOLDER)}: {what}' for path in programs for what in mistakes(path)]
names = [path.name if path.suffix == '.py' else path.stem for path in programs]  # programs are built beside each other
failures += [f'{name}: two programs have this name' for name in set(names) if names.count(name) > 1]
if len(programs) < PAIRS_MIN or len(list(FOLDER.glob('*/*_right.*'))) != len(programs):
    failures.append(f'there are {len(programs)} wrong programs, and not as many right ones, or fewer than {PAIRS_MIN}')
print('\n'.join(failures))
sys.exit(bool(failures))
