"""The programs of run.py: how each is prepared and started, and what of its output is compared.

A result is what a regular expression finds in the output of a run or in a file that it writes: texts, which must be the same as those of the
program's own MPI, or numbers, which may differ by a relative tolerance. Such numbers are sums whose order depends on the number of ranks.

Not here: raxml has no program for MPI, and mb-mpi of mrbayes-mpi is not linked with one. Ray takes minutes on two cores, with its own MPI, too. No
package has h5perf: hdf5_slabs.c takes its place. ld1.x of Quantum ESPRESSO makes the pseudopotential for pw.x. PhyML
needs --threads=os: each of its ranks truncates the files that rank 0 writes, so all must start at the same time. Debian's h5py uses MPI if it
sees a variable that mpirun sets, or H5PY_ALWAYS_USE_MPI.
"""
import dataclasses
import re

EXAML_DATA = '/usr/share/doc/examl/testData'
EZTRACE = ':'.join(f'/usr/lib/x86_64-linux-gnu/libeztrace-{name}.so' for name in ('lib', 'openmpi'))
PETSC = '/usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-real'
GRIDS = {4: (2, 2), 64: (8, 8)}
THREADS, PROCESSES, MANY = 'threads', 'processes', 'many'  # the ways to run under Thrum; MANY: 64 ranks as threads


@dataclasses.dataclass
class Case:
    name: str
    package: str  # the one that the table names
    command: str  # what follows mpiexec -n RANKS
    result: str  # regular expression with a group
    file: str = ''  # where to look for it; the output if it is empty
    prepare: str = ''  # shell commands in the folder that all runs copy; the inputs are there
    tolerance: float = 0  # of results that are numbers
    ways: tuple = (THREADS, PROCESSES, MANY)
    before: str = ''  # shell commands before each run; {ranks} is replaced
    options: str = ''  # of mpiexec
    thread_options: str = ''  # of Thrum's, for ranks as threads
    after: str = ''  # shell commands after each run, whose output counts, too
    mpi: str = 'openmpi'
    packages: tuple = ()  # more to install
    missing: dict = dataclasses.field(default_factory=dict)  # what cannot run yet: way -> what the output says
    per_rank: bool = False  # the result is a list whose length grows with the ranks: compared by what each rank has


def found(case, text, ranks):
    results = re.findall(case.result, text, re.MULTILINE)
    if case.per_rank:
        return [(kind, results.count(kind) / ranks) for kind in sorted(set(results))]
    return [float(result) for result in results] if case.tolerance else results


def differ(case, expected, actual):
    """Returns whether two results differ by more than the tolerance."""
    if not case.tolerance:
        return expected != actual
    return len(expected) != len(actual) or any(abs(a - b) > case.tolerance * max(abs(a), abs(b)) for a, b in zip(expected, actual))


def hpcc_input(ranks):
    rows, columns = GRIDS[ranks]
    example = '/usr/share/doc/hpcc/examples/_hpccinf.txt'
    return f"sed -e '6s/^[0-9]*/600/;11s/^[0-9]*/{rows}/;12s/^[0-9]*/{columns}/' {example} >hpccinf.{ranks}"


GROMACS = (r"""printf '#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/spc.itp"\n[ system ]\nwater\n[ molecules ]\n' >topol.top; """
           'gmx -quiet solvate -cs spc216 -box 4 4 4 -o water.gro -p topol.top && '
           'gmx -quiet grompp -f md.mdp -c water.gro -p topol.top -o topol.tpr -maxwarn 3')

