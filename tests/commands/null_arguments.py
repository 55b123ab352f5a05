"""Every function of MPI is called with each of its pointer arguments null in turn, all others valid.

The calls are made from mpi.api, each in a child of a rank: it must return, with success or an error, and
never crash. The same calls without a null pointer show that the other arguments are valid.
"""
import re
import sys
import unittest
from pathlib import Path

from commands import CommandTest, run

SOURCE = Path(__file__).resolve().parents[2] / 'src' / 'entry'
sys.path.insert(0, str(SOURCE))
import generate  # noqa: E402

# Not called: they end MPI or the program, start others, are variadic, or free what they get.
LEFT_OUT = set('''Abort Finalize Init Init_thread Pcontrol Comm_spawn Comm_spawn_multiple Comm_join Comm_accept
    Comm_connect Session_finalize T_finalize Free_mem'''.split())
# Values of plain arguments, by kind and then by name: C expressions.
BY_KIND = {'comm': 'comm', 'group': 'group', 'request': 'request', 'message': 'message', 'op': 'MPI_SUM',
           'info': 'info', 'errhandler': 'MPI_ERRORS_RETURN', 'win': 'win', 'file': 'file', 'session': 'session',
           'datatype': 'MPI_INT', 'type': 'MPI_INT', 'count': '1', 'wide_count': '1', 'number': '1', 'length': '1',
           'dest': '0', 'source': '0', 'root': '0', 'target': '0', 'send_tag': '7', 'recv_tag': '9', 'int': '0',
           'logical': '0', 'weight': '1', 'displacement': '0', 'extent': '4', 'aint': '0', 'offset': '0',
           'big_count': '1', 'request_index': '0', 'MPI_Fint': '257', 'MPI_T_cb_safety': 'MPI_T_CB_REQUIRE_NONE',
           'MPI_T_source_order': 'MPI_T_SOURCE_ORDERED'}
BY_NAME = {'disp_unit': '4', 'size': '4', 'partitions': '1', 'ndims': '1', 'maxdims': '1', 'maxneighbors': '1',
           'nnodes': '1', 'indegree': '1', 'outdegree': '1', 'maxindegree': '1', 'maxoutdegree': '1', 'n': '1',
           'len': '1', 'buflen': '8', 'valuelen': '8', 'max_integers': '4', 'max_addresses': '4',
           'max_datatypes': '4', 'order': 'MPI_ORDER_C', 'typeclass': 'MPI_TYPECLASS_REAL', 'amode': '2',
           'lock_type': 'MPI_LOCK_SHARED', 'split_type': 'MPI_COMM_TYPE_SHARED', 'keyval': 'keyval',
           'comm_keyval': 'keyval', 'whence': 'MPI_SEEK_SET', 'datarep': '"native"', 'required': '0',
           'peer_comm': 'comm', 'var_class': 'MPI_T_PVAR_CLASS_COUNTER', 'logical_size': '4', 'outsize': '64',
           'insize': '64'}


def parameters_of(function):
    return [p for p in function.parameters if not p.large_only]


def is_pointer(parameter):
    return bool(parameter.stars or parameter.array)


def value_of(parameter):
    """A valid argument, as a C expression."""
    base = generate.C_TYPES.get(parameter.kind, (parameter.kind,))[0]
    if not is_pointer(parameter):
        if parameter.name in BY_NAME:
            return BY_NAME[parameter.name]
        if parameter.kind in BY_KIND:
            return BY_KIND[parameter.kind]
        return 'other_handle'
    if parameter.kind == 'string' and parameter.array:
        return '(char *[]){NULL}' if parameter.stars else '"external32"'
    if parameter.kind == 'string':
        if parameter.stars == '*' and parameter.array == '' and parameter.direction != 'in':
            return 'text_out'
        return BY_NAME.get(parameter.name, 'text_in') if len(parameter.stars) < 2 else 'NULL'
    if parameter.kind in ('buffer', 'void'):
        return 'buffer_out' if parameter.direction == 'out' else 'buffer_in'
    if parameter.kind in generate.HANDLES:
        return f'({base} *)handles_{generate.HANDLES[parameter.kind].lower()}'
    if parameter.kind.endswith('function'):
        return f'({parameter.kind} *)callback'
    if parameter.array == '[][3]':
        return 'ranges'
    return f'({base} *)(void *){"ones" if re.search("counts|sizes|distribs|lengths|degrees", parameter.name) else "scratch"}'


def may_be_null(parameter):
    """Callbacks that are declared as pointers to functions have null constants."""
    return parameter.kind.endswith('function')


