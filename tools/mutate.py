#!/usr/bin/env python3
"""Changes the product in many small ways, one at a time, and finds out whether the tests notice.

Writes a copy of the sources in which every chosen place has a switch (mutation_places.py), builds it once, measures which
tests reach which switch, and runs for each mutant the tests that reach it until one fails. Everything is below
build/mutants; a run that was interrupted, or was made with fewer tests, continues. docs/notes/mutants.md has the results.

Usage: mutate.py [--count N] [--seed N] [--folders A,B] [--modes A,B] [--seconds N] [--build-only] [--no-build] [--table]
                 [--survivors] [--check NUMBER...]
--folders, --modes  which whole programs run, and how (default: those that concern the four folders, as fibers and processes)
--seconds N       at most this long per mutant (default 60); the others of its tests are tried by the next run
--no-build        takes what an earlier run has built
--survivors       runs only mutants that have survived so far, with tests that were not tried
--check NUMBER    runs these mutants again, with all tests that reach them
"""
import argparse
import ctypes
import hashlib
import json
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / 'build' / 'mutants'
COPY, BUILD = OUT / 'source', OUT / 'build'
FOLDERS = ('match', 'datatype', 'pt2pt', 'coll')
UNIT_FOLDERS = FOLDERS + ('exchange',)
PROGRAM_FOLDERS = (
    'mpi/pt2pt', 'mpi/coll', 'mpi/icoll', 'mpi/datatype', 'mpi/probe', 'mpi/request', 'mpi/partitioned', 'mpi/neighbor', 'wrong',
    'mpi/error', 'mpi/comm', 'mpi/processes', 'mpi/deprecated')
MODES = ('fibers-1', 'fibers-2', 'processes', 'processes-2')
COPIED = ('CMakeLists.txt', 'cmake', 'src', 'include', 'cmd', 'compiler', 'tests', 'bench', 'examples', 'tools', 'portable', 'docs')
SWITCH = '''// Chooses the mutant: written by tools/mutate.py into its copy of the sources.
#pragma once
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace thrum_mutants {
inline int number = -1; // -1: not known yet
inline unsigned char *reached = nullptr;

// The kernel itself: the library replaces functions of the C library.
inline long call(long what, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(what), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

// As the process was started: early in its life the C library has no environment yet.
inline const char *variable(const char *name) {
    static char text[1 << 17];
    const long fd = call(SYS_open, (long)"/proc/self/environ", O_RDONLY, 0, 0, 0, 0);
    long size = 0, got = 0;
    while (fd >= 0 && (got = call(SYS_read, fd, (long)(text + size), (long)sizeof text - 1 - size, 0, 0, 0)) > 0)
        size += got;
    call(SYS_close, fd, 0, 0, 0, 0, 0);
    text[size] = 0;
    for (const char *at = text; at < text + size; at += strlen(at) + 1)
        if (strncmp(at, name, strlen(name)) == 0 && at[strlen(name)] == '=')
            return at + strlen(name) + 1;
    return nullptr;
}

inline void read_environment() {
    if (const char *file = variable("THRUM_MUTANTS_REACHED")) {
        long fd = call(SYS_open, (long)file, O_RDWR, 0, 0, 0, 0);
        if (fd >= 0) {
            reached = (unsigned char *)call(SYS_mmap, 0, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            call(SYS_close, fd, 0, 0, 0, 0, 0);
        }
    }
    const char *text = variable("THRUM_MUTANT");
    number = text ? atoi(text) : 0;
}
} // namespace thrum_mutants

constexpr bool thrum_mutant(int number) {
    if (__builtin_is_constant_evaluated())
        return false;
    if (thrum_mutants::number < 0)
        thrum_mutants::read_environment();
    if (thrum_mutants::reached)
        thrum_mutants::reached[number] = 1;
    return thrum_mutants::number == number;
}
'''


def say(*words):
    print(*words, flush=True)


# The choice and the copy


def product_hash():
    total = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted((ROOT / 'src' / folder).iterdir()):
            if path.suffix in ('.cc', '.h') and not path.name.endswith('_test.cc'):
                total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()


def find_places():
    import mutation_places
    finder = mutation_places.Finder(ROOT / 'src', FOLDERS)
    for entry in json.loads((ROOT / 'build/release/compile_commands.json').read_text()):
        path = ROOT / 'src' / Path(entry['file']).parent.name / Path(entry['file']).name
        if path.parent.name not in FOLDERS or not path.exists() or re.search(r'_(test|bench|fuzz)\.cc$', path.name):
            continue
        words, options = shlex.split(entry['command']), []
        for word, after in zip(words, words[1:] + ['']):
            if word.startswith('-I'):
                options.append('-I' + os.path.normpath(os.path.join(entry['directory'], word[2:])))
            elif word.startswith(('-D', '-std=')):
                options.append(word)
            elif word == '-isystem':
                options.append('-isystem' + after)
        finder.read(path, options)
    return finder


