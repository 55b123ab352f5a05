"""The renderers of examples/acl: the picture that many ranks make has the bytes of the one that a single rank renders serially."""
import struct
import unittest
import zlib
from pathlib import Path

from commands import BIN, CommandTest, mpiexec, run

EXAMPLES = Path(__file__).resolve().parents[3] / 'examples' / 'acl'
MODES = {'one worker': ['--workers', '1'], 'two workers': ['--workers', '2'], 'OS threads': ['--threads=os'],
         'processes': ['--processes'], 'two ranks a process': ['--ranks-per-process', 2]}


def pixels_of(path):
    """Width, height and the bytes of the rows of an unfiltered RGB picture; checks every checksum."""
    data = path.read_bytes()
    assert data[:8] == b'\x89PNG\r\n\x1a\n', 'no PNG'
    at, packed, size = 8, b'', None
    while at < len(data):
        length, = struct.unpack('>I', data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        assert struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b'IHDR':
            size = struct.unpack('>II', body[:8])
        elif kind == b'IDAT':
            packed += body
        at += 12 + length
    rows = zlib.decompress(packed)
    width, height = size
    assert len(rows) == height * (3 * width + 1)
    return width, height, b''.join(rows[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)] for y in range(height))


class Pictures(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in ('volume', 'spheres'):
            done = run(BIN / 'mpicc', '-O2', '-Wall', '-Werror', EXAMPLES / f'{name}.c', '-o', cls.scratch / name,
                       '-lz', '-lm')
            assert done[0] == 0, done[2]

    def render(self, name, ranks, *arguments, mode='two workers'):
        path = self.scratch / f'{name}_{ranks}.png'
        code, out, err = mpiexec(*MODES[mode], '-n', ranks, self.scratch / name, *arguments, '-o', path, timeout=300)
        self.assertEqual((code, err), (0, ''), out)
        return path

    def assert_same_for(self, name, ranks, *arguments):
        serial = self.render(name, 1, *arguments).read_bytes()
        for n in ranks:
            for mode in MODES if n <= 8 else ['two workers']:
                with self.subTest(ranks=n, mode=mode):
                    self.assertEqual(self.render(name, n, *arguments, mode=mode).read_bytes(), serial)

    def test_a_small_volume_is_the_same_for_any_number_of_ranks(self):
        self.assert_same_for('volume', [2, 8, 64], '-n', 64, '-s', 48)

    def test_a_small_volume_is_the_same_from_another_side(self):
        self.assert_same_for('volume', [4, 16], '-n', 64, '-s', 48, '-a', -50)

    def test_the_volume_in_full_size_is_the_same(self):
        serial, parallel = self.render('volume', 1), self.render('volume', 32)
        self.assertEqual(serial.read_bytes(), parallel.read_bytes())

    def test_the_volumes_picture_shows_it(self):
        width, height, rgb = pixels_of(self.render('volume', 8))
        self.assertEqual((width, height), (256, 256))
        self.assertEqual(rgb[:3], b'\0\0\0')  # nothing in the corner
        red, green, blue = rgb[3 * (128 * 256 + 128):][:3]
        self.assertTrue(min(red, green, blue) > 150, 'the bright core in the middle')
        self.assertGreater(len(set(rgb[i:i + 3] for i in range(0, len(rgb), 3))), 1000)

    def test_spheres_are_the_same_whoever_draws_them(self):
        self.assert_same_for('spheres', [2, 3, 8, 33], '-n', 3000, '-s', 100)

    def test_spheres_in_full_size_are_the_same(self):
        serial, parallel = self.render('spheres', 1), self.render('spheres', 32)
        self.assertEqual(serial.read_bytes(), parallel.read_bytes())
        width, height, rgb = pixels_of(parallel)
        self.assertEqual((width, height), (512, 512))
        self.assertGreater(len(set(rgb[i:i + 3] for i in range(0, len(rgb), 3))), 1000)

    def test_a_number_of_ranks_that_is_no_power_of_two_is_refused_for_volumes(self):
        code, _, err = mpiexec('-n', 3, self.scratch / 'volume')
        self.assertEqual(code, 2)
        self.assertIn('volume: 3 ranks: must be a power of two, at most 64', err)


if __name__ == '__main__':
    unittest.main()
