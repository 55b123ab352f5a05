"""Every command line of the documents runs as it is written: README.md, docs/ and docs/papers/.

A block of commands (```sh), or of a dialogue whose commands begin with "$ ", is run in a scratch folder. The lines that a dialogue
shows behind a command must come, in that order; "..." stands for any lines, and numbers of three digits and more, addresses and
times may differ. A comment above a block may say

  <!-- file: NAME -->          the block is a file, which the blocks after it use
  <!-- any rank -->            numbers of ranks, and what they say, may differ, too: several ranks make a mistake, and one of them reports it
  <!-- needs: COMMAND... -->   the block is run where these commands are installed
  <!-- from: PATH -->          the block has lines of the file PATH, in their order; "..." stands for any lines
  <!-- tested by: PATH -->     PATH, a test of the project, runs these commands: they take long, or need root or hosts

In the text, the options of every `mpiexec ...` must be known to mpiexec.
"""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TREE = Path(os.environ['THRUM_TREE'])
PAGES = [ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md')), *sorted((ROOT / 'docs' / 'papers').glob('*.md'))]
COMMANDS = ('sh', 'console')
COMPILERS = {'.c': 'mpicc', '.cc': 'mpicxx', '.f90': 'mpifort'}
TIME_LIMIT_S = 240
# Cargo's message where it reaches no registry.
NO_NETWORK = r'Could not resolve host|failed to download|failed to fetch|network failure|config\.json failed'
# A program for pages that speak of "./program" without showing one.
PROGRAM = (ROOT / 'examples' / 'ring.c').read_text()


class Block:
    def __init__(self, page, line, language, comment, lines):
        self.where = f'{page.relative_to(ROOT)}:{line}'
        self.language, self.lines = language, lines
        self.text = '\n'.join(lines) + '\n'
        self.file = (re.match(r'<!-- file: (\S+) -->', comment) or [None, None])[1]
        self.needs = (re.match(r'<!-- needs: (.*) -->', comment) or [None, ''])[1].split()
        self.source = (re.match(r'<!-- from: (\S+) -->', comment) or [None, None])[1]
        self.test = (re.match(r'<!-- tested by: (\S+) -->', comment) or [None, None])[1]
        self.plain = plain_for_any_rank if comment == '<!-- any rank -->' else plain
        self.is_dialogue = language in ('', 'console') and any(line.startswith('$ ') for line in lines)
        self.has_commands = self.is_dialogue or language in COMMANDS


def blocks_of(page):
    language, comment, begin, lines = None, '', 0, []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = re.match(r'\s*```(.*)$', line)
        if fence and language is None:
            language, begin, lines = fence[1].strip(), number, []
        elif fence:
            yield Block(page, begin, language, comment, lines)
            language, comment = None, ''
        elif language is not None:
            lines.append(line)
        elif line.strip():
            comment = line.strip()


def plain(line):
    """Without what differs from run to run."""
    line = re.sub(r'0x[0-9a-fA-F]+', '0x#', line.strip())
    return re.sub(r'\d{3,}', '#', line)


def plain_for_any_rank(line):
    return re.sub(r'\b(rank|says) \d+', r'\1 #', plain(line))


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = Path(tempfile.mkdtemp(prefix='thrum-tree-'))
        cls.addClassCleanup(shutil.rmtree, cls.tree)
        subprocess.run(['cmake', '--install', TREE, '--prefix', cls.tree], check=True, stdout=subprocess.DEVNULL)

    def setUp(self):
        self.scratch = Path(tempfile.mkdtemp(prefix='thrum-docs-'))
        self.addCleanup(shutil.rmtree, self.scratch)
        for folder in ('examples', 'portable', 'bench'):
            (self.scratch / folder).symlink_to(ROOT / folder)
        (self.scratch / 'program.c').write_text(PROGRAM)
        (self.scratch / 'tests').symlink_to(ROOT / 'tests')
        tests = ROOT / 'tests'
        for source in [*tests.glob('wrong/*.c*'), *tests.glob('wrong_kinds/*/*.[cf]*')]:
            (self.scratch / source.name).symlink_to(source)

    def run_shell(self, command):
        environment = {name: value for name, value in os.environ.items() if not name.startswith('THRUM_')}
        environment['PATH'] = f'{self.tree}/bin:{environment["PATH"]}'
        environment['PKG_CONFIG_PATH'] = next(str(page.parent) for page in self.tree.rglob('thrum.pc'))
        done = subprocess.run(['sh', '-c', command], cwd=self.scratch, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors='replace', timeout=TIME_LIMIT_S)
        return done.returncode, done.stdout

    def compile_what_is_run(self, text):
        """Programs ./NAME whose source NAME.c is there, and which the page does not compile itself."""
        for name in set(re.findall(r'\./(\w+)', text)):
            source = next((s for s in (self.scratch / f'{name}{end}' for end in COMPILERS) if s.exists()), None)
            if source and not (self.scratch / name).exists() and f'-o {name}' not in text:
                code, output = self.run_shell(f'{COMPILERS[source.suffix]} -g {source.name} -o {name}')
                self.assertEqual(code, 0, output)

    def check_dialogue(self, block):
        command, shown = None, []
        for line in [*block.lines, '$ ']:
            if not line.startswith('$ '):
                shown.append(line)
                continue
            if command:
                _, output = self.run_shell(command)
                rest = iter([block.plain(line) for line in output.splitlines()])
                for expected in shown:
                    if expected.strip() != '...':
                        self.assertIn(block.plain(expected), rest, f'{block.where}: $ {command}\nwrote:\n{output}')
            command, shown = line[2:], []

    def check_excerpt(self, block):
        rest = iter([line.strip() for line in (ROOT / block.source).read_text().splitlines()])
        for line in block.lines:
            if line.strip() not in ('', '...'):
                self.assertIn(line.strip(), rest, f'{block.where}: not a line of {block.source}, or not in this order')

    def check(self, block):
        if block.file:
            (self.scratch / block.file).parent.mkdir(parents=True, exist_ok=True)
            (self.scratch / block.file).write_text(block.text)
        elif block.source:
            self.check_excerpt(block)
        elif block.test:
            self.assertTrue((ROOT / block.test).exists(), f'{block.where}: there is no {block.test}')
        elif block.needs and not all(map(shutil.which, block.needs)):
            print(f'{block.where}: not run, for want of {" ".join(block.needs)}')
        elif block.has_commands:
            self.compile_what_is_run(block.text)
            if block.is_dialogue:
                self.check_dialogue(block)
            else:
                code, output = self.run_shell('set -e\n' + block.text)
                if code and re.search(NO_NETWORK, output):
                    return print(f'{block.where}: not run, for want of a network')
                self.assertEqual(code, 0, f'{block.where}:\n{block.text}wrote:\n{output}')

    def test_mpiexec_knows_the_options_in_the_text(self):
        known = {'serve'}  # a role of mpiexec that people do not ask for
        for argument in '--help', '--help-options':
            text = subprocess.run([TREE / 'bin' / 'mpiexec', argument], capture_output=True, text=True, check=True).stdout
            known |= set(re.findall(r'(?<![\w-])-{1,2}([A-Za-z][\w-]*)', text))
        for page in PAGES:
            for line in re.findall(r'`(?:mpiexec|mpirun) ([^`]+)`', page.read_text()):
                for word in line.split():
                    option = re.match(r'-{1,2}([A-Za-z][\w-]*)', word)
                    if not option:
                        if re.search(r'[./]|^[a-z]+\d*$', word):
                            break  # the program
                        continue
                    self.assertIn(option[1], known, f'{page.name}: mpiexec {line}')


def add_test(page):
    def test(self):
        for block in blocks_of(page):
            with self.subTest(block.where):
                self.check(block)
    setattr(Pages, f'test_{page.stem.lower()}', test)


for page in PAGES:
    add_test(page)

if __name__ == '__main__':
    unittest.main()
