"""Stands for mpi4py where tests must not need it: a small module of that name, which calls MPI as mpi4py does."""
# Python's C API is declared here, because its headers may not be installed.
MODULE = r'''
#include <mpi.h>
#include <stddef.h>
typedef struct Object Object;
typedef struct { const char *name; Object *(*function)(Object *, Object *); int flags; const char *doc; } Method;
typedef struct { ptrdiff_t references; void *type, *init; ptrdiff_t index; void *copy; const char *name, *doc; ptrdiff_t size;
                 Method *methods; void *slots, *traverse, *clear, *free; } Definition;
Object *PyModule_Create2(Definition *, int);
int PyArg_ParseTuple(Object *, const char *, ...);
Object *PyLong_FromLong(long);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
int Py_AtExit(void (*)(void));
static int value[4];
static MPI_Request requests[8];
static int request_count;
/* Each function takes one number. */
#define FUNCTION(name, call)                                                                                                     \
    static Object *name(Object *self, Object *arguments) {                                                                       \
        int n = 0;                                                                                                               \
        if (!PyArg_ParseTuple(arguments, "|i", &n))                                                                              \
            return NULL;                                                                                                         \
        void *state = PyEval_SaveThread();                                                                                       \
        call;                                                                                                                    \
        PyEval_RestoreThread(state);                                                                                             \
        return PyLong_FromLong(n);                                                                                               \
    }
FUNCTION(rank, MPI_Comm_rank(MPI_COMM_WORLD, &n))
FUNCTION(size, MPI_Comm_size(MPI_COMM_WORLD, &n))
FUNCTION(barrier, MPI_Barrier(MPI_COMM_WORLD))
FUNCTION(bcast, MPI_Bcast(value, 1, MPI_INT, n, MPI_COMM_WORLD))
FUNCTION(send, MPI_Send(value, 1, MPI_INT, n, 0, MPI_COMM_WORLD))
FUNCTION(send_float, MPI_Send(value, 1, MPI_FLOAT, n, 0, MPI_COMM_WORLD))
FUNCTION(recv, MPI_Recv(value, 1, MPI_INT, n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
FUNCTION(irecv, MPI_Irecv(value, 1, MPI_INT, n, 0, MPI_COMM_WORLD, &requests[request_count++]))
FUNCTION(abort_all, MPI_Abort(MPI_COMM_WORLD, n))
static Method methods[] = {{"rank", rank, 1, 0}, {"size", size, 1, 0}, {"barrier", barrier, 1, 0}, {"bcast", bcast, 1, 0},
                           {"send", send, 1, 0}, {"send_float", send_float, 1, 0}, {"recv", recv, 1, 0}, {"irecv", irecv, 1, 0},
                           {"abort", abort_all, 1, 0}, {0}};
static Definition definition = {.references = 1, .name = "MPI", .size = -1, .methods = methods};
static void finalize(void) { MPI_Finalize(); }
Object *PyInit_MPI(void) {
    int is_initialized;
    MPI_Initialized(&is_initialized);
    if (!is_initialized) {
        MPI_Init(NULL, NULL);
        Py_AtExit(finalize);
    }
    return PyModule_Create2(&definition, 1013);
}
'''


def make(test):
    """Makes the package mpi4py in the scratch folder of a CommandTest."""
    (test.scratch / 'mpi4py').mkdir()
    test.write('mpi4py/__init__.py', '')
    test.compile('mpi4py/MPI.so', MODULE, '-shared', '-fPIC')
