"""portable/acl_mpi.c, ACLMPL on top of plain MPI: ACLMPL's whole-program tests and examples over Thrum's MPI, or with
THRUM_TEST_MPI=mpich over MPICH's wheel."""
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from commands import TREE, CommandTest, run

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'bench'))
import measure  # noqa: E402

# A mistake is told without its place; a wait that never ends is Thrum's to find out; nobody is made to wait.
ONLY_THRUM = {'a_deadlock_is_told_with_aclmpls_names', 'an_end_without_acl_end_is_told',
              'a_collective_call_of_mpi_instead_of_acl_end_is_told',
              'who_sends_too_much_waits_for_its_receiver'}
RANKS_MAX = 64 if os.environ.get('THRUM_TEST_MPI') != 'mpich' else 8  # of processes that poll


def implementation():
    """Folder of mpicc, and the command that launches a number of ranks."""
    if os.environ.get('THRUM_TEST_MPI') != 'mpich':
        return TREE / 'bin', lambda n: ([TREE / 'bin' / 'mpiexec', '-n', n], {})
    bin_dir = measure.install_peer('mpich==5.0.2', TREE / 'peers' / 'mpich')
    if not bin_dir:
        raise unittest.SkipTest('MPICH cannot be installed here')
    return bin_dir, measure.Peer('MPICH', bin_dir, True).settings


def words(source, name):
    return re.findall(rf'^// {name}: (.*)$', source.read_text(), re.M)


class Portable(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bin, cls.launch = implementation()[0], staticmethod(implementation()[1])
        code, _, err = run(cls.bin / 'mpicc', '-O1', '-g', '-Wall', '-Wextra', '-Werror', f'-I{ROOT}/include', '-c',
                           ROOT / 'portable' / 'acl_mpi.c', '-o', cls.scratch / 'acl_mpi.o')
        assert code == 0, err

    def build(self, source, *flags):
        program = self.scratch / source.stem
        code, _, err = run(self.bin / 'mpicc', '-O1', f'-I{ROOT}/include', f'-I{ROOT}/tests/harness', source,
                           self.scratch / 'acl_mpi.o', '-o', program, *flags)
        self.assertEqual(code, 0, err)
        return program

    def start(self, program, ranks, *arguments):
        command, environment = self.launch(int(ranks))
        done = subprocess.run([str(word) for word in [*command, program, *arguments]], capture_output=True, text=True,
                              timeout=120, env={**os.environ, **environment}, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout + done.stderr

    def test_programs_of_tests_acl(self):
        for source in sorted((ROOT / 'tests' / 'programs' / 'acl').glob('*.c')):
            if source.stem in ONLY_THRUM:
                continue
            program = self.build(source)
            expected = [text.removeprefix('^thrum: ') for text in words(source, 'expect') if not text.startswith('\\(at')]
            # The exact length of what does not fit is not known.
            expected = [re.sub(r'has 12 bytes, but the receive buffer only 8', 'has (more than|12)', e) for e in expected]
            for ranks in (words(source, 'ranks') or ['4'])[0].split():
                if int(ranks) > RANKS_MAX:
                    continue
                with self.subTest(program=source.stem, ranks=ranks):
                    code, output = self.start(program, ranks)
                    self.assertEqual(code != 0, words(source, 'exit') == ['nonzero'], output)
                    for regex in expected:
                        self.assertRegex(output, regex)

    def test_the_volume_renderer_makes_the_same_picture(self):
        program, pictures = self.build(ROOT / 'examples' / 'acl' / 'volume.c', '-lz', '-lm'), []
        for ranks in (1, 4):
            path = self.scratch / f'volume_{ranks}.png'
            code, output = self.start(program, ranks, '-n', '64', '-s', '40', '-o', path)
            self.assertEqual(code, 0, output)
            pictures.append(path.read_bytes())
        self.assertEqual(pictures[0], pictures[1])

    def test_the_sphere_renderer_makes_the_same_picture(self):
        program, pictures = self.build(ROOT / 'examples' / 'acl' / 'spheres.c', '-lz', '-lm'), []
        for ranks in (1, 5):
            path = self.scratch / f'spheres_{ranks}.png'
            code, output = self.start(program, ranks, '-n', '2000', '-s', '60', '-o', path)
            self.assertEqual(code, 0, output)
            pictures.append(path.read_bytes())
        self.assertEqual(pictures[0], pictures[1])


if __name__ == '__main__':
    unittest.main()
