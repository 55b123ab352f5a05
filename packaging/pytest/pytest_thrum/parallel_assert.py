"""parallel_assert() of mpi-pytest, which its users import from pytest_mpi."""
import warnings

from . import mpi


def parallel_assert(assertion, msg='', *, participating=True):
    """Raises an AssertionError in all ranks if `assertion` is false in one of them. All ranks must call it.

    assertion       the value, or (deprecated) a function that returns it
    msg             is part of the error
    participating   False: the assertion of this rank does not count
    """
    __tracebackhide__ = True
    if callable(assertion):
        warnings.warn('pass a value to parallel_assert, not a function', FutureWarning, stacklevel=2)
        holds = not participating or bool(assertion())
    else:
        holds = not participating or bool(assertion)
    world = mpi.world()
    results = world.allgather(holds) if world else [holds]
    if not all(results):
        failed = [rank for rank, result in enumerate(results) if not result]
        raise AssertionError(f'Parallel assertion failed on ranks: {failed}' + (f'\n{msg}' if msg else ''))