def choose(arguments):
    """Chooses places at random, of each folder as many as its share, and of a small folder not less than a tenth."""
    seed = arguments.seed if arguments.seed is not None else random.randrange(1 << 31)
    finder = find_places()
    places = sorted(finder.places.values())
    generator = random.Random(seed)
    chosen = []
    for folder in FOLDERS:
        own = [place for place in places if place.file.startswith(f'{folder}/')]
        share = max(arguments.count // 10, round(arguments.count * len(own) / len(places)))
        chosen += generator.sample(own, min(share, len(own)))
    chosen.sort()
    data = {'seed': seed, 'product': product_hash(), 'places': len(places), 'skipped': finder.skipped,
            'mutants': {str(number): vars(place) for number, place in enumerate(chosen, 1)}, 'not_compiled': {}}
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / 'mutants.json').write_text(json.dumps(data))
    return data


def load(arguments):
    file = OUT / 'mutants.json'
    if not file.exists():
        return choose(arguments)
    data = json.loads(file.read_text())
    if data['product'] != product_hash():
        raise SystemExit(f'src/ has changed since the mutants were chosen: remove {OUT} and begin again (--seed {data["seed"]})')
    if arguments.seed not in (None, data['seed']):
        raise SystemExit(f'{OUT} has the mutants of seed {data["seed"]}: remove it to use another')
    return data


def write_copy(data):
    """Writes what differs, so that the build compiles no more than it must."""
    import mutation_places
    by_file = {}
    for number, place in data['mutants'].items():
        if number not in data['not_compiled']:
            place = mutation_places.Place(**place)
            by_file.setdefault(f'src/{place.file}', []).append((int(number), place))
    listed = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard', *COPIED], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split('\n')
    for name in filter(None, listed):
        if not (ROOT / name).exists():
            continue
        content = (ROOT / name).read_bytes()
        if name in by_file:
            content = mutation_places.Writer(content, by_file[name]).whole().encode()
        put(COPY / name, content, (ROOT / name).stat().st_mode)
    put(OUT / 'switch.h', SWITCH.encode(), 0o644)


def put(path, content, mode):
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


def unit_targets():
    return [f'{path.parent.name}_{path.stem}' for folder in UNIT_FOLDERS
            for path in sorted((ROOT / 'src' / folder).glob('*_test.cc'))]


def build(data):
    """Builds the copy; drops the mutants in lines that do not compile, until all the others do."""
    for _ in range(20):
        write_copy(data)
        configure = ['cmake', '-S', COPY, '-B', BUILD, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Mutants', '-DTHRUM_BENCHMARKS=OFF',
                     '-DCMAKE_C_FLAGS=-O1 -g1', f'-DCMAKE_CXX_FLAGS=-O1 -g1 -w -include {OUT}/switch.h']
        subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(['cmake', '--build', BUILD, '-j1', '--', '-k', '0', 'mpi_abi', 'mpiexec', *unit_targets(), *program_targets()],
                              capture_output=True, text=True)
        if done.returncode == 0:
            return
        faults = set(re.findall(r'(?:source/|\.\./)src/(\w+/\w+\.\w+):(\d+):\d+: error', done.stdout + done.stderr))
        culprits = {number: 'does not compile' for number, place in data['mutants'].items()
                    if number not in data['not_compiled'] and
                    any(file == place['file'] and abs(int(line) - place['line']) <= 1 for file, line in faults)}
        if not culprits:
            raise SystemExit(done.stdout[-6000:] + done.stderr[-3000:])
        say(f'{len(culprits)} mutants do not compile:', *(f'{file}:{line}' for file, line in sorted(faults)))
        data['not_compiled'].update(culprits)
        (OUT / 'mutants.json').write_text(json.dumps(data))
    raise SystemExit('the copy does not compile')


# The tests


def stamp(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8]


def unit_tests():
    for folder in UNIT_FOLDERS:
        for path in sorted((ROOT / 'src' / folder).glob('*_test.cc')):
            program = BUILD / 'unit' / f'{folder}_{path.stem}'
            listed = subprocess.run([program, '--gtest_list_tests'], capture_output=True, text=True, check=True).stdout
            suite = ''
            for line in listed.splitlines()[1:]:
                name = line.split('#')[0].strip()
                if not line.startswith(' '):
                    suite = name
                elif not name.startswith('DISABLED_'):
                    yield f'unit/{folder}/{path.stem}/{suite}{name}@{stamp(path)}', [str(program), f'--gtest_filter={suite}{name}']


