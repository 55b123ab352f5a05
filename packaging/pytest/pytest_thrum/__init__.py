"""pytest-thrum: tests with several MPI ranks in an ordinary pytest session.

The plug-in proper is pytest_thrum.plugin. Its parts:

marks            what the markers of a test ask for
plugin           options, markers, fixtures, and which of the next three a process is
controller       the session in front, which lends tests to groups of ranks
group            ranks that stay between tests: mpiexec, and a socket to each rank
worker           a rank of a group
job              a rank of `mpiexec -n N pytest`
reports          the reports of all ranks about a test become one
thrum_lines      what Thrum has said about a job that ended
mpi              the few functions of MPI that the plug-in itself needs, by ctypes
parallel_assert  the function of mpi-pytest

PYTEST_DONT_REWRITE: it has no assertions, and a rank imports it before pytest begins.
"""
