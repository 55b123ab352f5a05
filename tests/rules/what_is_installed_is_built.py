#!/usr/bin/env python3
"""The target thrum_installed builds every file that is installed: packages and make install build nothing else.

Usage: what_is_installed_is_built.py BUILD   Exit code 1 and a line for each file that it does not build; 77 without ninja.
"""
import re
import sys
from pathlib import Path


def read_edges(build):
    """Returns the inputs, order-only ones too, of each file and target that ninja can make."""
    edges = {}
    text = ''.join(path.read_text() for path in (build / 'build.ninja', *build.rglob('CMakeFiles/rules.ninja')))
    for line in text.replace('$\n', '').splitlines():
        found = re.fullmatch(r'build ((?:[^:$]|\$.)+): \S+(.*)', line)
        if not found:
            continue
        words = [re.findall(r'(?:[^ $|]|\$.)+', side) for side in found.groups()]
        for output in words[0]:
            edges.setdefault(output, set()).update(words[1])
    return edges


def reachable(edges, target):
    seen, waiting = set(), [target]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(edges.get(name, ()))
    return seen


def main():
    build = Path(sys.argv[1]).resolve()
    if not (build / 'build.ninja').exists():
        print('needs a build by ninja')
        return 77
    inside = f'{build}/'
    edges = {name.removeprefix(inside): {path.removeprefix(inside) for path in inputs}
             for name, inputs in read_edges(build).items()}
    built = {name.removeprefix('${cmake_ninja_workdir}') for name in reachable(edges, 'thrum_installed')}
    scripts = (build / folder / 'cmake_install.cmake' for folder in ('.', 'src', 'cmd', 'compiler'))
    scripts = [*scripts, *(path for path in (build / 'cmd').rglob('cmake_install.cmake'))]
    installed = {path.removeprefix(inside) for script in scripts if script.exists()
                 for path in re.findall(rf'"({re.escape(inside)}[^"]*)"', script.read_text())}
    installed = {path for path in installed if path in edges}  # the others are made when the build is configured
    if len(installed) < 20:
        print(f'only {len(installed)} files are installed from {build}: this test does not find them')
        return 1
    missing = sorted(installed - built)
    for path in missing:
        print(f'{path} is installed, but not built by thrum_installed')
    return bool(missing)


if __name__ == '__main__':
    sys.exit(main())