def program_targets():
    """The programs of PROGRAM_FOLDERS, as files below BUILD."""
    return [f'tests/{folder}/{path.stem}' for folder in PROGRAM_FOLDERS for path in sorted((ROOT / 'tests' / folder).iterdir())
            if path.suffix in ('.c', '.cc', '.f90', '.f')]


def whole_programs(arguments):
    shown = subprocess.run(['ctest', '--test-dir', BUILD, '--show-only=json-v1'], capture_output=True, text=True,
                           check=True).stdout
    for test in json.loads(shown)['tests']:
        found = re.fullmatch(r'([\w/]+)/\w+/([\w-]+)', test['name'])
        if (not found or found[1] not in arguments.folders or found[2] not in arguments.modes or
                'run_program.sh' not in test['command'][0]):
            continue
        yield f'{test["name"]}@{stamp(test["command"][-2])}', test['command']


def limit_resources():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 36, 1 << 36))


def end_children():
    """Ends what a test has left behind: this process adopts it (main())."""
    while True:
        tasks = Path('/proc/self/task')
        children = {int(word) for task in tasks.iterdir() for word in (task / 'children').read_text().split()}
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        if not children:
            return


def available_bytes():
    return int(re.search(r'MemAvailable: +(\d+)', Path('/proc/meminfo').read_text())[1]) * 1024


