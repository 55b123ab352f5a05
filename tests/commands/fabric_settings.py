"""How messages between processes may go: the settings, at their limits and wrong, and thrum info."""
import os
import re
import unittest

from commands import BIN, CommandTest, HELLO, mpiexec, run

# Every rank sends messages of many sizes to every other, whole and with gaps, and by a broadcast.
EXCHANGE = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { most = 300000 };
static unsigned char out[2 * most], in[2 * most];
static int rank, size;

static unsigned char byte_of(int source, int bytes, int i) {
    return (unsigned char)(source * 131 + bytes * 7 + i * 3 + (i >> 8));
}
static void expect(int source, int bytes, int step) {
    for (int i = 0; i < bytes; ++i)
        if (in[i * step] != byte_of(source, bytes, i)) {
            printf("rank %d: byte %d of %d from %d, step %d\n", rank, i, bytes, source, step);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
}
static void exchange(int bytes, int step) {
    MPI_Datatype type;
    MPI_Type_vector(bytes, 1, step, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < bytes; ++i)
        out[i * step] = byte_of(rank, bytes, i);
    for (int k = 1; k < size; ++k) {
        int to = (rank + k) % size, from = (rank + size - k) % size;
        MPI_Request request;
        MPI_Isend(out, 1, type, to, bytes, MPI_COMM_WORLD, &request);
        MPI_Recv(in, 1, type, from, bytes, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(from, bytes, step);
    }
    for (int i = 0; i < bytes; ++i)
        in[i * step] = byte_of(bytes % size, bytes, i);
    MPI_Bcast(in, 1, type, bytes % size, MPI_COMM_WORLD);
    expect(bytes % size, bytes, step);
    MPI_Type_free(&type);
}
int main(int argc, char **argv) {
    int sizes[] = {0, 1, 7, 64, 143, 144, 145, 200, 1000, 4095, 4096, 4097, 8192, 16000, 16384, 16385, 65536, most};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 2; ++round)
        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
            for (int step = 1; step <= 2; ++step)
                exchange(sizes[i], step);
    if (rank == 0)
        printf("all is well\n");
    MPI_Finalize();
    return 0;
}
'''

# Runs a command that may not copy between processes.
SANDBOX = r'''
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog filter = {sizeof program / sizeof *program, program};
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
        perror("seccomp");
        return 77;
    }
    execv(argv[1], argv + 1);
    perror(argv[1]);
    return 77;
}
'''


def with_settings(**settings):
    return os.environ | {f'THRUM_{name}': value for name, value in settings.items()}


class Limits(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.exchange = cls.compile('exchange', EXCHANGE, '-O1')

    def exchanges(self, how=('--processes',), **settings):
        result = mpiexec(*how, '-n', 3, self.exchange, env=with_settings(**settings), timeout=120)
        self.assertEqual(self.succeeds(result), 'all is well\n')
        self.assertEqual(result[2], '')

    def test_messages_of_all_sizes_arrive_with_the_usual_limits(self):
        self.exchanges()
        self.exchanges(('--ranks-per-process', 2))

    def test_slots_may_hold_no_payload_a_byte_or_much(self):
        for limit in '0', '1', '8K':
            self.exchanges(SHORT_LIMIT=limit)

    def test_the_eager_limit_may_be_nothing_a_byte_or_huge(self):
        for limit in '0', '1', '1G':
            self.exchanges(EAGER_LIMIT=limit)
            self.exchanges(EAGER_LIMIT=limit, SINGLE_COPY='0')

    def test_a_tiny_limit_of_buffered_messages_is_enough(self):
        self.exchanges(BUFFERED_LIMIT='1')
        self.exchanges(BUFFERED_LIMIT='1', EAGER_LIMIT='1G')

    def test_memory_is_copied_twice_where_single_copies_are_forbidden(self):
        self.exchanges(SINGLE_COPY='0')
        self.exchanges(SINGLE_COPY='0', SHORT_LIMIT='0')
        self.exchanges(('--ranks-per-process', 2), SINGLE_COPY='0')

    def test_memory_is_copied_twice_in_a_sandbox(self):
        sandbox = self.compile('sandbox', SANDBOX)
        for how in '--processes', '--ranks-per-process=2':
            result = run(sandbox, BIN / 'mpiexec', how, '-n', 4, self.exchange, timeout=120)
            self.assertEqual(self.succeeds(result), 'all is well\n')
            self.assertEqual(result[2], '')
        self.assertRegex(self.succeeds(run(sandbox, BIN / 'thrum', 'info')),
                         'two copies, through shared memory: the system forbids a single copy .process_vm_readv: Operation not permitted')

    def test_the_network_may_serve_a_node(self):
        self.exchanges(FABRIC='tcp')
        self.exchanges(FABRIC='tcp', EAGER_LIMIT='1G')
        self.exchanges(FABRIC='tcp;ofi_rxm')

    def test_several_receivers_share_the_processes(self):
        for count in '2', '5':
            self.exchanges(FABRIC='tcp', RECEIVERS=count)

    def differ(self, script, fabric, expected):
        """Two processes have different settings, which `script` gives them."""
        code, output, errors = mpiexec('--processes', '-n', 2, 'sh', '-c', script, self.exchange, env=with_settings(FABRIC=fabric))
        self.assertNotEqual(code, 0)
        self.assertEqual(output, '')
        self.assertRegex(errors, expected)

    def test_receivers_of_different_numbers_are_named(self):
        self.differ('THRUM_RECEIVERS=$((${PMIX_RANK:-0} + 1)) exec "$0"', 'tcp',
                    'another number of receivers; set THRUM_RECEIVERS to the same value for all')

    def test_different_networks_are_named(self):
        self.differ('[ $PMIX_RANK = 0 ] && export THRUM_FABRIC="tcp;ofi_rxm"; exec "$0"', 'udp;ofi_rxd',
                    r"^thrum: node process [01] uses libfabric's provider (tcp|udp);\w+, this one (udp|tcp);\w+; set THRUM_FABRIC")


class WrongValues(CommandTest):
    def test_a_wrong_value_gives_one_line(self):
        program = self.compile('hello', HELLO)
        for name, value in (('SHORT_LIMIT', '9K'), ('SHORT_LIMIT', '-1'), ('SINGLE_COPY', '2'), ('SINGLE_COPY', ''),
                            ('FABRIC', ''), ('FABRIC', 'tcp,udp'), ('FABRIC', 'shm,'), ('FABRIC', 'no such'),
                            ('EAGER_LIMIT', 'x'), ('NETWORK_EAGER_LIMIT', '-1'), ('RECEIVERS', '0'), ('RECEIVERS', '17')):
            for how in ((), ('--processes',)):
                code, output, errors = mpiexec(*how, '-n', 3, program, env=with_settings(**{name: value}))
                self.assertEqual((code, output), (2, ''), errors)
                self.assertRegex(errors, rf'^thrum: THRUM_{name}={re.escape(value)}: expected .*\n$')

    def test_a_missing_provider_is_named_with_those_that_exist(self):
        program = self.compile('hello', HELLO)
        code, output, errors = mpiexec('--processes', '-n', 2, program, env=with_settings(FABRIC='carrier-pigeon'))
        self.assertNotEqual(code, 0)
        self.assertEqual(output, '')
        self.assertRegex(errors, 'no provider carrier-pigeon.*there are .*tcp')


class Info(CommandTest):
    def info(self, *options, **settings):
        result = run(BIN / 'thrum', 'info', *options, env=with_settings(**settings))
        output = self.succeeds(result)
        self.assertEqual(result[2], '')
        return output

    def test_info_says_what_a_job_would_have(self):
        output = self.info()
        self.assertIn('in a job that has several', output)
        self.assertRegex(output, r'within a node: shared memory; .* single cop')
        self.assertRegex(output, r"between nodes: libfabric, provider \S+( \(tcp without the layer ofi_rxm\))?, domain \S+: libfabric's first of .*tcp")
        self.assertRegex(output, r'\n  short_limit +144\n')
        self.assertRegex(output, r'\n  fabric +shm,auto\n')

    def test_info_says_what_a_job_has(self):
        output = self.info('--processes', '-n', 2)
        self.assertIn('between nodes: nothing is needed', output)
        output = self.info('--processes', '-n', 2, FABRIC='tcp')
        self.assertIn('within a node: as between nodes (THRUM_FABRIC=tcp)', output)
        self.assertRegex(output, r'between nodes: libfabric, provider (tcp|net \(tcp without).*asked for by THRUM_FABRIC=tcp; libfabric has .*tcp')
        output = self.info('--processes', '-n', 2, FABRIC='tcp;ofi_rxm')
        self.assertIn('provider tcp;ofi_rxm, domain', output)

    def test_info_says_what_settings_do(self):
        output = self.info('--processes', '-n', 2, FABRIC='tcp', RECEIVERS='3')
        self.assertIn(', 3 receivers (THRUM_RECEIVERS)', output)
        self.assertRegex(output, r'\n  receivers +3\n')
        self.assertIn('two copies, through shared memory (THRUM_SINGLE_COPY=0)', self.info(SINGLE_COPY='0'))
        self.assertIn('between nodes: nothing (THRUM_FABRIC=shm)', self.info(FABRIC='shm'))
        self.assertRegex(self.info(FABRIC='carrier-pigeon'), 'nothing: libfabric has no provider carrier-pigeon.*there are .*tcp')


if __name__ == '__main__':
    unittest.main()
