"""Where node processes run: --bind-to, --map-by, --rankfile, --report-bindings."""
import os
import socket
import unittest

from commands import HelloTest, mpiexec

# 2 NUMA nodes with 2 sockets of 2 cores with 2 hardware threads each.
MACHINE = os.environ | {'HWLOC_SYNTHETIC': 'numa:2 pack:2 core:2 pu:2'}
HOST = socket.gethostname()


class Placement(HelloTest):
    def picture(self, *how, ranks=4, processes='--processes', **options):
        code, _, errors = mpiexec(processes, *how, '-n', ranks, '--report-bindings', 'true', **({'env': MACHINE} | options))
        self.assertEqual(code, 0, errors)
        self.assertTrue(all(line.startswith(HOST + ': rank') for line in errors.splitlines()), errors)
        return [line[line.index('['):] for line in errors.splitlines()]

    def test_neighbours_get_neighbouring_cores(self):
        self.assertEqual(self.picture('--bind-to', 'core', ranks=3),
                         ['[BB|..][..|..][..|..][..|..]', '[..|BB][..|..][..|..][..|..]', '[..|..][BB|..][..|..][..|..]'])

    def test_cores_may_be_dealt_by_socket_and_by_numa_node(self):
        self.assertEqual(self.picture('--bind-to', 'core', '--map-by', 'socket', ranks=5)[3:],
                         ['[..|..][..|..][..|..][BB|..]', '[..|BB][..|..][..|..][..|..]'])
        self.assertEqual(self.picture('--bind-to', 'numa', '--map-by', 'numa', ranks=3),
                         ['[BB|BB][BB|BB][..|..][..|..]', '[..|..][..|..][BB|BB][BB|BB]', '[BB|BB][BB|BB][..|..][..|..]'])

    def test_a_process_has_a_core_for_each_of_its_ranks(self):
        self.assertEqual(self.picture('--ranks-per-process', 3, '--bind-to', 'core', processes='--prefix'),
                         ['[BB|BB][BB|..][..|..][..|..]', '[..|..][..|BB][..|..][..|..]'])

    def test_who_is_not_bound_may_run_anywhere(self):
        self.assertEqual(self.picture(ranks=2), ['[BB|BB][BB|BB][BB|BB][BB|BB] (not bound)'] * 2)
        self.assertEqual(self.picture(processes='--threads=fiber'), ['[BB|BB][BB|BB][BB|BB][BB|BB] (not bound)'])

    def test_a_rank_file_says_it_exactly(self):
        file = self.write('ranks', f'# two processes\nrank 1={HOST} slot=0-1,7\nrank 0 = localhost slot = 4\n')
        self.assertEqual(self.picture('--rankfile', file, ranks=2), ['[..|..][..|..][BB|..][..|..]', '[BB|BB][..|..][..|..][..|BB]'])

    def test_wrong_rank_files_are_explained(self):
        for text, *words in (('rank 0=elsewhere slot=0\n', 'line 1', 'elsewhere is not the name of this machine'),
                             ('rank 0=localhost slot=8\nrank 1=localhost slot=0\n', 'line 1', 'core 8', 'there are 8'), ('rank 0=localhost slot=x\n', 'slot=x'),
                             ('# here\nrank 0 localhost\n', 'line 2', 'expected "rank N=HOST slot=CORES"'),
                             ('rank 7=localhost slot=0\n', 'rank 7', '2 processes'), ('rank 0=localhost slot=0\n', 'rank 1 has no line'),
                             ('rank 0=localhost slot=0\nrank 0=localhost slot=1\n', 'line 2', 'already placed')):
            file = self.write('wrong', text)
            result = mpiexec('--processes', '-n', 2, '--rankfile', file, 'true', env=MACHINE)
            self.fails(result, 2, '--rankfile', *words)
            self.assertEqual(len(result[2].splitlines()), 1)
        self.fails(mpiexec('--processes', '-n', 2, '--rankfile', '/nonexistent', 'true'), 2, 'No such file')

    def test_too_few_cores_and_wrong_words_are_explained(self):
        self.fails(mpiexec('--processes', '-n', 9, '--bind-to', 'core', 'true', env=MACHINE), 2, '9 ranks', 'has 8', '--bind-to socket')
        self.fails(mpiexec('--processes', '-n', 2, '--bind-to', 'chair', 'true'), 2, 'chair', 'none, core, socket, numa, hwthread')
        self.fails(mpiexec('--processes', '-n', 17, '--bind-to', 'hwthread', 'true', env=MACHINE), 2, '17 ranks', 'has 16')
        self.fails(mpiexec('--processes', '-n', 2, '--map-by', 'core', 'true'), 0, '--map-by', 'without --bind-to')
        self.fails(mpiexec('-n', 2, '--bind-to', 'core', self.hello), 0, 'threads of one process', '--processes')

    def test_processes_run_where_the_picture_says(self):
        usable = sorted(os.sched_getaffinity(0))
        code, output, errors = mpiexec('--processes', '-n', len(usable[:2]), '--bind-to', 'core', 'grep', 'Cpus_allowed_list', '/proc/self/status')
        self.assertEqual((code, errors), (0, ''))
        if len(usable) > 1:
            self.assertEqual(len(set(output.splitlines())), 2, output)


if __name__ == '__main__':
    unittest.main()
