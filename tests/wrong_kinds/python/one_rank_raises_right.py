# The exception is caught.
# ranks: 3
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
def compute():
    if rank == 1:
        raise ValueError('no solution')


try:
    compute()
except ValueError:
    pass
world.Barrier()
