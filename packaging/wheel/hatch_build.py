"""Builds Thrum, installs it in a scratch folder, and gives the tree to the wheel as shared data."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CHECKOUT = Path(__file__).resolve().parents[2]
# A build of the preset "release"; tests name their own.
BUILD = Path(os.environ.get('THRUM_TREE') or CHECKOUT / 'build' / 'release')


def run(*words):
    subprocess.run(words, check=True, cwd=CHECKOUT, stdout=subprocess.DEVNULL)


class TreeHook(BuildHookInterface):
    def initialize(self, version, build_data):
        if not (BUILD / 'build.ninja').exists():
            run('cmake', '--preset', 'release')
        run('cmake', '--build', BUILD, '--target', 'thrum_installed')
        self.scratch = Path(tempfile.mkdtemp(prefix='thrum-wheel-'))
        run('cmake', '--install', BUILD, '--prefix', self.scratch, '--strip')
        run(sys.executable, '-B', Path(__file__).with_name('complete_tree.py'), self.scratch)
        build_data['shared_data'] |= {str(folder): folder.name for folder in self.scratch.iterdir()}
        build_data |= {'pure_python': False, 'tag': 'py3-none-linux_x86_64'}

    def finalize(self, version, build_data, artifact_path):
        shutil.rmtree(self.scratch)
