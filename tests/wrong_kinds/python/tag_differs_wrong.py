# The receive waits for another tag than that of the message.
# ranks: 2
# exit: 86
# expect: rank 1: MPI_M?(Probe|Recv|probe) from rank 0, tag 4, .*, at .*_wrong\.py:16 in exchange
# expect: rank 1 has an unmatched message from rank 0 with tag 3
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
def exchange(tag):
    if rank == 0:
        world.send({'from': rank}, 1, tag=3)
    else:
        world.recv(source=0, tag=tag)


exchange(4)