CASES = [
    Case('hpcc', 'hpcc', 'hpcc', r'^(Success=\d)$', 'hpccoutf.txt', f'{hpcc_input(4)}; {hpcc_input(64)}',
         before='cp hpccinf.{ranks} hpccinf.txt', packages=('libopenblas0-pthread',)),
    Case('LAMMPS', 'lammps', 'lmp -in melt.lmp -log none', r'^ +(?:0|50|100) +\S+ +(\S+)', tolerance=1e-6),
    Case('GROMACS', 'gromacs', 'gmx_mpi mdrun -quiet -ntomp 1 -reprod -deffnm run -s topol.tpr',
         r'Coul\. recip\.      Potential .*\n(?: +\S+){3} +(\S+)', 'run.log', GROMACS, 1e-4),
    Case('NWChem', 'nwchem-openmpi', 'nwchem.openmpi h2o.nw', r'Total SCF energy = +(\S+)', tolerance=1e-9),
    Case('CP2K', 'cp2k', 'cp2k.psmp -i h2.inp', r'ENERGY\| Total FORCE_EVAL .*: +(\S+)', tolerance=1e-10),
    Case('pw.x', 'quantum-espresso', 'pw.x -nd 1 -in h2.pw', r'^! +total energy += +(\S+)', prepare='ld1.x <hydrogen.ld1', tolerance=1e-7),
    Case('ExaML', 'examl', '/usr/lib/examl/bin/examl-sse2 -s genes.binary -t 49.tree -m GAMMA -f e -n run', r'Likelihood tree 0: (\S+)',
         'ExaML_info.run', f'zcat {EXAML_DATA}/49.gz >49; cp {EXAML_DATA}/49.tree .; parse-examl -s 49 -m DNA -n genes', 1e-7),
    Case('PhyML', 'phyml', 'phyml-mpi -i nucleic -d nt -b 4 -m HKY85 -o lr --r_seed 7 --no_memory_check', r'^\. Log-likelihood:\s+(\S+)',
         'nucleic_phyml_stats.txt', 'cp /usr/share/doc/phyml/examples/nucleic .', ways=(THREADS, PROCESSES), thread_options='--threads=os'),
    Case('IQ-TREE (C++)', 'iqtree', 'iqtree2-mpi -s nucleic -m HKY+G -seed 5 -pre run -nt 1 -n 0', r'BEST SCORE FOUND : (\S+)',
         prepare='cp /usr/share/doc/phyml/examples/nucleic .', tolerance=1e-5, packages=('phyml',)),
    Case('PETSc', 'libpetsc-real3.18-dev', './laplace', r'^(\d+ iterations, .*)$', prepare='mpicc.openmpi -O2 laplace.c -o laplace '
         f'-I{PETSC}/include -L{PETSC}/lib -lpetsc_real -lm'),
    Case('MUMPS', 'libmumps-dev', './mumps_solve', r'^(INFOG.*)$', prepare='mpicc.openmpi -O2 mumps_solve.c -o mumps_solve -ldmumps -lm'),
    Case('ScaLAPACK', 'libscalapack-openmpi-dev', './scalapack_solve', '^(info is .*)$',
         prepare='mpicc.openmpi -O2 scalapack_solve.c -o scalapack_solve -lscalapack-openmpi -lm'),
    Case('HDF5', 'libhdf5-openmpi-dev', './hdf5_slabs slabs.h5', r'^(\d+ wrong|\S+  slabs.*)$', after='h5dump -d slabs slabs.h5 | tail -n +2 | '
         "sha256sum | sed 's/-/slabs/'", prepare='h5pcc.openmpi -shlib -O2 hdf5_slabs.c -o hdf5_slabs', packages=('hdf5-tools',)),
    Case('h5py', 'python3-h5py-mpi', 'python3 slabs.py slabs.h5', '^(sum .*)$', ways=(PROCESSES,), options='-x H5PY_ALWAYS_USE_MPI=1'),
    Case('mpi4py', 'python3-mpi4py', 'python3 objects.py', '^(all right|something is wrong)$', ways=(PROCESSES,),
         packages=('python3-numpy',)),
    Case('EZTrace', 'eztrace', './ring', '^(MPI_ISEND|MPI_RECV) ', ways=(THREADS, PROCESSES),
         prepare='mpicc.openmpi -O2 ring.c -o ring', options=f'-x LD_PRELOAD={EZTRACE}',
         after='otf2-print ring_trace/eztrace_log.otf2 2>/dev/null', packages=('otf2-tools',), per_rank=True),
    Case('C', 'mpich', './ring', '^(sums are .*)$', prepare='mpicc.mpich -O2 ring.c -o ring', mpi='mpich', packages=('libmpich-dev',)),
    Case('Fortran', 'mpich', './pi', '^pi is *(.*)$', prepare='mpifort.mpich -O2 pi.f90 -o pi', mpi='mpich', packages=('libmpich-dev',)),
    Case('Fortran 2008', 'mpich', './rows', '^rows are right: (T)$', prepare='mpifort.mpich -O2 rows.f90 -o rows', mpi='mpich',
         packages=('libmpich-dev',)),
    Case('ScaLAPACK', 'libscalapack-mpich-dev', './scalapack_solve', '^(info is .*)$', mpi='mpich',
         prepare='mpicc.mpich -O2 scalapack_solve.c -o scalapack_solve -lscalapack-mpich -lm'),
    Case('HDF5', 'libhdf5-mpich-dev', './hdf5_slabs slabs.h5', r'^(\d+ wrong)$', mpi='mpich',
         prepare='h5pcc.mpich -shlib -O2 hdf5_slabs.c -o hdf5_slabs'),
]
