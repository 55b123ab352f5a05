"""What Thrum has said about a job that ended: where its ranks waited, and why it ended."""
import re

from . import mpi

_LINE = re.compile(r'(?m)^(?:thrum|mpiexec): .*$')
# "thrum:   ranks 0,2-3: MPI_Allreduce on MPI_COMM_WORLD, at x.py:31 in test; missing: rank 1"
_PLACE = re.compile(r'thrum:   ranks? ([\d,-]+): (MPI_\w+)(.*)$')
_LEFT = re.compile(r'thrum:   ranks? ([\d,-]+): (outside MPI)$')
_AT = re.compile(r', at (\S+:\d+)(?: in [^;]*)?')
_OF_THE_END = re.compile(rf'"{mpi.NAME}"')


def ranks_of(text):
    """The numbers in "0,2-4"."""
    for part in text.split(','):
        first, _, last = part.partition('-')
        yield from range(int(first), int(last or first) + 1)


def text_of(ranks):
    """Numbers as Thrum shows them: "rank 3", "ranks 0,2-4"."""
    parts = []
    for rank in sorted(ranks):
        if parts and parts[-1][1] == rank - 1:
            parts[-1][1] = rank
        else:
            parts.append([rank, rank])
    shown = ','.join(f'{a}' if a == b else f'{a},{b}' if b == a + 1 else f'{a}-{b}' for a, b in parts)
    return f'rank{"s" if len(ranks) > 1 else ""} {shown}'


def split(text):
    """Returns the lines of Thrum and mpiexec in `text`, and the text without them."""
    return _LINE.findall(text), _LINE.sub('', text).strip('\n')


class LastWords:
    """The lines of a job that ended.

    lines      all of them, each once
    waited     {text such as "waited in MPI_Allreduce at x.py:31": the set of ranks}
    at_end     ranks that had finished the test and waited for the others
    """

    def __init__(self, lines):
        self.lines = list(dict.fromkeys(lines))
        self.waited, self.at_end = {}, set()
        for line in self.lines:
            place, left = _PLACE.match(line), _LEFT.match(line)
            if place and _OF_THE_END.search(place[3]):
                self.at_end.update(ranks_of(place[1]))
            elif place:
                at = _AT.search(place[3])
                self.waited.setdefault(f'waited in {place[2]}' + (f' at {at[1]}' if at else ''), set()).update(ranks_of(place[1]))
            elif left:
                self.waited.setdefault('outside of MPI', set()).update(ranks_of(left[1]))

    def is_deadlock(self):
        return any('DEADLOCK: ' in line for line in self.lines)

    def positions(self, without=()):
        """Lines such as "ranks 0,2-3 waited in MPI_Allreduce at x.py:31", without some ranks."""
        shown = [(ranks - set(without), what) for what, ranks in self.waited.items()]
        return [f'{text_of(ranks)} {what}' for ranks, what in shown if ranks]

    def about_the_program(self):
        """Thrum's own lines, without the barrier in which ranks wait that have finished the test."""
        return [line for line in self.lines if not _OF_THE_END.search(line)]

    def about_an_end(self):
        """These, without the places of the other ranks."""
        return [line for line in self.about_the_program()
                if not (_PLACE.match(line) or _LEFT.match(line) or line.startswith('thrum: terminated: '))]
