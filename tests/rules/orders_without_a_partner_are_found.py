#!/usr/bin/env python3
"""tools/check_orders.py finds a bare order, a label that stands alone, and a label of no order.

Usage: orders_without_a_partner_are_found.py CHECK_ORDERS
"""
import subprocess
import sys
import tempfile
from pathlib import Path

PAIR = '''
// release [flag-1]: what was written before.
void set() { flag.store(true, std::memory_order_release); }
bool get() {
    return flag.load(
        std::memory_order_acquire); // [flag-1]
}
'''
LAST_USER = '''
    // acq_rel [users-1]: the last one frees.
    if (users.fetch_sub(1, std::memory_order_acq_rel) == 1)
'''
# Source, and what is reported of it; None: nothing.
CASES = [
    (PAIR, None),
    (LAST_USER, None),
    ('x.load(std::memory_order_relaxed);', None),
    ('std::atomic_signal_fence(std::memory_order_seq_cst);', None),
    ('x.load(std::memory_order_acquire);', 'acquire has no label'),
    ('// [a-1]\n\nx.load(std::memory_order_acquire);', 'acquire has no label'),
    ('y = 1; // [a-1]\nx.load(std::memory_order_acquire);', 'acquire has no label'),
    ('std::atomic_thread_fence(std::memory_order_seq_cst);', 'seq_cst has no label'),
    ('std::atomic_thread_fence(std::memory_order::release);', 'release has no label'),
    ('__atomic_load_n(&x, __ATOMIC_ACQUIRE);', 'acquire has no label'),
    (PAIR.replace('std::memory_order_acquire); // [flag-1]', 'std::memory_order_relaxed);'), 'no acquire has this label'),
    (PAIR.replace('memory_order_release', 'memory_order_relaxed'), 'no release has this label'),
    ('x.store(1, std::memory_order_seq_cst); // [a-1]', 'no other order has this label'),
    (PAIR + '// As [flag-2].\n', '[flag-2] is the label of no order'),
]


def report_of(check, source):
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / 'src' / 'base'
        folder.mkdir(parents=True)
        (folder / 'x.cc').write_text(source)
        done = subprocess.run([sys.executable, check, root], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def main():
    wrong = 0
    for source, expected in CASES:
        code, text = report_of(sys.argv[1], source)
        if code != (1 if expected else 0) or (expected and expected not in text):
            wrong += 1
            print(f'{source}\nexpected: {expected}\ngot exit code {code}: {text}')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
