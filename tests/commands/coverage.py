"""gcov and llvm-cov count each rank once, as if ranks were processes."""
import os
import re
import shutil
import unittest

from commands import BIN, CommandTest, run

FUNCTIONS = 200  # enough that a profile is larger than the buffer of a stream: parts of ranks that write at once would mix


def program():
    """Rank r calls its function 10 * (r + 1) times, and all others once."""
    functions = ''.join(f'static int f{i}(int x) {{\n    return x + {i};\n}}\n' for i in range(FUNCTIONS))
    table = ', '.join(f'f{i}' for i in range(FUNCTIONS))
    calls = ''.join(f'    sum += f{i}(1);\n' for i in range(FUNCTIONS))
    return f'''#include <mpi.h>
{functions}static int (*const f[])(int) = {{{table}}};
int main(int argc, char **argv) {{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
{calls}    for (int i = 1; i < 10 * (rank + 1); ++i)
        sum += f[rank](i);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == 0;
}}
'''


class Coverage(CommandTest):
    def expected(self, ranks):
        """How often the body of each function runs."""
        return {i: ranks + (10 * (i + 1) - 1 if i < ranks else 0) for i in range(FUNCTIONS)}

    def check(self, program, counts, environment=None):
        for ranks, options in ((4, ()), (4, ('--processes',)), (64, ()), (64, ('--workers', 1)), (64, ('--threads', 'os'))):
            for _ in range(3 if ranks == 64 else 1):
                for file in [*self.scratch.glob('*.gcda'), *self.scratch.glob('*.profraw')]:
                    file.unlink()
                done = run(BIN / 'mpiexec', *options, '-n', ranks, program, cwd=self.scratch, env=os.environ | (environment or {}))
                self.assertEqual(done, (0, '', ''))
                text = counts()
                found = {int(i): int(count.replace('k', '')) for count, i in re.findall(r'(\d+)\D[^\n]*return x \+ (\d+);', text)}
                self.assertEqual(found, self.expected(ranks), f'{options} {ranks}')

    def test_gcov(self):
        program_file = self.compile('counted', program(), '--coverage', '-O0')

        def counts():
            self.succeeds(run('gcov', '--object-directory', '.', 'counted.c', cwd=self.scratch))
            lines = (self.scratch / 'counted.c.gcov').read_text().splitlines()
            return '\n'.join(re.sub(r'^ *(\d+)\*?: *\d+:', r'\1 ', line) for line in lines)
        self.check(program_file, counts)

    @unittest.skipUnless(all(map(shutil.which, ('clang-19', 'llvm-profdata-19', 'llvm-cov-19'))), 'clang-19 and llvm-19 are not installed')
    def test_llvm_cov(self):
        source = self.write('counted_by_clang.c', program())
        program_file = self.scratch / 'counted_by_clang'
        self.succeeds(run(BIN / 'mpicc', '-fprofile-instr-generate', '-fcoverage-mapping', '-O0', source, '-o', program_file,
                          env=os.environ | {'THRUM_CC': 'clang-19'}))

        def counts():
            profiles = [file.name for file in self.scratch.glob('*.profraw')]
            self.succeeds(run('llvm-profdata-19', 'merge', *profiles, '-o', 'all.profdata', cwd=self.scratch))
            exported = self.succeeds(run('llvm-cov-19', 'export', '--format=lcov', program_file, '--instr-profile=all.profdata', cwd=self.scratch))
            lines = source.read_text().splitlines()
            return '\n'.join(f'{count} {lines[int(line) - 1]}' for line, count in re.findall(r'(?m)^DA:(\d+),(\d+)', exported))
        self.check(program_file, counts, {'LLVM_PROFILE_FILE': 'counts-%m.profraw'})
        # Names that would make ranks destroy each other's counts; default: the run time's.
        for given, merged, options in ((None, 'default_%m.profraw', ()), ('./own.profraw', './own_%m.profraw', ()), ('own-%p.profraw', 'own-%p_%m.profraw', ()),
                                       ('own-%p.profraw', None, ('--processes',)), ('own-%4m.profraw', None, ())):
            with self.subTest(given):
                for file in self.scratch.glob('*.profraw'):
                    file.unlink()
                environment = {name: value for name, value in os.environ.items() if name != 'LLVM_PROFILE_FILE'}
                code, output, errors = run(BIN / 'mpiexec', *options, '-n', 8, program_file, cwd=self.scratch,
                                           env=environment | ({'LLVM_PROFILE_FILE': given} if given else {}))
                self.assertEqual((code, output, errors), (0, '', f"mpiexec: ranks would destroy each other's counts in {given or 'default.profraw'}; "
                                                                 f'they are merged in LLVM_PROFILE_FILE={merged}\n' if merged else ''))
                found = {int(i): int(count) for count, i in re.findall(r'(\d+)\D[^\n]*return x \+ (\d+);', counts())}
                self.assertEqual(found, self.expected(8))

    def test_private_copies_of_the_program_are_refused_by_name(self):
        source = self.write('private.c', 'int main(void) { return 0; }\n')
        self.fails(run(BIN / 'mpicc', '--privatize', '--coverage', source, '-o', self.scratch / 'private', cwd=self.scratch), 1, 'libgcov')


if __name__ == '__main__':
    unittest.main()
