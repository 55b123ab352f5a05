# One rank receives first, the other one sends first.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
value = array('i', [rank])
other = array('i', [0])
world.Sendrecv(value, 1 - rank, 0, other, 1 - rank)
