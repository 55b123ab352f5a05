"""Where the machine lacks PMIx, libfabric or hwloc, the library in lib/thrum/bundled of the tree is used, as in a wheel.

A mount namespace hides the machine's libraries, which takes root.
"""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from commands import HELLO, TREE, CommandTest, names, run

LIBRARIES = ('libpmix.so.2', 'libfabric.so.1', 'libhwloc.so.15')


def of_machine(name):
    cache = subprocess.run(['/sbin/ldconfig', '-p'], capture_output=True, text=True, check=True).stdout
    return Path(re.search(rf'^\s*{re.escape(name)} \(libc6,x86-64.*\) => (.*)$', cache, re.M)[1]).resolve()


@unittest.skipUnless(os.geteuid() == 0, 'only root can hide libraries of the machine')
class BundledLibraries(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.places = {name: of_machine(name) for name in LIBRARIES}
        cls.hello = cls.compile('hello', HELLO)
        cls.without, cls.tree = cls.scratch / 'without', cls.scratch / 'with'
        for tree in (cls.without, cls.tree):
            code, output, errors = run('cmake', '--install', TREE, '--prefix', tree)
            if code:
                raise RuntimeError(output + errors)
        bundled = cls.tree / 'lib' / 'thrum' / 'bundled'
        bundled.mkdir()
        for name, place in cls.places.items():
            shutil.copy(place, bundled / name)

    def mpiexec(self, hidden, tree, *words):
        """Runs mpiexec of `tree` where the machine's library `hidden` is an empty file."""
        command = f'mount --bind /dev/null {self.places[hidden]} && exec "$@"'
        return run('unshare', '--mount', 'sh', '-c', command, 'sh', tree / 'bin' / 'mpiexec', *words, self.hello)

    def check(self, hidden, words, code, sentence):
        """The job runs with the bundled library. Without it, mpiexec ends with `code` and says `sentence`."""
        self.assertEqual(sorted(self.succeeds(self.mpiexec(hidden, self.tree, *words)).splitlines()), names(2))
        self.fails(self.mpiexec(hidden, self.without, *words), code, sentence)

    def test_pmix_starts_processes(self):
        self.check('libpmix.so.2', ('--processes', '-n', 2), 2, 'libpmix.so.2: file too short (apt-get install libpmix2)')

    def test_libfabric_connects_hosts(self):
        self.check('libfabric.so.1', ('--hosts', 'one,two', '--launcher', 'fork'), 1,
                   'libfabric.so.1: file too short; install the package libfabric1')

    def test_hwloc_places_processes(self):
        words = ('--processes', '--bind-to', 'none', '--report-bindings', '-n', 2)
        # The machine's PMIx, which is not hidden, needs the machine's hwloc, so the job ends; the bindings come before.
        self.assertIn('rank 1:', self.mpiexec('libhwloc.so.15', self.tree, *words)[2])
        self.fails(self.mpiexec('libhwloc.so.15', self.without, *words), 2, 'libhwloc.so.15: file too short (apt-get install libhwloc15)')

    def test_mpiexec_finds_them_by_any_name(self):
        """Its own name has no folder if PATH leads to it, and it may be a symbolic link."""
        (self.scratch / 'link').symlink_to(self.tree / 'bin' / 'mpiexec')
        hide = f'mount --bind /dev/null {self.places["libpmix.so.2"]}'
        for path, name in ((self.tree / 'bin', 'mpiexec'), (self.scratch, 'link')):
            result = run('unshare', '--mount', 'sh', '-c', f'{hide} && PATH={path}:$PATH exec {name} --processes -n 2 {self.hello}')
            self.assertEqual(sorted(self.succeeds(result).splitlines()), names(2))


if __name__ == '__main__':
    unittest.main()
