#!/usr/bin/env python3
"""rsmpi, the crate "mpi": its own tests and examples, started by Cargo's runner as docs/testing.md shows.

  run.py build --bin BIN --work DIR              fetch the crate with Cargo and compile it, all features, with BIN/mpicc
  run.py run RANKS --bin BIN --work DIR [...]    run its tests and examples with RANKS ranks; options after "--" go to mpiexec

Nothing in the crate is changed; .cargo/config.toml is put beside it. It needs Rust 1.78 and
libclang (Debian's clang-19, for example).
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(PROJECT / 'tests' / folder) for folder in ('third_party', 'commands/docs')]
import source_package  # noqa: E402
from source_package import SKIPPED, fail  # noqa: E402

VERSION = '0.8.2'
FEATURES = 'user-operations,complex,derive'
LIMIT_S = 120
# An MPI may provide more thread support than is asked for (MPI 5.0 section 11.2.1); this one expects less.
EXPECTS_LESS_SUPPORT = {'derive_nonthreaded_panic'}
# Its grid has size / 4 columns.
NEEDS_FOUR_RANKS = {'cartesian_map'}


def cargo(folder, bin_dir, *words, **variables):
    environment = os.environ | {'PATH': f'{bin_dir}:{os.environ["PATH"]}', 'MPICC': 'mpicc', **variables}
    done = subprocess.run(['cargo', *map(str, words)], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors='replace', timeout=1000)
    return done.returncode, done.stdout


def fetch(bin_dir, work):
    """Has Cargo download the crate, and copies it to work/mpi."""
    user = work / 'user'
    (user / 'src').mkdir(parents=True, exist_ok=True)
    (user / 'src' / 'main.rs').write_text('fn main() {}\n')
    (user / 'Cargo.toml').write_text('[package]\nname = "user"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n'
                                     f'mpi = {{ version = "={VERSION}", features = ["complex", "derive"] }}\n')
    os.environ.setdefault('THRUM_TREE', str(bin_dir.parent))
    from pages import NO_NETWORK
    code, output = cargo(user, bin_dir, 'fetch', '--quiet')
    if code and re.search(NO_NETWORK, output):
        print(f'no crate registry can be reached:\n{output}')
        sys.exit(1 if os.environ.get('CI') == 'true' else SKIPPED)
    if code:
        fail(f'cargo fetch:\n{output}')
    packages = json.loads(cargo(user, bin_dir, 'metadata', '--quiet', '--format-version=1', '--offline')[1])['packages']
    manifest = next(package['manifest_path'] for package in packages if package['name'] == 'mpi')
    shutil.copytree(Path(manifest).parent, work / 'mpi')


def build(bin_dir, work):
    if not shutil.which('cargo'):
        print('cargo is not installed (rsmpi needs Rust 1.78 or later)')
        sys.exit(SKIPPED)
    shutil.rmtree(work, ignore_errors=True)
    fetch(bin_dir, work)
    code, output = cargo(work / 'mpi', bin_dir, 'test', '--quiet', '--no-run', '--lib', '--tests', '--examples', '--features', FEATURES)
    if code and re.search(r'requires rustc|lock file version', output):
        print(f'Rust is too old for rsmpi:\n{output[-1000:]}')
        sys.exit(SKIPPED)
    if code and 'libclang' in output:
        print(f'libclang is not installed:\n{output[-1000:]}')
        sys.exit(SKIPPED)
    if code:
        fail(f'cargo test --no-run:\n{output[-4000:]}')


def run(ranks, bin_dir, work, options):
    crate = work / 'mpi'
    runner = ['mpiexec', '--timeout', str(LIMIT_S), *options, '-n', str(ranks)]
    (crate / '.cargo').mkdir(exist_ok=True)
    (crate / '.cargo' / 'config.toml').write_text(f'[target.x86_64-unknown-linux-gnu]\nrunner = {json.dumps(runner)}\n')
    features = ['--quiet', '--features', FEATURES]
    wrong = []
    code, output = cargo(crate, bin_dir, 'test', *features, '--lib', '--tests', '--no-fail-fast', '--', '--test-threads=1')
    passed = len(re.findall(r'(?m)^test result: ok\. 1 passed', output))
    print(f'{passed} tests passed, counted by ranks')
    if code or passed != 2 * ranks:
        wrong.append('tests')
        print(output[-4000:])
    names = sorted(file.stem for file in (crate / 'examples').glob('*.rs'))
    if len(names) < 50:
        fail(f'only {len(names)} examples found')
    left_out = EXPECTS_LESS_SUPPORT | (NEEDS_FOUR_RANKS if ranks < 4 else set())
    for name in names:
        if name in left_out:
            continue
        code, output = cargo(crate, bin_dir, 'run', *features, '--example', name)
        if code:
            wrong.append(name)
            print(f'{name}: exit code {code}\n{output[-3000:]}')
    print(f'{len(names) - len(left_out)} examples ran; left out: {", ".join(sorted(left_out))}')
    if wrong:
        fail(f'rsmpi with {ranks} ranks {" ".join(options)}: {", ".join(wrong)}')


def main():
    a = source_package.command_line(__doc__)
    if a.action == 'build':
        build(a.bin, a.work)
    else:
        run(a.ranks, a.bin, a.work, a.options)


if __name__ == '__main__':
    main()
