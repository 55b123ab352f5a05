"""Source packages of Debian for tests: the upstream tarball, as Debian signs it (apt checks it), unchanged."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

SKIPPED = 77
APT_TIMEOUT_S = 120


def fail(text):
    sys.exit(f'FAILED: {text}')


def source_entries():
    """The machine's own apt sources, with "deb" turned into "deb-src", by file name."""
    found = subprocess.run(['apt-config', 'shell', 'list', 'Dir::Etc::sourcelist/f', 'parts', 'Dir::Etc::sourceparts/d'],
                           stdout=subprocess.PIPE, text=True, check=True).stdout
    place = dict(re.findall(r"(\w+)='(.*)'", found))
    files = [Path(place['list']), *sorted(Path(place['parts']).glob('*'))]
    entries = {}
    for file in files:
        if file.suffix == '.sources' and file.is_file():
            entries[file.name] = re.sub(r'(?m)^Types:.*$', 'Types: deb-src', file.read_text())
        elif file.suffix == '.list' and file.is_file():
            lines = re.findall(r'(?m)^\s*deb(?:-src)?\s.*$', file.read_text())
            entries[file.name] = ''.join(re.sub(r'^\s*deb(-src)?', 'deb-src', line) + '\n' for line in lines)
    return entries


def tarball(package, folder):
    return next(iter(sorted(folder.glob(f'{package}_*.orig.tar.*'))), None)


def fetch(package, folder):
    """Downloads the tarball into `folder`, if it is not there, with an apt state of its own (needs no root, changes
    nothing); returns its path. Ends the test as skipped where there is no apt, or where the release has no such package."""
    folder.mkdir(parents=True, exist_ok=True)
    if there := tarball(package, folder):
        return there
    if not shutil.which('apt-get'):
        print(f'There is no apt-get here: put {package}_VERSION.orig.tar.gz into {folder} to run this test.')
        sys.exit(1 if os.environ.get('CI') == 'true' else SKIPPED)
    state = folder / 'apt'
    shutil.rmtree(state, ignore_errors=True)
    for part in ('parts', 'lists/partial', 'cache/archives/partial'):
        (state / part).mkdir(parents=True)
    for name, text in source_entries().items():
        (state / 'parts' / name).write_text(text)
    apt = ['apt-get', '-o', 'Dir::Etc::SourceList=/dev/null', '-o', f'Dir::Etc::SourceParts={state}/parts',
           '-o', f'Dir::State::Lists={state}/lists', '-o', f'Dir::Cache={state}/cache',
           '-o', 'APT::Sandbox::User=root']
    log = ''
    all_lists_are_there = False
    # A foreign repository without sources makes "update" fail; what counts is whether "source" succeeds.
    for command in ['update'], ['source', '--tar-only', package]:
        try:
            done = subprocess.run(apt + command, cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=APT_TIMEOUT_S)
            log += done.stdout
            all_lists_are_there |= command[0] == 'update' and done.returncode == 0
        except subprocess.TimeoutExpired:
            log += f'apt-get {command[0]} did not finish in {APT_TIMEOUT_S} s\n'
    shutil.rmtree(state)
    if not tarball(package, folder) and all_lists_are_there and f'Unable to find a source package for {package}' in log:
        print(f'This release of Debian has no source package {package}.')
        sys.exit(SKIPPED)
    if not tarball(package, folder):
        fail(f'apt could not fetch the source package {package} (needs a Debian mirror with sources). To go on '
             f'without one, put {package}_VERSION.orig.tar.gz into {folder}. apt said:\n{log}')
    return tarball(package, folder)


def unpack(archive, folder, *members):
    """Unpacks `archive`, or only `members` (patterns), into `folder`, which then is what is above its top directory's
    contents; once."""
    if folder.exists():
        return
    fresh = folder.with_name(folder.name + '.new')
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    subprocess.run(['tar', '-xf', archive, '-C', fresh, '--strip-components=1', '--wildcards', *members], check=True)
    fresh.rename(folder)


def make(folder, *arguments):
    """make -j2 in `folder`, without the variables of a make that runs the tests."""
    done = subprocess.run(['make', '-j2', *arguments], cwd=folder, env={**os.environ, 'MAKEFLAGS': ''},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        fail(f'make {" ".join(map(str, arguments))} in {folder}:\n{done.stdout[-4000:]}')


def execute(command, folder, files=(), stdin=subprocess.DEVNULL):
    """Runs a command in `folder`, which is made anew, with copies of `files`; returns the finished process and the
    seconds that it took."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / 'tmp').mkdir(parents=True)  # one of the programs writes there
    for file in files:
        shutil.copy(file, folder)
    begin = time.monotonic()
    # Each rank has its own copy of OpenBLAS; threads of its own for each would only compete.
    done = subprocess.run([str(word) for word in command], cwd=folder, env={**os.environ, 'OPENBLAS_NUM_THREADS': '1'},
                          stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done, time.monotonic() - begin


def name_of_run(*words):
    return 'run_' + '_'.join(map(str, words)).replace('--', '').replace('=', '_')


def command_line(description, actions=('build', 'run'), programs=(), ranks=4):
    """The words of a run.py: an action, one of `programs` if there are some, and the number of ranks; --bin, --work;
    `options` are those for mpiexec, which follow "--"."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('action', choices=actions)
    if programs:
        parser.add_argument('program', nargs='?', choices=programs, default=programs[0])
    parser.add_argument('ranks', type=int, nargs='?', default=ranks)
    folder = {'type': lambda text: Path(text).resolve(), 'required': True}
    parser.add_argument('--bin', help='folder of mpicc, mpifort and mpiexec', **folder)
    parser.add_argument('--work', help='folder to build and run in', **folder)
    own, options = sys.argv[1:], []
    if '--' in own:
        cut = own.index('--')
        own, options = own[:cut], own[cut + 1:]
    arguments = parser.parse_args(own)
    arguments.options = options
    return arguments
