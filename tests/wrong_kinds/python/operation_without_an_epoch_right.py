# A put between two fences.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
memory, value = array('i', [0]), array('i', [7])
window = MPI.Win.Create(memory, 4, comm=world)
window.Fence()
window.Put(value, 1 - rank)
window.Fence()
window.Free()
