# The receive has the tag of the message.
# ranks: 2
# expect-not: thrum:
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
def exchange(tag):
    if rank == 0:
        world.send({'from': rank}, 1, tag=3)
    else:
        world.recv(source=0, tag=tag)


exchange(3)
