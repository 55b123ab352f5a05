"""Parallel h5py: each rank writes its rows of one dataset, rank 0 reads all. Takes the file's name."""
import sys

import h5py
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
with h5py.File(sys.argv[1], 'w', driver='mpio', comm=comm) as file:
    data = file.create_dataset('slabs', (960, 10), 'i8')
    begin, end = 960 * comm.rank // comm.size, 960 * (comm.rank + 1) // comm.size
    with data.collective:
        data[begin:end] = numpy.arange(begin * 10, end * 10).reshape(-1, 10)
if comm.rank == 0:
    with h5py.File(sys.argv[1], 'r') as file:
        print('sum', int(file['slabs'][:].sum()), bool((file['slabs'][:].ravel() == numpy.arange(9600)).all()))
