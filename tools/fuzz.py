#!/usr/bin/env python3
"""Builds every src/LAYER/X_fuzz.cc with clang and libFuzzer (address and undefined-behaviour sanitizer) and runs it.

A target is linked with its own layer and the pure layers below it. The corpus is kept in build/fuzz/X.corpus; an input that
fails is written to build/fuzz/X.failures/.
Usage: fuzz.py [--seconds N] [--only NAME]
"""
import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / 'build' / 'fuzz'
LAYERS = ('base', 'trace', 'datatype', 'match')  # these need no others
COMPILER = os.environ.get('FUZZ_CXX', 'clang++-19')
FLAGS = ['-std=c++20', '-O1', '-g', '-fno-omit-frame-pointer', '-fsanitize=address,undefined', '-fno-sanitize-recover=all',
         f'-I{ROOT}/src', f'-I{OUT}/include', f'-I{ROOT}/include', f'-I{OUT}/generated']


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def compile_one(source, sanitizer):
    target = OUT / 'objects' / f'{source.parent.name}_{source.stem}.o'
    dependencies = target.with_suffix('.d')
    if target.exists() and dependencies.exists():
        names = dependencies.read_text().replace('\\\n', ' ').split()[1:]
        if all(Path(name).exists() and Path(name).stat().st_mtime < target.stat().st_mtime for name in names):
            return target
    run(COMPILER, *FLAGS, f'-fsanitize={sanitizer}', '-MD', '-MF', dependencies, '-c', source, '-o', target)
    return target


def build(fuzzers):
    for directory in ('include', 'generated/entry', 'objects'):
        (OUT / directory).mkdir(parents=True, exist_ok=True)
    header = OUT / 'include' / 'mpi.h'
    if not header.exists() or header.stat().st_mtime < (ROOT / 'src/entry/mpi.api').stat().st_mtime:
        run(sys.executable, ROOT / 'src/entry/generate.py', ROOT / 'src/entry/mpi.api', ROOT / 'src/entry/beside.api', ROOT / 'src/entry/mpi.h.in',
            header, OUT / 'generated' / 'entry')
    run(sys.executable, ROOT / 'src/base/settings.py', OUT / 'generated')
    sources = [path for layer in LAYERS for path in sorted((ROOT / 'src' / layer).glob('*.cc'))
               if not path.stem.endswith(('_test', '_bench', '_fuzz'))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda source: compile_one(source, 'fuzzer-no-link'), sources + fuzzers))
    common = objects[:len(sources)]
    for fuzzer, own in zip(fuzzers, objects[len(sources):]):
        run(COMPILER, *FLAGS, '-fsanitize=fuzzer', own, *common, '-o', OUT / f'{fuzzer.parent.name}_{fuzzer.stem}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seconds', type=int, default=60)
    parser.add_argument('--only', default='', help='only targets whose name contains this')
    options = parser.parse_args()
    fuzzers = sorted(path for path in (ROOT / 'src').glob('*/*_fuzz.cc')
                     if options.only in f'{path.parent.name}_{path.stem}')
    build(fuzzers)
    failed = []
    for fuzzer in fuzzers:
        name = f'{fuzzer.parent.name}_{fuzzer.stem}'
        corpus, failures = OUT / f'{name}.corpus', OUT / f'{name}.failures'
        corpus.mkdir(exist_ok=True)
        failures.mkdir(exist_ok=True)
        print(f'{name}: {options.seconds} seconds', flush=True)
        result = subprocess.run([OUT / name, f'-max_total_time={options.seconds}', '-timeout=10', '-print_final_stats=1',
                                 '-verbosity=0', '-print_funcs=0', f'-artifact_prefix={failures}/', corpus])
        if result.returncode != 0:
            failed.append(name)
    for name in failed:
        print(f'{name}: FAILED; its input is in {OUT}/{name}.failures')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
