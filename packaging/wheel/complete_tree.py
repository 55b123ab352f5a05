#!/usr/bin/env python3
"""Completes an installed tree for a wheel: no symbolic links, and the libraries that a machine may lack.

Wheels have no symbolic links. Those of libraries become linker scripts, which cost nothing; the others become copies.

The libraries that Thrum loads when a job needs them (PMIx, libfabric, hwloc) and those of its commands (elfutils) go to
lib/thrum/bundled with all that they need, each with the copyright file of its Debian package. auditwheel cannot do this: it
does not see libraries that are loaded by name, and does not know where pip puts the tree.
"""
import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

LOADED_BY_NAME = ('libpmix.so.2', 'libfabric.so.1', 'libhwloc.so.15')
# Every machine has these: glibc's, and those of gcc.
OF_EVERY_MACHINE = re.compile(r'(linux-vdso|ld-linux-x86-64|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so')


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def replace_link(link):
    target = link.resolve(strict=True)
    link.unlink()
    if target.name.startswith('lib') and '.so' in target.name:
        link.write_text(f'INPUT({target.name})\n')
    else:
        shutil.copy2(target, link)


def find_library(name):
    found = re.search(rf'^\s*{re.escape(name)} \(libc6,x86-64[^)]*\) => (.*)$', run('/sbin/ldconfig', '-p'), re.M)
    if not found:
        sys.exit(f'complete_tree.py: {name} is not installed; run tools/install_dependencies.sh')
    return Path(found[1])


def needed_by(file):
    """What ld.so loads for `file`, by name, without what every machine has."""
    found = re.findall(r'^\s*(\S+) => (/\S+)', run('ldd', str(file)), re.M)
    return {name: Path(path) for name, path in found if not OF_EVERY_MACHINE.match(name)}


def is_binary(file):
    """Whether it is an ELF file: a command may be a shell script, which needs no libraries."""
    with file.open('rb') as opened:
        return opened.read(4) == b'\x7fELF'


def copy_copyright(library, folder):
    """Copies the copyright file of the Debian package that has the library."""
    names = {library, library.resolve(), *(Path(f'{"/usr" if str(p).startswith("/lib") else ""}{p}') for p in (library, library.resolve()))}
    names |= {Path(str(name).removeprefix('/usr')) for name in names}
    for name in sorted(names):
        owner = subprocess.run(['dpkg-query', '--search', name], capture_output=True, text=True)
        if owner.returncode == 0:
            package = owner.stdout.split(':')[0]
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(f'/usr/share/doc/{package}/copyright', folder / f'{package}.copyright')
            return
    sys.exit(f'complete_tree.py: no Debian package has {library}, so its licence is unknown; install the package')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('tree', type=Path)
    tree = parser.parse_args().tree
    for link in [path for path in tree.rglob('*') if path.is_symlink()]:
        replace_link(link)

    commands = [path for path in (tree / 'libexec' / 'thrum').rglob('*') if path.is_file() and is_binary(path) and needed_by(path).keys() - {'libmpi_abi.so.1'}]
    libraries = {name: find_library(name) for name in LOADED_BY_NAME}
    for file in [*libraries.values(), *commands]:
        libraries |= needed_by(file)
    libraries.pop('libmpi_abi.so.1', None)
    bundled = tree / 'lib' / 'thrum' / 'bundled'
    bundled.mkdir(parents=True)
    for name, path in libraries.items():
        shutil.copy(path, bundled / name)
        run('patchelf', '--set-rpath', '$ORIGIN', str(bundled / name))
        copy_copyright(path, tree / 'share' / 'doc' / 'thrum' / 'bundled')
    for command in commands:
        up = '/'.join('..' for _ in command.relative_to(tree).parts[:-1])
        run('patchelf', '--set-rpath', f'$ORIGIN/{up}/lib/thrum/bundled', str(command))


if __name__ == '__main__':
    main()
