"""The descriptions of the packages fit the tree that is installed, and each other."""
import ast
import fnmatch
import json
import os
import re
import unittest
from pathlib import Path

from commands import TREE, CommandTest, run

try:
    import yaml
except ImportError:
    yaml = None

ROOT = Path(__file__).resolve().parents[3]
PACKAGING = ROOT / 'packaging'
VERSION = re.search(r'^project\(thrum VERSION ([\d.]+)', (ROOT / 'CMakeLists.txt').read_text(), re.M)[1]


class Debian(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.root, tree = cls.scratch / 'root', 'usr/lib/x86_64-linux-gnu/thrum'
        for result in (run('cmake', '--install', TREE, '--prefix', cls.root / tree),
                       run('sh', PACKAGING / 'debian' / 'names.sh', tree, cwd=cls.root)):
            if result[0]:
                raise RuntimeError(result[1] + result[2])

    def test_each_installed_file_is_in_one_package(self):
        patterns = {file.stem: file.read_text().split() for file in (PACKAGING / 'debian').glob('*.install')}
        self.assertEqual(set(patterns), set(re.findall(r'^Package: (\S+)', (PACKAGING / 'debian' / 'control').read_text(), re.M)))
        used = set()
        for path in self.root.rglob('*'):
            if path.is_dir() and not path.is_symlink():
                continue
            name = str(path.relative_to(self.root))
            found = [(package, pattern) for package, own in patterns.items() for pattern in own
                     if fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(name, f'{pattern}/*')]
            self.assertEqual(len({package for package, _ in found}), 1, f'{name}: {found}')
            used.update(found)
        self.assertEqual(used, {(package, pattern) for package, own in patterns.items() for pattern in own}, 'patterns that match nothing')

    def test_alternatives_lead_to_files_of_the_packages(self):
        texts = [file.read_text() for file in (PACKAGING / 'debian').glob('*.alternatives')]
        targets = re.findall(r'(/usr/(?:bin|share/man/man1)/\S+\.thrum(?:\.1\.gz)?)', ''.join(texts))
        self.assertGreater(len(targets), 15)
        for target in targets:
            place = self.root / target.removesuffix('.gz')[1:]
            self.assertTrue(place.exists(), target)
        for text in texts:
            self.assertEqual(set(re.findall(r'^Priority: (.*)$', text, re.M)), {'30'})  # below MPICH's 40 and Open MPI's 50


@unittest.skipIf(yaml is None, 'needs the Python module yaml (Debian: python3-yaml)')
class Action(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.action = yaml.safe_load((ROOT / 'action.yml').read_text())

    def step(self, name, mpi, **variables):
        files = {}
        for file in ('GITHUB_OUTPUT', 'GITHUB_PATH', 'GITHUB_ENV'):
            (self.scratch / file).write_text('')
            files[file] = str(self.scratch / file)
        return run(PACKAGING / 'action' / 'install.sh', name, env=os.environ | files | {'MPI': mpi} | variables)

    def test_inputs_and_outputs_are_those_of_setup_mpi(self):
        self.assertEqual(list(self.action['inputs']), ['mpi'])
        self.assertEqual(list(self.action['outputs']), ['mpi'])
        self.assertEqual(self.action['runs']['using'], 'composite')

    def test_each_step_runs_the_script_that_other_tests_run(self):
        for step in self.action['runs']['steps']:
            if 'run' in step:
                self.assertRegex(step['run'], r'^\$\{GITHUB_ACTION_PATH\}/packaging/action/install\.sh (plan|install)$')
                self.assertEqual((step['shell'], step['env']), ('bash', {'MPI': '${{ inputs.mpi }}'}))

    def test_plan_names_the_prefix_and_the_key_of_the_cache(self):
        self.succeeds(self.step('plan', 'thrum', RUNNER_TOOL_CACHE='/tools'))
        self.assertRegex((self.scratch / 'GITHUB_OUTPUT').read_text(), r'\Aprefix=/tools/thrum\nkey=thrum-[0-9a-f]{32}\n\Z')

    def test_a_new_source_has_another_key(self):
        copy = self.scratch / 'copy'
        copy.mkdir()
        for name in ('CMakeLists.txt', 'CMakePresets.json', 'Makefile', 'cmake', 'cmd', 'compiler', 'include', 'src', 'tools', 'packaging'):
            self.succeeds(run('cp', '-r', ROOT / name, copy))
        keys = set()
        for text in ('', '\n', '\n'):
            with open(copy / 'src' / 'CMakeLists.txt', 'a') as file:
                file.write(text)
            (self.scratch / 'key').write_text('')
            self.succeeds(run(copy / 'packaging' / 'action' / 'install.sh', 'plan', env=os.environ | {'MPI': '', 'GITHUB_OUTPUT': str(self.scratch / 'key')}))
            keys.add((self.scratch / 'key').read_text())
        self.assertEqual(len(keys), 3)

    def test_other_implementations_are_refused(self):
        for mpi, sentence in (('mpich', 'use mpi4py/setup-mpi for mpich'), ('openmpi', 'use mpi4py/setup-mpi for openmpi'), ('trhum', 'write mpi: thrum')):
            code, output, _ = self.step('plan', mpi)
            self.assertEqual(code, 1)
            self.assertRegex(output, rf'\A::error title=Set up Thrum::mpi: {mpi}: .*{sentence}\n\Z')

    def test_the_recipe_for_conda_has_the_version_of_the_project(self):
        recipe = yaml.safe_load((PACKAGING / 'conda' / 'recipe.yaml').read_text())
        self.assertEqual(recipe['context']['version'], VERSION)
        self.assertEqual((recipe['package']['name'], (PACKAGING / 'conda' / recipe['source']['path']).resolve()), ('thrum', ROOT))


class Others(CommandTest):
    def test_spacks_package_provides_mpi_and_builds_this_checkout(self):
        file = PACKAGING / 'spack' / 'packages' / 'thrum' / 'package.py'
        package = next(node for node in ast.parse(file.read_text()).body if isinstance(node, ast.ClassDef))
        self.assertEqual((package.name, [base.id for base in package.bases]), ('Thrum', ['CMakePackage']))
        calls = [(node.value.func.id, node.value.args[0].value) for node in package.body
                 if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
        for directive in (('provides', 'mpi@:5.0'), ('provides', 'mpi-abi@1'), ('version', 'main'), ('depends_on', 'pmix@4.2:'), ('depends_on', 'cxx')):
            self.assertIn(directive, calls)
        self.assertEqual(file.parents[4], ROOT)

    def test_the_devcontainer_uses_the_dockerfile(self):
        container = json.loads((ROOT / '.devcontainer' / 'devcontainer.json').read_text())
        build = container['build']
        self.assertTrue((ROOT / '.devcontainer' / build['dockerfile']).samefile(PACKAGING / 'docker' / 'Dockerfile'))
        self.assertTrue((ROOT / '.devcontainer' / build['context']).samefile(ROOT))

    def test_the_wheel_takes_the_version_of_the_project(self):
        text = (PACKAGING / 'wheel' / 'pyproject.toml').read_text()
        path, pattern = re.search(r'^path = "(.*)"$', text, re.M)[1], re.search(r"^pattern = '(.*)'$", text, re.M)[1]
        found = re.search(pattern, (PACKAGING / 'wheel' / path).read_text())
        self.assertEqual(found['version'], VERSION)


if __name__ == '__main__':
    unittest.main()
