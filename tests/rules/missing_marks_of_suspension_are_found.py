#!/usr/bin/env python3
"""tools/check_clang.py finds MAY_SUSPEND removed from a declaration, and a call with a lock held.

Each case is a change of one header of src/, and a file that includes it.
Usage: missing_marks_of_suspension_are_found.py CHECK_CLANG BUILD
"""
import subprocess
import sys
import tempfile
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / 'src'
SKIPPED = 77
FILE = 'src/rma/window_lock.cc'
SUSPEND = 'void suspend() MAY_SUSPEND;'
# Header, text in it, what replaces it, and what is reported; None: nothing.
CASES = [
    ('fiber/task.h', SUSPEND, SUSPEND, None),
    # A marked function loses its mark.
    ('fiber/completion.h', 'void wait() MAY_SUSPEND {', 'void wait() {', "calling function 'suspend_here' requires"),
    # Functions that are added: without a mark, with one, with a lock, with one that is given back in time.
    ('fiber/task.h', SUSPEND, SUSPEND + '\ninline void added() { suspend(); }', "calling function 'suspend' requires"),
    ('fiber/task.h', SUSPEND, SUSPEND + '\ninline void added() MAY_SUSPEND { suspend(); }', None),
    ('fiber/completion.h', 'class WaitGroup {',
     'inline void added(SpinLock &lock) MAY_SUSPEND { LockGuard guard(lock); suspend(); }\nclass WaitGroup {',
     "cannot call function 'suspend' while lock 'some_spin_lock' is held"),
    ('fiber/completion.h', 'class WaitGroup {',
     'inline void added(SpinLock &lock) MAY_SUSPEND { { LockGuard guard(lock); } suspend(); }\nclass WaitGroup {', None),
    # An entry; and a lambda, which is a function of its own.
    ('fiber/task.h', SUSPEND, SUSPEND + '\ninline void added() { assert_may_suspend(); suspend(); }', None),
    ('fiber/task.h', SUSPEND, SUSPEND + '\ninline void added() MAY_SUSPEND { [] { suspend(); }(); }',
     "calling function 'suspend' requires"),
]


def check(script, build, header, old, new):
    text = (SRC / header).read_text()
    assert text.count(old) >= 1, f'{header} has no {old!r}'
    with tempfile.TemporaryDirectory() as folder:
        changed = Path(folder, header)
        changed.parent.mkdir()
        changed.write_text(text.replace(old, new, 1))
        done = subprocess.run([sys.executable, script, '--build', build, '--instead', folder, FILE],
                              capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def main():
    script, build = sys.argv[1:]
    wrong = 0
    for header, old, new, expected in CASES:
        code, text = check(script, build, header, old, new)
        if code == SKIPPED:
            print(text)
            return SKIPPED
        if code != (1 if expected else 0) or (expected and expected not in text):
            wrong += 1
            print(f'{header}: {new}\nexpected: {expected}\ngot exit code {code}: {text}')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
