// MPI 5.0 section 6.12: an operation completes for a sender of MPI_Ireduce when its buffer may be
// reused, which need not wait for the other members. The sender may then free its datatype, and the
// library may give the memory to another datatype: the others must not be compared with that one.
// (That ranks 0 and 1 complete before the others call is our library, not the standard.)
// ranks: 8
// modes: fibers-1 fibers-2 os-threads
// expect-not: WARNING
#include "world.h"

enum { types = 200 }; // more than the library keeps aside before it reuses the memory of one

struct pair {
    int i;
    double d;
};

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    for (int k = 0; k < *count; ++k) {
        ((struct pair *)inout)[k].i += ((struct pair *)in)[k].i;
        ((struct pair *)inout)[k].d += ((struct pair *)in)[k].d;
    }
}

static MPI_Datatype new_type(MPI_Datatype first, MPI_Datatype second) {
    MPI_Datatype type;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){first, second},
                           &type);
    MPI_Type_commit(&type);
    return type;
}

// Makes datatypes with other basic types, in the memory of those that have been freed.
static void reuse_memory(MPI_Datatype made[types]) {
    for (int round = 0; round < 2; ++round) {
        for (int k = 0; k < types; ++k)
            made[k] = new_type(MPI_FLOAT, MPI_LONG);
        for (int k = 0; k < types && round == 0; ++k)
            MPI_Type_free(&made[k]);
    }
}

static void tell(int other) {
    MPI_Send(NULL, 0, MPI_BYTE, other, 1, MPI_COMM_WORLD);
}

static void wait_for(int other) {
    MPI_Recv(NULL, 0, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    const int root = size - 1;
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    if (rank > 1)
        wait_for(0);

    struct pair mine = {rank, 0.5 * rank}, sum = {0, 0};
    MPI_Datatype type = new_type(MPI_INT, MPI_DOUBLE);
    MPI_Request request;
    MPI_Ireduce(&mine, &sum, 1, type, op, root, MPI_COMM_WORLD, &request);
    MPI_Type_free(&type);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1)
        tell(0);
    if (rank == 0) {
        MPI_Datatype made[types];
        wait_for(1);
        reuse_memory(made);
        for (int other = 2; other < size; ++other)
            tell(other);
        for (int k = 0; k < types; ++k)
            MPI_Type_free(&made[k]);
    }
    if (rank == root)
        CHECK(sum.i == size * (size - 1) / 2 && sum.d == 0.5 * sum.i);
    MPI_Op_free(&op);
    return finish();
}
