#!/usr/bin/env python3
"""The pytest plug-in with mpi4py, in a clean virtual environment.

  run.py mpi_pytest --bin BIN --work DIR    the tests of mpi-pytest and the examples of its README, both ways to start
  run.py pytest_mpi --bin BIN --work DIR    the tests of pytest-mpi and the examples of its documentation
  run.py neighbours --bin BIN --work DIR    the plug-in beside the two others
  run.py page --bin BIN --work DIR          what docs/testing.md shows of the plug-in

The packages come from the package index as they are; nothing in them is changed. mpi4py is the one that ../mpi4py/run.py has built.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(PROJECT / 'tests' / folder) for folder in ('third_party', 'commands/docs')]
import source_package  # noqa: E402

HERE = 'tests/third_party/pytest/run.py'
VERSIONS = {'mpi-pytest': '2026.0', 'pytest-mpi': '0.6'}
LIMIT_S = 300
# The examples of mpi-pytest's README say nothing about imports.
IMPORTS = 'import pytest\nfrom mpi4py.MPI import COMM_WORLD\n'


class Place:
    """The virtual environment, and where the packages are unpacked."""

    def __init__(self, bin_dir, work):
        self.bin, self.work, self.venv = bin_dir, work, work / 'venv'
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(('THRUM_', 'VIRTUAL_ENV', 'PYTHON', 'PYTEST'))}
        self.environment |= {'PATH': f'{self.venv}/bin:{bin_dir}:{os.environ["PATH"]}', 'LD_LIBRARY_PATH': str(bin_dir.parent / 'lib'),
                             'PIP_DISABLE_PIP_VERSION_CHECK': '1', 'COLUMNS': '120'}

    def make(self):
        python = self.venv / 'bin' / 'python'
        if not python.exists():
            shutil.rmtree(self.venv, ignore_errors=True)
            self.call(sys.executable, '-m', 'venv', self.venv)
            # What the packages are built with: they are fetched as source packages.
            self.call(python, '-m', 'pip', 'install', '-q', 'pytest', 'pytest-xdist', 'sybil', 'py', 'hatchling', 'setuptools>=77.0.3', 'wheel')
        self.call(python, '-m', 'pip', 'install', '-q', '--no-deps', '--no-build-isolation', '--force-reinstall', PROJECT / 'packaging' / 'pytest')
        site = next(self.venv.glob('lib/python*/site-packages'))
        built = next(self.bin.parent.glob('mpi4py/environment/lib/python*/site-packages'))
        (site / 'mpi4py.pth').write_text(f'{built}\n')

    def call(self, *command, cwd=None, code=0, **variables):
        """Runs a command and returns what it prints; its exit code must be `code`."""
        done = subprocess.run([str(word) for word in command], cwd=cwd, env={**self.environment, **variables}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S)
        if done.returncode != code:
            source_package.fail(f'exit code {done.returncode} of {" ".join(map(str, command))}\n{done.stdout[-8000:]}')
        return done.stdout

    def pytest(self, *words, outcome, cwd, code=0, launcher=(), **variables):
        """Runs pytest, whose last line must have `outcome`."""
        printed = self.call(*launcher, 'python', '-m', 'pytest', *words, cwd=cwd, code=code, **variables)
        if not re.search(rf'(?m)^=* ?{outcome}\b.* in [\d.]+s', printed):
            source_package.fail(f'not "{outcome}" in\n{printed[-8000:]}')
        print(f'{" ".join(map(str, [*launcher, "pytest", *words]))}: {outcome}')
        return printed

    def source(self, package):
        """The unpacked source package."""
        folder = self.work / package
        if not folder.exists():
            name = f'{package}=={VERSIONS[package]}'
            self.call('python', '-m', 'pip', 'download', '-q', '--no-deps', '--no-build-isolation', '--no-binary', package, '-d', self.work, name)
            archive = next(path for path in self.work.glob('*.tar.gz') if path.name.replace('_', '-').startswith(package))
            source_package.unpack(archive, folder)
        return folder

    def folder(self, name):
        """A new folder, in which pytest finds no configuration but its own."""
        folder = self.work / 'run' / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / 'pytest.ini').write_text('[pytest]\n')
        return folder


def examples_of(text):
    """The blocks of Python in a page of Markdown or reStructuredText."""
    yield from re.findall(r'(?ms)^```py(?:thon)?\n(.*?)^```', text)
    for block in re.findall(r'(?m)^ *\.\. code-block:: python\n((?:\n| .*\n)+)', text):
        lines = block.strip('\n').split('\n')
        indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        yield '\n'.join(line[indent:] for line in lines) + '\n'


def expect(printed, *lines):
    for line in lines:
        if not re.search(line, printed):
            source_package.fail(f'no line {line!r} in\n{printed[-8000:]}')


def run_mpi_pytest(place):
    source = place.source('mpi-pytest')
    folder = place.folder('mpi_pytest')
    shutil.copytree(source / 'tests', folder / 'tests')
    place.pytest('tests', outcome='15 passed', cwd=folder)
    place.pytest('-n2', 'tests', outcome='15 passed', cwd=folder)
    place.pytest('-m', 'parallel[1]', 'tests', outcome='5 passed, 10 deselected', cwd=folder)
    for ranks in 2, 3:
        mpiexec = (place.bin / 'mpiexec', '-n', ranks)
        place.pytest('-m', f'parallel[{ranks}]', 'tests', outcome='5 passed, 10 deselected', cwd=folder, launcher=mpiexec)
        place.pytest('-m', 'parallel[match]', 'tests', outcome='5 passed, 10 deselected', cwd=folder, launcher=mpiexec)
    printed = place.pytest('tests', outcome='5 passed, .*10 errors', cwd=folder, code=1, launcher=(place.bin / 'mpiexec', '-n', 2))
    expect(printed, 'this test needs 3 ranks, and the job has 2; select tests by -m parallel.match')
    printed = place.pytest('tests', outcome='2 errors', cwd=folder, code=2, PYTEST_MPI_MAX_NPROCS='2')
    expect(printed, 'more than PYTEST_MPI_MAX_NPROCS=2 allows')
    # The README: four ways to write a number, two to write several, the example that hangs, and parallel_assert. Its last block of
    # Python is the end of a function.
    examples = [text for text in examples_of((source / 'README.md').read_text()) if '@pytest' in text]
    assert len(examples) == 4, examples
    for number, text in enumerate(examples):
        (folder / f'test_readme_{number}.py').write_text(IMPORTS + text)
    place.pytest('test_readme_0.py', outcome='4 passed', cwd=folder)
    place.pytest('test_readme_1.py', outcome='6 passed', cwd=folder)
    printed = place.pytest('test_readme_2.py', outcome='1 failed', cwd=folder, code=1)
    expect(printed, r'(?m)^-+ rank 1 -+$', r'E +assert 1 == 0', r'(?m)^rank 0 waited in MPI_Barrier at test_readme_2\.py:9$',
           r'FAILED test_readme_2\.py::test_something - rank 1: assert 1 == 0')
    printed = place.pytest('test_readme_3.py', outcome='1 failed', cwd=folder, code=1)
    expect(printed, r'(?m)^-+ ranks 0,1 -+$', r'Parallel assertion failed on ranks: \[1\]')
    printed = place.call(place.bin / 'mpiexec', '-n', 2, 'pytest', 'test_readme_2.py', cwd=folder, code=86)
    expect(printed, 'rank 1: test_readme_2.py::test_something failed', 'E +assert 1 == 0', 'rank 0: MPI_Barrier on MPI_COMM_WORLD')


def run_pytest_mpi(place):
    source = place.source('pytest-mpi')
    folder = place.folder('pytest_mpi')
    shutil.copytree(source / 'tests', folder / 'tests')
    # Its tests import a helper of their own from pytest_mpi.
    (folder / 'helpers' / 'pytest_mpi').mkdir(parents=True)
    (folder / 'helpers' / 'pytest_mpi' / '__init__.py').write_text('')
    shutil.copy(source / 'src' / 'pytest_mpi' / '_helpers.py', folder / 'helpers' / 'pytest_mpi')
    place.pytest('-p', 'pytester', '--runpytest=subprocess', 'tests', outcome='10 passed', cwd=folder, PYTHONPATH=str(folder / 'helpers'))
    pages = [source / 'README.md', *sorted((source / 'docs').glob('*.rst'))]
    examples = [text for page in pages for text in examples_of(page.read_text()) if '@pytest' in text]
    assert len(examples) == 4, examples
    for number, text in enumerate(examples):
        (folder / f'test_example_{number}.py').write_text(text if 'import pytest' in text else 'import pytest\n' + dedented(text))
    files = sorted(path.name for path in folder.glob('test_example_*.py'))
    place.pytest(*files, outcome='4 skipped', cwd=folder)
    place.pytest('--with-mpi', *files, outcome='4 passed', cwd=folder)
    for ranks, outcome in (1, '4 passed'), (2, '3 passed, 1 skipped'), (4, '4 passed'):
        place.pytest('--with-mpi', *files, outcome=outcome, cwd=folder, launcher=(place.bin / 'mpirun', '-n', ranks))


def dedented(text):
    return re.sub(r'(?m)^    ', '', text) if text.lstrip('\n').startswith('    ') else text


def run_neighbours(place):
    """Another plug-in with the same markers is refused, and -p chooses between them."""
    folder = place.folder('neighbours')
    (folder / 'test_one.py').write_text('import pytest\n\n\n@pytest.mark.mpi(ranks=2)\ndef test_one():\n    pass\n')
    for package, name in ('mpi-pytest', 'mpi-pytest'), ('pytest-mpi', 'pytest_mpi'):
        source = place.source(package)
        place.call('python', '-m', 'pip', 'install', '-q', '--no-deps', '--no-build-isolation', source)
        try:
            printed = place.call('python', '-m', 'pytest', cwd=folder, code=4)
            expect(printed, f'ERROR: {package} and pytest-thrum define the same markers: run pip uninstall {package}, '
                            f'or choose one of them with -p no:{name} or -p no:thrum')
            place.pytest('-p', f'no:{name}', outcome='1 passed', cwd=folder)
            place.pytest('-p', 'no:thrum', outcome='1 passed|1 skipped', cwd=folder)
        finally:
            place.call('python', '-m', 'pip', 'uninstall', '-q', '-y', package)
    place.pytest(outcome='1 passed', cwd=folder)


def run_page(place):
    """The section of docs/testing.md; its commands to install are replaced by what this environment has."""
    os.environ.setdefault('THRUM_TREE', str(place.bin.parent))
    from pages import blocks_of
    folder = place.folder('page')
    blocks = list(blocks_of(PROJECT / 'docs' / 'testing.md'))
    (folder / 'test_sums.py').write_text(next(block.text for block in blocks if block.file == 'test_sums.py'))
    shown = [block for block in blocks if block.test == HERE and block.is_dialogue]
    assert len(shown) == 1, shown
    command, *lines = shown[0].lines
    printed = place.call('sh', '-c', command.removeprefix('$ '), cwd=folder, code=1, COLUMNS='80')
    rest = iter([line.strip() for line in printed.splitlines()])
    for line in lines:
        if line.strip() != '...' and line.strip() not in rest:
            source_package.fail(f'{shown[0].where}: no line {line!r}, or not in this order:\n{printed}')
    print('docs/testing.md: the output is the one that it shows')


def main():
    actions = {'mpi_pytest': run_mpi_pytest, 'pytest_mpi': run_pytest_mpi, 'neighbours': run_neighbours, 'page': run_page}
    a = source_package.command_line(__doc__, actions=tuple(actions))
    place = Place(a.bin, a.work)
    place.make()
    actions[a.action](place)


main()
