"""A setting is written once, in src/base/settings.ini, and is then everywhere: in the library, mpiexec, thrum info, man pages, docs."""
import os
import re
import shutil
import sys
import unittest
from pathlib import Path

from commands import BIN, HelloTest, TREE, mpiexec, run

ROOT = Path(__file__).resolve().parents[2]
BASE = ROOT / 'src' / 'base'
sys.path.insert(0, str(BASE))
from settings import read_table  # noqa: E402

VARIABLE = re.compile(r'\bTHRUM_[A-Z][A-Z_0-9]*')
FOR_USERS = [setting for setting in read_table() if setting.is_for_users]
# Macros of ours, and what the build defines.
NO_VARIABLES = {'THRUM_VERSION', 'THRUM_LIBRARY_DIR', 'THRUM_DATA_DIR', 'THRUM_COUNT_LOCKS'}

NEW_SETTING = '''
[tea]
type        = size
least       = 1
default     = 2K: a large pot
description = Bytes of tea.
field       = tea_bytes
option      = --tea SIZE
category    = environment
'''


def with_variables(**settings):
    return os.environ | {f'THRUM_{name}': value for name, value in settings.items()}


class Table(HelloTest):
    def test_a_new_section_reaches_the_library_mpiexec_and_the_man_page(self):
        tools = self.scratch / 'src' / 'base', self.scratch / 'cmd' / 'man'
        for folder in tools:
            folder.mkdir(parents=True)
        shutil.copy(BASE / 'settings.py', tools[0])
        shutil.copy(ROOT / 'cmd' / 'man' / 'generate.py', tools[1])
        (tools[0] / 'settings.ini').write_text((BASE / 'settings.ini').read_text() + NEW_SETTING)
        out = self.scratch / 'generated'
        self.succeeds(run(sys.executable, tools[0] / 'settings.py', out))
        self.assertIn('size_t tea_bytes = size_t{2} << 10;', (out / 'base' / 'setting_fields.h').read_text())
        row = (out / 'base' / 'settings.inc').read_text()
        self.assertIn('.option = "--tea"', row)
        self.assertIn('parse_size(text, 1, no_limit, the_settings.tea_bytes)', row)
        self.assertIn('CONTROL_VARIABLE(tea, ', (out / 'trace' / 'setting_variables.inc').read_text())
        page = self.write('page.1.in', '@OPTION tea@\n@VARIABLES@\n')
        self.succeeds(run(sys.executable, tools[1] / 'generate.py', page, self.scratch / 'page.1'))
        text = (self.scratch / 'page.1').read_text()
        self.assertIn('.BR \\-\\-tea " \\fISIZE\\fR"\nBytes of tea.\nDefault: 2K (a large pot).\n', text)
        self.assertIn('.B THRUM_TEA\n', text)

    def test_a_mistake_in_the_table_is_named(self):
        folder = self.scratch / 'mistakes'
        folder.mkdir()
        shutil.copy(BASE / 'settings.py', folder)
        for section, text in (('[x]\ntype = size\n', 'type and description are needed'),
                              ('[x]\ntype = sizes\ndescription = y\n', 'type = sizes: expected one of'),
                              ('[x]\ntype = size\ndescription = y\ncolour = red\n', 'unknown key colour'),
                              ('[x]\ntype = size\ndescription = y\nfield = z\n', 'needs a default'),
                              ('[x]\ntype = word\ndescription = y\n', 'needs words'),
                              ('[x]\ntype = switch\ndescription = y\ncategory = z\n', 'needs a field')):
            (folder / 'settings.ini').write_text(section)
            self.fails(run(sys.executable, folder / 'settings.py', folder / 'out'), 1, 'settings.ini: [x]: ', text)

    def test_every_variable_in_the_sources_is_in_the_table(self):
        known = {setting.variable for setting in read_table()}
        files = [path for folder in ('src', 'cmd') for path in (ROOT / folder).rglob('*')
                 if path.suffix in ('.cc', '.c', '.h') and not path.stem.endswith('_test')]
        literals = {name for path in files for text in re.findall(r'"(?:[^"\\\n]|\\.)*"', path.read_text(errors='replace'))
                    for name in VARIABLE.findall(text)}
        self.assertGreater(len(literals), 20)
        constants = set(VARIABLE.findall((ROOT / 'include' / 'thrum' / 'run.h').read_text()))
        self.assertEqual({name for name in literals if not name.startswith('THRUM_TEST_')} - known - constants - NO_VARIABLES, set())