def run_test(command, environment, limit_s):
    """Runs one test. Returns (verdict, last line): passed, failed, time-out or memory."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   env={**os.environ, 'THRUM_TEST_SEED': '1', **environment}, cwd=OUT, start_new_session=True,
                                   preexec_fn=limit_resources)
        end, verdict = time.monotonic() + limit_s, None
        while verdict is None:
            try:
                code = process.wait(0.3)
                verdict = 'passed' if code == 0 else 'skipped' if code == 77 else 'failed'
            except subprocess.TimeoutExpired:
                if available_bytes() < 3 << 30 or output.seek(0, 2) > 1 << 28:
                    verdict = 'memory'
                elif time.monotonic() > end:
                    verdict = 'time-out'
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        end_children()
        output.seek(0)
        text = output.read(1 << 20).decode(errors='replace')
    told = [line for line in text.split('\n') if re.search(r'FAILED:|CHECK\(|Failure|thrum: |terminate|Segm', line)]
    return verdict, (told or [''])[0].strip()[:160]


def measure(tests, known):
    """Runs each test without a mutant: records its time and the mutants that it reaches."""
    file = OUT / 'reached'
    for index, (name, command) in enumerate(tests.items()):
        if name in known:
            continue
        file.write_bytes(bytes(65536))
        start = time.monotonic()
        verdict, told = run_test(command, {'THRUM_MUTANTS_REACHED': str(file)}, 120)
        seconds = time.monotonic() - start
        numbers = [number for number, byte in enumerate(file.read_bytes()) if byte]
        known[name] = {'verdict': verdict, 'seconds': round(seconds, 2), 'reached': numbers}
        if verdict not in ('passed', 'skipped'):
            say(f'left out: {name} {verdict} without a mutant: {told}')
        if index % 20 == 0:
            (OUT / 'reached.json').write_text(json.dumps(known))
    (OUT / 'reached.json').write_text(json.dumps(known))


# The run


def read_results():
    """Returns {number: its last line}, with the tests tried of all its lines."""
    results = {}
    file = OUT / 'results.jsonl'
    for line in file.read_text().splitlines() if file.exists() else ():
        entry = json.loads(line)
        entry['tried'] = sorted(set(entry['tried']) | set(results.get(entry['number'], {}).get('tried', ())))
        results[entry['number']] = entry
    return results


def in_order(number, place, names, known, caught_by):
    """Sorts tests: what has caught mutants of the file, then unit tests of the folder, then what is quick and special."""
    folder = place['file'].split('/')[0]

    def cost(name):
        seconds = known[name]['seconds']
        if name.startswith(f'unit/{folder}/'):
            seconds *= 0.3
        seconds *= 0.5 + len(known[name]['reached']) / 200
        return seconds / (1 + caught_by.get((place['file'], name), 0))

    return sorted((name for name in names if number in known[name]['reached']), key=cost)


def try_mutant(number, names, tests, known, budget_s):
    """Runs tests until one fails. A time-out counts if it comes again with three times the time, or with another test."""
    environment = {'THRUM_MUTANT': str(number)}
    begin, tried, slow = time.monotonic(), [], []
    for name in names:
        if tried and time.monotonic() - begin > budget_s:
            break
        limit = 3 + 6 * known[name]['seconds']
        verdict, told = run_test(tests[name], environment, limit)
        if verdict in ('failed', 'memory'):
            return {'state': 'caught', 'by': name, 'how': told or verdict, 'tried': tried}
        if verdict == 'time-out':
            slow.append((limit, name))
            if len(slow) == 2:
                break
        else:
            tried.append(name)
    for limit, name in slow[:1]:
        verdict, told = run_test(tests[name], environment, 3 * limit)
        if verdict != 'passed':
            return {'state': 'caught', 'by': name, 'how': f'{verdict} {told}', 'tried': tried}
    return {'state': 'survived', 'tried': tried + [name for _, name in slow]}


def run_mutants(data, tests, known, arguments):
    results, caught_by = read_results(), {}
    for entry in results.values():
        if entry['state'] == 'caught':
            key = (data['mutants'][str(entry['number'])]['file'], entry['by'])
            caught_by[key] = caught_by.get(key, 0) + 1
    usable = [name for name in tests if known[name]['verdict'] == 'passed']
    order = [number for number in map(int, data['mutants']) if str(number) not in data['not_compiled']]
    random.Random(data['seed']).shuffle(order)
    for number in arguments.check or order:
        before, place = results.get(number), data['mutants'][str(number)]
        if arguments.survivors and not before:
            continue
        if before and before['state'] == 'caught' and not arguments.check:
            continue
        done = set(before['tried']) if before and not arguments.check else set()
        names = [name for name in in_order(number, place, usable, known, caught_by) if name not in done]
        if before and not names:
            continue
        entry = {'number': number, **try_mutant(number, names, tests, known, arguments.seconds)}
        with open(OUT / 'results.jsonl', 'a') as file:
            file.write(json.dumps(entry) + '\n')
        if entry['state'] == 'caught':
            key = (place['file'], entry['by'])
            caught_by[key] = caught_by.get(key, 0) + 1
        say(f'{number} {place["file"]}:{place["line"]}: {place["what"]}: {entry["state"]}',
            f'by {entry["by"].split("@")[0]}' if entry['state'] == 'caught' else f'{len(entry["tried"])} of {len(names)} tests')


def evaluated_by_compiler(data, known):
    """The mutants of constant expressions whose switch no test reaches: at compile time it is off."""
    reached = {number for test in known.values() for number in test['reached']}
    return {number for number, place in data['mutants'].items() if place.get('constant') and int(number) not in reached}


def table(data, known):
    results, constant = read_results(), evaluated_by_compiler(data, known)
    counts = {}
    for number, place in data['mutants'].items():
        if number in data['not_compiled'] or number in constant or int(number) not in results:
            continue
        folder, entry = place['file'].split('/')[0], results[int(number)]
        counts.setdefault(folder, []).append(entry['state'] == 'caught')
        if entry['state'] != 'caught':
            reaching = sum(1 for test in known.values() if int(number) in test['reached'])
            say(f'survived: {number} src/{place["file"]}:{place["line"]}: {place["what"]} ({reaching} tests reach it)')
    say(f'seed {data["seed"]}: {data["places"]} places found, {len(data["mutants"])} chosen, {len(data["not_compiled"])} of them '
        f'do not compile, {len(constant)} are evaluated by the compiler; skipped before: {data["skipped"]}')
    for folder, states in [*counts.items(), ('all', [state for states in counts.values() for state in states])]:
        say(f'{folder}: {sum(states)} of {len(states)} mutants caught ({100 * sum(states) / max(1, len(states)):.1f} %)')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--count', type=int, default=540)
    parser.add_argument('--seed', type=int)
    parser.add_argument('--folders', type=lambda text: text.split(','), default=PROGRAM_FOLDERS)
    parser.add_argument('--modes', type=lambda text: text.split(','), default=MODES)
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--build-only', action='store_true')
    parser.add_argument('--no-build', action='store_true')
    parser.add_argument('--table', action='store_true')
    parser.add_argument('--survivors', action='store_true')
    parser.add_argument('--check', type=int, nargs='*')
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT / 'tools'))
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    data = load(arguments)
    file = OUT / 'reached.json'
    known = json.loads(file.read_text()) if file.exists() else {}
    if arguments.table:
        return table(data, known)
    say(f'seed {data["seed"]}')
    if not arguments.no_build:
        build(data)
    if arguments.build_only:
        return None
    tests = {**dict(unit_tests()), **dict(whole_programs(arguments))}
    measure(tests, known)
    run_mutants(data, tests, known, arguments)
    return table(data, known)


if __name__ == '__main__':
    sys.exit(main())
