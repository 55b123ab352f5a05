"""Machines on which something is missing or full: output that cannot be written is never lost in silence, and whatever else is
not to be had is said in one line."""
import ctypes
import itertools
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import unittest

from commands import BIN, CommandTest, mpiexec, run

MODES = ((), ('--threads=os',), ('--processes',), ('--ranks-per-process', 2))
LINES = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 2 && !strcmp(argv[2], "waits")) getchar();
    for (int i = 0; i < atoi(argv[1]); ++i) printf("line %d of rank %d\n", i, rank);
    MPI_Finalize();
    return 0;
}
'''
LINES_CXX = r'''
#include <mpi.h>
#include <iostream>
int main(int argc, char **argv) {
    std::ios::sync_with_stdio(false);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < atoi(argv[1]); ++i) std::cout << "line " << i << '\n';
    MPI_Finalize();
}
'''
LINES_FORTRAN = '''
program lines
  use mpi
  implicit none
  integer :: ierr, i
  call MPI_Init(ierr)
  do i = 1, 3
    print *, 'line', i
  end do
  call MPI_Finalize(ierr)
end program
'''
NO_ROOM = 'No space left on device'


def in_small_file_system(directory, *command):
    """`command`, with `directory` a file system of 64 KiB; None where nobody may make one."""
    unshare = ('unshare', '--mount') if os.getuid() == 0 else ('unshare', '--map-root-user', '--mount')
    mount = f'mount -t tmpfs -o size=64k none {directory}'
    if not shutil.which('unshare') or run(*unshare, 'sh', '-c', mount)[0]:
        return None
    return (*unshare, 'sh', '-c', f'{mount} && exec "$@"', 'sh', *command)


def forbid_affinity():
    """In this process sched_getaffinity() fails with EPERM from now on (seccomp)."""
    system_call, allow, fail_with_eperm = 204, 0x7fff0000, 0x00050001
    instructions = ((0x20, 0, 0, 0), (0x15, 0, 1, system_call), (0x06, 0, 0, fail_with_eperm), (0x06, 0, 0, allow))
    program = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *each) for each in instructions))
    filter_ = struct.pack('HxxxxxxP', len(instructions), ctypes.addressof(program))
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_seccomp, mode_filter = 38, 22, 2
    if libc.prctl(no_new_privileges, 1, 0, 0, 0) or libc.prctl(set_seccomp, mode_filter, ctypes.c_char_p(filter_), 0, 0):
        raise OSError(ctypes.get_errno(), 'prctl')


class RareTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.lines = cls.compile('lines', LINES)

    def tells(self, result, code, *texts, lines=1):
        """In so many lines."""
        self.fails(result, code, *texts)
        self.assertEqual(len(result[2].splitlines()), lines, result[2])


class Output(RareTest):
    def to_full_device(self, *command):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
        return done.returncode, '', done.stderr

    def test_a_full_device(self):
        for how in MODES:
            for count in (1, 5000):
                with self.subTest(how=how, count=count):
                    result = self.to_full_device(BIN / 'mpiexec', '-n', 4, *how, self.lines, count)
                    self.tells(result, 1, 'cannot write', NO_ROOM)

    def test_a_full_device_for_one_rank(self):
        fortran = self.write('lines.f90', LINES_FORTRAN)
        run(BIN / 'mpifort', fortran, '-o', self.scratch / 'fortran')
        programs = (self.lines, self.compile('lines_cxx', LINES_CXX, compiler='mpicxx'), self.scratch / 'fortran')
        for program in programs:
            for launcher in ((BIN / 'mpiexec', '-n', 1), ()):
                with self.subTest(program=program.name, launcher=launcher):
                    self.tells(self.to_full_device(*launcher, program, 3), 1, 'cannot write to standard output', NO_ROOM)

    def test_a_file_system_without_room(self):
        directory = self.scratch / 'small'
        directory.mkdir()
        # What has failed leaves nothing in the C library's buffer: the failure of the last write is not the end's.
        unbuffered = self.compile('unbuffered', LINES.replace('MPI_Init', 'setvbuf(stdout, NULL, _IONBF, 0); MPI_Init'))
        places = ((), f'> {directory}/out'), (('--output-dir', f'{directory}/out'), '')
        for how, (options, redirection) in itertools.product(MODES, places):
            for program in self.lines, unbuffered:
                with self.subTest(how=how, options=options, program=program.name):
                    command = in_small_file_system(directory, 'sh', '-c', f'"$@" {redirection}', 'sh', BIN / 'mpiexec', '-n', 4,
                                                   *how, *options, program, 20000)
                    if not command:
                        self.skipTest('no file systems can be mounted here')
                    result = run(*command)
                    self.tells(result, 1, 'cannot write', NO_ROOM)

    def test_the_limit_of_file_sizes(self):
        for how in MODES:
            with self.subTest(how=how):
                result = run('sh', '-c', 'ulimit -f 20; exec "$@" > out', 'sh', BIN / 'mpiexec', '-n', 4, *how, self.lines, 20000,
                             cwd=self.scratch)
                self.assertIn(result[0], (1, 128 + signal.SIGXFSZ), result[2])
                self.assertEqual(len(result[2].splitlines()), 1, result[2])
                self.assertRegex(result[2], 'File size limit exceeded|File too large|limit of file sizes')

    def test_a_reader_that_has_gone(self):
        """As a shell's pipeline: quietly, and with the exit code of SIGPIPE."""
        for how in MODES:
            with self.subTest(how=how):
                reader, writer = os.pipe()
                job = subprocess.Popen([str(word) for word in (BIN / 'mpiexec', '-n', 4, *how, self.lines, 20000, 'waits')],
                                       stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE)
                os.close(writer)
                os.close(reader)
                errors = job.communicate(b'go\n', timeout=60)[1]
                self.assertEqual(errors, b'')
                self.assertEqual(job.returncode, 141)

    def test_an_output_directory_that_cannot_be_made(self):
        for how in MODES:
            with self.subTest(how=how):
                self.tells(mpiexec('-n', 2, *how, '--output-dir', '/dev/full/x', self.lines, 1), 2, '--output-dir /dev/full/x')


class Machines(RareTest):
    def test_a_current_directory_that_is_gone(self):
        for options in (('--output-dir', 'x'), ('--launcher', 'fork', '--hosts', 'a,b'), ('--bsp-report',)):
            with self.subTest(options=options):
                gone = self.scratch / 'gone'
                gone.mkdir()
                result = run('sh', '-c', 'rmdir "$PWD"; exec "$@"', 'sh', BIN / 'mpiexec', *options, '-n', 2, self.lines, 1, cwd=gone)
                self.tells(result, 1, 'cannot determine the current directory')
                gone.mkdir()
                result = run('sh', '-c', 'rmdir "$PWD"; exec "$@"', 'sh', BIN / 'mpiexec', '-n', 2, self.lines, 1, cwd=gone)
                self.succeeds(result)

    def test_without_proc(self):
        if os.getuid() or run('unshare', '--mount', 'umount', '-l', '/proc')[0]:
            self.skipTest('/proc cannot be taken away here')
        for how in MODES:
            with self.subTest(how=how):
                output = self.succeeds(run('unshare', '--mount', 'sh', '-c', 'umount -l /proc; exec "$@"', 'sh', BIN / 'mpiexec', '-n', 4,
                                           *how, self.lines, 1))
                self.assertEqual(sorted(output.splitlines()), [f'line 0 of rank {rank}' for rank in range(4)])

    def test_too_few_processes_allowed(self):
        if os.getuid():
            self.skipTest('only root can be a user without processes')
        said = 0
        for how in ((), ('--workers', 3), ('--threads=os',), ('--processes',)):
            for count in (1, 2, 3, 4, 5, 7, 9):
                user = random.randrange(100_000, 2_000_000_000)

                def limit(count=count, user=user):
                    resource.setrlimit(resource.RLIMIT_NPROC, (count, count))
                    os.setuid(user)

                with self.subTest(how=how, count=count):
                    code, _, errors = mpiexec('-n', 4, *how, self.lines, 1, preexec_fn=limit)
                    self.assertNotIn('internal error', errors)
                    self.assertNotIn('terminate called', errors)
                    if code:
                        said += 1
                        self.assertRegex(errors, 'ulimit -u|Resource temporarily unavailable')
        self.assertGreater(said, 8)

    @unittest.skipUnless(shutil.which('strace'), 'no strace')
    def test_no_display_is_looked_for(self):
        """hwloc's plug-ins (libhwloc-plugins) would ask the name service ten times, which may take longer than a host may be silent."""
        result = run('strace', '-f', '-e', 'trace=socket,connect', BIN / 'mpiexec', '--launcher', 'fork', '--hosts', 'a,b', 'true')
        self.assertEqual(result[0], 0, result[2])
        self.assertIn('socket(', result[2])
        self.assertNotIn('X11', result[2])

    def test_sched_getaffinity_may_be_forbidden(self):
        for how in (*MODES, ('--processes', '--bind-to', 'socket')):
            with self.subTest(how=how):
                output = self.succeeds(mpiexec('-n', 4, *how, self.lines, 1, preexec_fn=forbid_affinity))
                self.assertEqual(sorted(output.splitlines()), [f'line 0 of rank {rank}' for rank in range(4)])


if __name__ == '__main__':
    unittest.main()
