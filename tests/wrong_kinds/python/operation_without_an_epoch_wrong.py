# A put without a fence before it.
# ranks: 2
# exit: [1-9].*
# expect: MPI_ERR_RMA_SYNC
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
memory, value = array('i', [0]), array('i', [7])
window = MPI.Win.Create(memory, 4, comm=world)
window.Put(value, 1 - rank)
window.Fence()
window.Free()