class Shown(HelloTest):
    def test_every_setting_is_in_the_help_of_mpiexec(self):
        text = self.succeeds(mpiexec('--help'))
        options, variables = text.split('Environment variables', 1)
        for setting in FOR_USERS:
            self.assertIn(setting.variable, variables.split())
            if setting.option:
                self.assertRegex(options, rf'(?m)^  {setting.option}\b', setting.name)

    def test_every_setting_is_in_a_man_page(self):
        for setting in FOR_USERS:
            page = {'cc': 'mpicc', 'cxx': 'mpicxx', 'fc': 'mpifort'}.get(setting.name, 'mpiexec')
            text = (TREE / 'man' / f'{page}.1').read_text()
            self.assertIn(f'\n.B {setting.variable}\n', text)
            if setting.option:
                self.assertRegex(text, rf'(?m)^\.BR? {re.escape(setting.option.replace("-", chr(92) + "-"))}( |$)')

    def test_every_setting_is_on_the_page_of_tools(self):
        page = (ROOT / 'docs' / 'tools.md').read_text()
        for setting in FOR_USERS:
            self.assertIn(f'\n| `{setting.name}` |', page)

    def test_every_setting_is_in_thrum_info_with_its_value(self):
        text = self.succeeds(run(BIN / 'thrum', 'info', env=with_variables(STACK='3M', LAUNCHER_EXEC='rsh -q', THREADS='fiber')))
        shown = dict(re.findall(r'(?m)^  (\w+) +(.*)$', text.split('\nsettings', 1)[1]))
        self.assertEqual(set(shown), {setting.name for setting in FOR_USERS})
        self.assertEqual(shown['stack'], str(3 << 20))
        self.assertEqual(shown['launcher_exec'], 'rsh -q')
        self.assertEqual(shown['launcher'], 'ssh')


class Environment(HelloTest):
    """The environment sets the defaults of options, also where mpiexec itself does what they ask for."""

    def test_prefix_of_processes(self):
        result = mpiexec('--processes', '-n', 2, self.hello, env=with_variables(PREFIX='1'))
        self.assertEqual(self.lines(result), ['[0] rank 0 of 2:', '[1] rank 1 of 2:'])
        self.assertEqual(self.lines(mpiexec('--processes', '-n', 1, self.hello, env=with_variables(PREFIX='0'))), ['rank 0 of 1:'])

    def test_output_directory_of_processes(self):
        result = mpiexec('--processes', '-n', 2, self.hello, env=with_variables(OUTPUT_DIR='files'), cwd=self.scratch)
        self.assertEqual(self.lines(result), [])
        self.assertEqual((self.scratch / 'files' / 'rank.1.out').read_text(), 'rank 1 of 2:\n')

    def test_the_command_line_goes_before_the_environment(self):
        program = self.compile('workers', r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int provided, index, count, value;
    MPI_T_cvar_handle handle;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_index("workers", &index);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    MPI_T_cvar_read(handle, &value);
    printf("%d\n", value);
    MPI_Finalize();
}
''')
        self.assertEqual(self.lines(mpiexec('--workers', 2, '-n', 2, program, env=with_variables(WORKERS='3'))), ['2', '2'])
        self.assertEqual(self.lines(mpiexec('--workers', 2, '-n', 2, program, env=with_variables(WORKERS='x'))), ['2', '2'])
        for options in ([], ['--ranks-per-process', 1], ['--ranks-per-process', 2]):
            self.assertEqual(self.lines(mpiexec(*options, '-n', 2, program, env=with_variables(WORKERS='3'))), ['3', '3'], options)

    def test_a_wrong_value_is_refused_once_with_what_was_expected(self):
        for name, value, expected in (('WORKERS', '0', 'a whole number of at least 1'), ('PREFIX', 'no', '0 or 1'),
                                      ('STDIN', 'x', 'a whole number of at least 0, "none" or "all"'),
                                      ('INITIAL_ERRHANDLER', 'mpi_abort', 'mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return'),
                                      ('LAUNCHER', 'rsh', 'one of ssh, fork'), ('SPIN_LIMIT', '-1', 'a whole number of at least 0'),
                                      ('MEMORY', 'all', 'a size such as 262144, 256K or 8M, or "unlimited"'), ('SINGLETON', '2', '0 or 1'),
                                      ('CHECK', '2', '0 (warnings), 1 (')):
            with self.subTest(variable=name):
                for options in ([], ['--processes']):
                    self.refused(mpiexec(*options, '-n', 2, self.hello, env=with_variables(**{name: value})), 2,
                                 f'THRUM_{name}={value}: expected {expected}')

    def test_names_of_error_handlers_may_be_in_upper_case(self):
        for options, variables in ((['--initial-errhandler', 'MPI_ERRORS_RETURN'], {}), ([], {'INITIAL_ERRHANDLER': 'Mpi_Errors_Return'})):
            self.lines(mpiexec(*options, '-n', 2, self.hello, env=with_variables(**variables)))


if __name__ == '__main__':
    unittest.main()
