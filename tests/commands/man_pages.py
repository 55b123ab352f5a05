"""The man pages name every option."""
import re
import unittest
from pathlib import Path

from commands import BIN, CommandTest, TREE, mpiexec, run

MAN = TREE / 'man'


class ManPages(CommandTest):
    def test_every_option_of_mpiexec_is_in_its_man_page(self):
        page = (MAN / 'mpiexec.1').read_text().replace('\\-', '-')
        help_text = self.succeeds(mpiexec('--help'))
        options = {name for line in help_text.splitlines() if line.startswith('  -')
                   for name in re.findall(r'(?<![\w-])--?[a-z][\w-]*', line[:32], re.IGNORECASE)}
        self.assertGreater(len(options), 12)
        for option in sorted(options):
            self.assertRegex(page, rf'(?m)^\.B.*(?<![\w-]){re.escape(option)}(?![\w-])', option)

    def test_every_option_of_thrum_sweep_is_in_its_man_page(self):
        page = (Path(__file__).parents[2] / 'cmd' / 'man' / 'thrum.1').read_text().replace('\\-', '-')
        help_text = self.succeeds(run(BIN / 'thrum', 'sweep', '--help'))
        options = {name for line in help_text.splitlines() if line.startswith('  -') for name in re.findall(r'(?<![\w-])--?[a-z][\w-]*', line[:24])}
        self.assertGreater(len(options), 10)
        for option in sorted(options - {'-h', '--help'}):
            self.assertRegex(page, rf'(?m)^\.B.*(?<![\w-]){re.escape(option)}(?![\w-])', option)

    def test_every_command_of_thrum_is_in_its_man_page(self):
        page = (Path(__file__).parents[2] / 'cmd' / 'man' / 'thrum.1').read_text().replace('\\-', '-')
        help_text = self.succeeds(run(BIN / 'thrum', '--help'))
        commands = re.findall(r'(?m)^  ([a-z-]+) ', help_text)
        self.assertGreater(len(commands), 5)
        for command in commands:
            self.assertRegex(page, rf'(?m)^\.B thrum {command}\b', command)
            self.assertRegex(page, rf'(?m)^\.TP\n\.B {command}$', command)
        for option in set(re.findall(r'(?<![\w-])--?[a-z][\w-]*', self.succeeds(run(BIN / 'thrum', 'demo', '--help')).splitlines()[0])):
            self.assertRegex(page, rf'(?m)^\.B.*(?<![\w-]){re.escape(option)}(?![\w-])', option)

    def test_variables_of_the_wrappers_are_in_their_man_pages(self):
        self.assertIn('THRUM_CC', (MAN / 'mpicc.1').read_text())
        self.assertIn('THRUM_CXX', (MAN / 'mpicxx.1').read_text())
        self.assertIn('THRUM_FC', (MAN / 'mpifort.1').read_text())


if __name__ == '__main__':
    unittest.main()
