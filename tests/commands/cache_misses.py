"""Misses of a simulated cache or TLB (bench/misses.py): a count, unlike a time, is the same on a busy machine. Whoever makes a rank's turn
touch fewer lines or pages lowers its number in COUNTS, so that it stays so."""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from commands import BIN, TREE, CommandTest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'bench'))
import misses  # noqa: E402

# Misses of a rank in a barrier of 1,024 ranks compiled with --privatize. Measured with gcc 12 in a release build.
COUNTS = {'L1 data': 20.7, 'TLB 1 data': 2.8}
ALLOWED = 1.05
COMPILER = 'GCC: (Debian 12'


@unittest.skipUnless(shutil.which('valgrind'), 'needs valgrind')
class CacheMisses(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = misses.compile_program(BIN / 'mpicc', cls.scratch / 'misses')

    def more(self, geometry, operation, fewer, many):
        """What a rank of 4 misses more in an operation on `many` lines or pages than in one on `fewer`: {column: number}."""
        small, large = f'{operation}:{fewer}', f'{operation}:{many}'
        results = misses.simulate(BIN / 'mpiexec', self.program, 4, 10, [small, large], geometry)
        return {title: sum(results[large][event] - results[small][event] for event in events)
                for title, of_geometry, events in misses.COLUMNS if of_geometry == geometry}

    def test_200_pages_more_are_200_tlb_misses_more(self):
        found = self.more('tlb', 'pages', 100, 300)
        self.assertAlmostEqual(found['TLB 1 data'], 200, delta=4)
        self.assertAlmostEqual(found['TLB 2 data'], 0, delta=2)  # it has room for them
        self.assertAlmostEqual(found['TLB 1 code'], 0, delta=2)

    def test_2000_lines_more_are_2000_cache_misses_more_and_no_tlb_misses(self):
        found = self.more('l2', 'lines', 1000, 3000)
        self.assertAlmostEqual(found['L1 data'], 2000, delta=40)
        self.assertAlmostEqual(found['L2 data'], 0, delta=20)
        self.assertAlmostEqual(self.more('tlb', 'lines', 1000, 3000)['TLB 1 data'], 0, delta=2)

    def test_a_barrier_misses_no_more_than_counted(self):
        built_by = subprocess.run(['readelf', '-p', '.comment', TREE / 'lib/libmpi_abi.so.1'], check=True, capture_output=True, text=True)
        if COMPILER not in built_by.stdout or 'CMAKE_BUILD_TYPE:STRING=Debug' in (TREE / 'CMakeCache.txt').read_text():
            self.skipTest(f'only release builds of {COMPILER}*) need these numbers of misses')
        program = misses.compile_program(BIN / 'mpicc', self.scratch / 'private', '--privatize')
        for title, geometry, events in misses.COLUMNS:
            if title in COUNTS:
                with self.subTest(title):
                    counts = misses.simulate(BIN / 'mpiexec', program, 1024, 10, ['barrier'], geometry)['barrier']
                    found = sum(counts[event] for event in events)
                    print(f'{title}: {found:.2f} misses')
                    self.assertLessEqual(found, COUNTS[title] * ALLOWED, f'a barrier misses more often than COUNTS says: {COUNTS[title]}')


if __name__ == '__main__':
    unittest.main()
