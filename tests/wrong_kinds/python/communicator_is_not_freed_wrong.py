# A communicator is never freed.
# ranks: 4
# expect: communicators? made by MPI_Comm_split at .*_wrong\.py:11 in halves (was|were) never freed
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
def halves():
    return world.Split(rank % 2)


half = halves()
half.Barrier()
