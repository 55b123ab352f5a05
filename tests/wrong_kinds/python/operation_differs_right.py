# All ranks reduce by one operation.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
mine, result = array('i', [rank]), array('i', [0])
world.Allreduce(mine, result, MPI.SUM)
