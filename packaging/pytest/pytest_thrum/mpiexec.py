"""Finds Thrum's mpiexec, and what to give it."""
import functools
import importlib.util
import os
import re
import shutil
import subprocess

import pytest

# What mpiexec and the library pass to processes of a job. A job that starts inside of one is another job.
_OF_A_JOB = re.compile(r'PMIX_|THRUM_(FIRST_PROGRAM|LAUNCH_PID|NODE_PROCESSES|RANKS|STATUS|ABOVE)$')


@functools.lru_cache(maxsize=None)
def find():
    """The path of mpiexec: that of the package thrum-mpi if this interpreter has it, else the first in PATH."""
    if importlib.util.find_spec('thrum_mpi'):
        import thrum_mpi
        path = str(thrum_mpi.mpiexec())
    else:
        path = shutil.which('mpiexec')
    if not path:
        raise pytest.UsageError('pytest-thrum: there is no mpiexec in PATH; install Thrum (pip install thrum-mpi), '
                                'or put the bin folder of its installation into PATH')
    try:
        done = subprocess.run([path, '--version'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors='replace', timeout=60, env=environment())
        said = done.stdout.strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        said = str(error)
    if '(Thrum)' not in said:
        first = (said.splitlines() or ['nothing'])[0]
        raise pytest.UsageError(f"pytest-thrum: {path} is not Thrum's mpiexec (it says: {first}); install thrum-mpi into this environment, "
                                "or put the bin folder of Thrum first in PATH")
    return path


def environment():
    """The environment for a job of its own."""
    return {name: value for name, value in os.environ.items() if not _OF_A_JOB.match(name)}