PROLOGUE = r'''
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static MPI_Comm comm, handles_comm[8];
static MPI_Group group, handles_group[8];
static MPI_Request request, handles_request[8];
static MPI_Message message, handles_message[8];
static MPI_Op handles_op[8];
static MPI_Info info, handles_info[8];
static MPI_Errhandler handles_errhandler[8];
static MPI_Win win, handles_win[8];
static MPI_File file, handles_file[8];
static MPI_Session session, handles_session[8];
static MPI_Datatype handles_datatype[8];
static void *other_handle = NULL;
static long scratch[256];
static int ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, ranges[8][3] = {{0, 0, 1}};
static void callback(void) {}
static char buffer_in[1024], buffer_out[4096], text_in[] = "text", text_out[8192];
static MPI_Comm cart;
static int keyval;
struct Call {
    const char *name;
    int (*function)(int null);
    int count;
    const char *const *parameters;
};
/* What a send or receive of the call may meet. */
static void offer_partners(void) {
    static int in, out;
    MPI_Request partners[2];
    MPI_Irecv(&in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &partners[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &partners[1]);
}
'''
EPILOGUE = r'''
static void fill(void) {
    comm = MPI_COMM_SELF;
    MPI_Comm_group(comm, &group);
    MPI_Info_create(&info);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    request = MPI_REQUEST_NULL;
    message = MPI_MESSAGE_NO_PROC;
    for (int i = 0; i < 8; ++i) {
        handles_comm[i] = comm;
        handles_group[i] = group;
        handles_request[i] = MPI_REQUEST_NULL;
        handles_message[i] = MPI_MESSAGE_NO_PROC;
        handles_op[i] = MPI_SUM;
        handles_info[i] = info;
        handles_errhandler[i] = MPI_ERRORS_RETURN;
        handles_datatype[i] = MPI_INT;
    }
    int one = 1;
    void *memory;
    char name[64];
    MPI_Cart_create(comm, 1, &one, &one, 0, &cart);
    MPI_Win_allocate(sizeof scratch, 1, MPI_INFO_NULL, comm, &memory, &win);
    snprintf(name, sizeof name, "/tmp/thrum-null-%d", (int)getpid());
    MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Win_fence(0, win);
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
}
/* Returns 0: success, 1: an error, 2: it waits for what never comes, its arguments have been accepted; 3: a
 * crash, which it describes. */
static int run(const struct Call *call, int null) {
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(5);
        _exit(call->function(null) == MPI_SUCCESS ? 0 : 1);
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == 86 ? 2 : WEXITSTATUS(status) != 0;
    if (WTERMSIG(status) == SIGALRM)
        return 2;
    printf("MPI_%s with %s null: signal %d\n", call->name, null < 0 ? "nothing" : call->parameters[null],
           WTERMSIG(status));
    return 3;
}
int main(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    fill();
    int crashes = 0, runs = 0, valid = 0, functions = 0;
    for (const struct Call *call = calls; call->name; ++call, ++functions)
        for (int i = -1; i < call->count; ++i, ++runs) {
            const int result = run(call, i);
            crashes += result == 3;
            if (i < 0 && (result == 0 || result == 2))
                ++valid;
            else if (i < 0 && getenv("VERBOSE"))
                printf("MPI_%s is an error already without a null pointer\n", call->name);
        }
    printf("%d of %d functions accept the arguments; %d calls, %d crashes\n", valid, functions, runs, crashes);
    MPI_T_finalize();
    MPI_Session_finalize(&session);
    MPI_Win_fence(0, win);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return crashes != 0 || valid < 400;
}
'''


def call_of(function):
    parameters = parameters_of(function)
    pointers = [p for p in parameters if is_pointer(p) and not may_be_null(p)]
    on_grid = 'eighbor' in function.name or function.name.startswith(('Cart', 'Topo'))
    arguments = []
    for p in parameters:
        value = value_of(p)
        if value == 'comm' and on_grid:
            value = 'cart'
        if p in pointers:
            value = f'null == {pointers.index(p)} ? NULL : {value}'
        arguments.append(value)
    lines = ['static int call_%s(int null) {' % function.name, '    (void)null;']
    if any(p.kind in ('dest', 'source') for p in parameters):
        lines.append('    offer_partners();')
    call = f'MPI_{function.name}({", ".join(arguments)})'
    result = 'return ' + call if not function.returns else f'(void){call};\n    return MPI_SUCCESS'
    names = ', '.join(f'"{p.name}"' for p in pointers) or 'NULL'
    lines += [f'    {result};', '}', f'static const char *const names_{function.name}[] = {{{names}}};']
    entry = f'{{"{function.name}", call_{function.name}, {len(pointers)}, names_{function.name}}},'
    return '\n'.join(lines), entry


class NullArguments(CommandTest):
    def test_no_null_pointer_makes_a_function_crash(self):
        functions = [f for f in generate.parse_api(SOURCE / 'mpi.api') if f.name not in LEFT_OUT]
        calls = [call_of(f) for f in functions]
        text = PROLOGUE + '\n'.join(body for body, _ in calls) + '\nstatic const struct Call calls[] = {\n' \
            + '\n'.join(entry for _, entry in calls) + '\n{NULL, NULL, 0, NULL}};\n' + EPILOGUE
        code, output, _ = run(self.compile('nulls', text, '-w'), timeout=200)
        self.assertRegex(output, r' 0 crashes\n$')
        self.assertEqual(code, 0, output)


if __name__ == '__main__':
    unittest.main()
