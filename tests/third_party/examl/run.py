#!/usr/bin/env python3
"""ExaML, a C program for processes (likelihoods of evolutionary trees), built unmodified and run with ranks as threads.

  run.py build --bin BIN --work DIR            fetch Debian's source package once, compile it with BIN/mpicc, and run
                                               it as one ordinary process: what others are compared with
  run.py run RANKS --bin BIN --work DIR [...]  run it with RANKS ranks and compare; options after "--" go to mpiexec

The upstream tarball is what Debian signs (apt checks it); nothing in it is changed. The alignment and the tree are the
package's own test data: 49 species, 1,200 sites in four genes. All parameters of the model and all lengths of branches
are optimised. Every rank computes a part of the sites and all take the same decisions by the sums of MPI_Allreduce, so
that any disagreement ends in another tree.
"""
import re
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(PROJECT / 'tests' / 'third_party'))
import source_package  # noqa: E402
from source_package import execute, fail, make, name_of_run  # noqa: E402

DOWNLOADS = PROJECT / 'build' / 'examl'
# Sums of different numbers of ranks differ in their last bits; the program optimises until 1e-6 or so.
LIKELIHOOD_TOLERANCE = 1e-4
LENGTH_TOLERANCE = 1e-5


def build(bin_dir, work):
    source = work / 'source'
    source_package.unpack(source_package.fetch('examl', DOWNLOADS), source)
    begin = time.monotonic()
    make(source / 'parser', '-f', 'Makefile.SSE3.gcc', 'parse-examl')  # for one process: no MPI
    (source / 'examl' / 'examl').unlink(missing_ok=True)
    make(source / 'examl', '-f', 'Makefile.SSE3.gcc', f'CC={bin_dir}/mpicc', 'examl')
    data = source / 'testData'
    (work / 'genes.binary').unlink(missing_ok=True)
    (work / 'RAxML_info.genes').unlink(missing_ok=True)
    subprocess.run([source / 'parser' / 'parse-examl', '-s', data / '49', '-q', data / '49.model', '-m', 'DNA',
                    '-n', 'genes'], cwd=work, stdout=subprocess.DEVNULL, check=True)
    print(f'{source}: built in {time.monotonic() - begin:.1f} s')
    evaluate(bin_dir, work, 1, [])


def evaluate(bin_dir, work, ranks, options):
    """Runs ExaML in a folder of its own; returns the log likelihood and the tree with its lengths."""
    folder = work / name_of_run(ranks, *options)
    source = work / 'source'
    command = [bin_dir / 'mpiexec', '-n', ranks, '--timeout', 500, *options, source / 'examl' / 'examl', '-s',
               work / 'genes.binary', '-t', source / 'testData' / '49.tree', '-m', 'GAMMA', '-f', 'e', '-n', 'test']
    done, seconds = execute(command, folder)
    words = ' '.join(map(str, command))
    if done.returncode:
        fail(f'exit code {done.returncode} of {words}\nIt wrote:\n{done.stdout[-8000:]}')
    print(f'{seconds:.1f} s: {words}')
    return result(folder)


def result(folder):
    found = re.search(r'Likelihood tree 0: (-\d+\.\d+)', (folder / 'ExaML_info.test').read_text())
    tree = folder / 'ExaML_TreeFile.test'
    if not found or not tree.exists():
        fail(f'no likelihood and tree in {folder}')
    return float(found[1]), tree.read_text()


def compare(expected, actual):
    """Yields a sentence for each difference between two results."""
    if abs(expected[0] - actual[0]) > LIKELIHOOD_TOLERANCE:
        yield f'the log likelihood is {actual[0]}, not {expected[0]}'
    length = re.compile(r':(\d+\.\d+)')
    if length.sub(':', expected[1]) != length.sub(':', actual[1]):
        yield 'the tree is another one'
    lengths = [[float(number) for number in length.findall(tree)] for _, tree in (expected, actual)]
    worst = max((abs(a - b) for a, b in zip(*lengths)), default=1)
    if len(lengths[0]) < 90 or worst > LENGTH_TOLERANCE:
        yield f'of {len(lengths[0])} lengths of branches one differs by {worst}'


def run(bin_dir, work, ranks, options):
    expected = result(work / 'run_1')
    actual = evaluate(bin_dir, work, ranks, options)
    if wrong := list(compare(expected, actual)):
        fail('\n  '.join(wrong))
    print(f'log likelihood {actual[0]} with {ranks} ranks, {expected[0]} as one process; the same tree')


def main():
    a = source_package.command_line(__doc__)
    if a.action == 'build':
        build(a.bin, a.work)
    else:
        run(a.bin, a.work, a.ranks, a.options)


main()
