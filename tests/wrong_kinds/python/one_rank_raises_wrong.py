# One rank raises an exception while the others wait for it.
# ranks: 3
# exit: 1
# expect: ValueError: no solution
# expect: rank 1 ended with exit code 1 .*: ranks 0,2: MPI_Barrier on MPI_COMM_WORLD, at .*_wrong\.py:18 in <module>
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
def compute():
    if rank == 1:
        raise ValueError('no solution')


compute()
world.Barrier()
