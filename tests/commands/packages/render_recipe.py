"""Renders the conda recipe with rattler-build's library, and prints what it builds: name and version."""
import sys

from rattler_build import Stage0Recipe, VariantConfig

VARIANTS = '''
c_compiler: [gcc]
c_compiler_version: ["14"]
cxx_compiler: [gxx]
cxx_compiler_version: ["14"]
fortran_compiler: [gfortran]
fortran_compiler_version: ["14"]
c_stdlib: [sysroot]
c_stdlib_version: ["2.39"]
'''

for variant in Stage0Recipe.from_file(sys.argv[1]).render(VariantConfig.from_yaml(VARIANTS)):
    print(variant.recipe.package.name, variant.recipe.package.version)
