// MPI 5.0 section 6.9.7: "Reduction operations can be queried for their commutativity using
// MPI_OP_COMMUTATIVE"; all predefined reductions are commutative (section 6.9.2), a user's is what
// MPI_OP_CREATE was told.
// ranks: 1 3
#include "world.h"

// Keeps the left operand: associative, not commutative.
static void left(void *in, void *inout, int *length, MPI_Datatype *type) {
    memcpy(inout, in, sizeof(int) * (size_t)*length);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Op ops[] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                    MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    int commutative;
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; ++i) {
        MPI_Op_commutative(ops[i], &commutative);
        CHECK(commutative);
    }
    MPI_Op op;
    MPI_Op_create(left, 0, &op);
    MPI_Op_commutative(op, &commutative);
    CHECK(!commutative);
    int mine = rank + 100, result = -1;
    MPI_Allreduce(&mine, &result, 1, MPI_INT, op, MPI_COMM_WORLD);
    CHECK_EQUAL(result, 100);
    int a = 1, b = 2;
    MPI_Reduce_local(&a, &b, 1, MPI_INT, op);
    CHECK_EQUAL(b, 1);
    MPI_Op_free(&op);
    return finish();
}
