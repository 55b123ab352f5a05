// MPI 5.0 chapter 20 (the ABI) and section 19.3.4: MPI_Comm_toint, MPI_Comm_fromint, MPI_Comm_c2f,
// MPI_Comm_f2c and their like convert handles to and from integers; a round trip gives the same
// handle.
// ranks: 1 3
#include "world.h"

#define ROUND_TRIP(kind, handle)                                                                   \
    CHECK(MPI_##kind##_fromint(MPI_##kind##_toint(handle)) == (handle));                           \
    CHECK(MPI_##kind##_f2c(MPI_##kind##_c2f(handle)) == (handle))

// A handle made at run time: used through what came back, and different from another one.
#define OWN_ROUND_TRIP(kind, first, second)                                                        \
    ROUND_TRIP(kind, first);                                                                       \
    ROUND_TRIP(kind, second);                                                                      \
    CHECK(MPI_##kind##_toint(first) != MPI_##kind##_toint(second))

static void add(void *in, void *inout, int *length, MPI_Datatype *type) {}

static void returns(MPI_Comm *comm, int *code, ...) {}

int main(int argc, char **argv) {
    start(&argc, &argv);
    ROUND_TRIP(Comm, MPI_COMM_NULL);
    ROUND_TRIP(Comm, MPI_COMM_WORLD);
    ROUND_TRIP(Comm, MPI_COMM_SELF);
    ROUND_TRIP(Group, MPI_GROUP_EMPTY);
    ROUND_TRIP(Op, MPI_SUM);
    ROUND_TRIP(Op, MPI_OP_NULL);
    ROUND_TRIP(Type, MPI_DATATYPE_NULL);
    ROUND_TRIP(Type, MPI_DOUBLE);
    ROUND_TRIP(Request, MPI_REQUEST_NULL);
    ROUND_TRIP(Errhandler, MPI_ERRORS_RETURN);
    ROUND_TRIP(Info, MPI_INFO_NULL);
    ROUND_TRIP(Info, MPI_INFO_ENV);
    ROUND_TRIP(Message, MPI_MESSAGE_NO_PROC);
    ROUND_TRIP(Win, MPI_WIN_NULL);
    ROUND_TRIP(File, MPI_FILE_NULL);
    CHECK_EQUAL(MPI_Comm_toint(MPI_COMM_WORLD), (intptr_t)MPI_COMM_WORLD);
    CHECK_EQUAL(MPI_Type_toint(MPI_INT), (intptr_t)MPI_INT);

    MPI_Comm comms[2];
    MPI_Datatype types[2];
    MPI_Group groups[2];
    MPI_Op ops[2];
    MPI_Info infos[2];
    MPI_Request requests[2];
    MPI_Errhandler handlers[2];
    int values[2];
    for (int i = 0; i < 2; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        MPI_Type_contiguous(2 + i, MPI_INT, &types[i]);
        MPI_Comm_group(comms[i], &groups[i]);
        MPI_Op_create(add, i, &ops[i]);
        MPI_Info_create(&infos[i]);
        MPI_Recv_init(&values[i], 1, MPI_INT, 0, i, comms[i], &requests[i]);
        MPI_Comm_create_errhandler(returns, &handlers[i]);
    }
    OWN_ROUND_TRIP(Comm, comms[0], comms[1]);
    OWN_ROUND_TRIP(Type, types[0], types[1]);
    ROUND_TRIP(Group, groups[0]);
    OWN_ROUND_TRIP(Op, ops[0], ops[1]);
    OWN_ROUND_TRIP(Info, infos[0], infos[1]);
    OWN_ROUND_TRIP(Request, requests[0], requests[1]);
    OWN_ROUND_TRIP(Errhandler, handlers[0], handlers[1]);
    int type_size;
    MPI_Type_size(MPI_Type_fromint(MPI_Type_toint(types[1])), &type_size);
    CHECK_EQUAL(type_size, 12);
    for (int i = 0; i < 2; ++i) {
        MPI_Comm_free(&comms[i]);
        MPI_Type_free(&types[i]);
        MPI_Group_free(&groups[i]);
        MPI_Op_free(&ops[i]);
        MPI_Info_free(&infos[i]);
        MPI_Request_free(&requests[i]);
        MPI_Errhandler_free(&handlers[i]);
    }
    return finish();
}
