// MPI 5.0 section 6.9.5: "If commute = false, then the order of operands is fixed and is defined to
// be in ascending, process rank order, beginning with MPI process with rank 0 in the communicator
// comm."
// ranks: 1 2 5 33 100
#include "check.h"

typedef struct {
    unsigned a, b; // x -> a x + b modulo 2^32
} Map;

static int calls; // a global of the rank that calls: each rank has its own

static void compose(void *in, void *inout, int *length, MPI_Datatype *type) {
    Map *left = in, *right = inout;
    int size;
    MPI_Type_size(*type, &size);
    CHECK_EQUAL(size, sizeof(Map));
    for (int i = 0; i < *length; ++i) {
        right[i].b = left[i].a * right[i].b + left[i].b;
        right[i].a = left[i].a * right[i].a;
    }
    ++calls;
}

static Map map_of(int rank, int i) {
    return (Map){2u * (unsigned)rank + 3u, (unsigned)(rank * rank + i)};
}

static Map fold(int first, int end, int i) {
    Map result = map_of(first, i);
    for (int rank = first + 1; rank < end; ++rank) {
        Map right = map_of(rank, i);
        result = (Map){result.a * right.a, result.a * right.b + result.b};
    }
    return result;
}

enum { large = 3000 };

int main(int argc, char **argv) {
    int rank, size, commutes;
    static Map send[large], receive[large];
    MPI_Datatype type;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_UNSIGNED, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(compose, 0, &op);
    MPI_Op_commutative(op, &commutes);
    CHECK_EQUAL(commutes, 0);
    for (int count = 1; count <= large; count += large - 1) {
        for (int i = 0; i < count; ++i)
            send[i] = map_of(rank, i);
        MPI_Allreduce(send, receive, count, type, op, MPI_COMM_WORLD);
        for (int i = 0; i < count; ++i)
            CHECK_EQUAL(receive[i].b, fold(0, size, i).b);
        MPI_Scan(send, receive, count, type, op, MPI_COMM_WORLD);
        for (int i = 0; i < count; ++i)
            CHECK_EQUAL(receive[i].b, fold(0, rank + 1, i).b);
        MPI_Exscan(MPI_IN_PLACE, send, count, type, op, MPI_COMM_WORLD);
        for (int i = 0; i < count && rank > 0; ++i)
            CHECK_EQUAL(send[i].b, fold(0, rank, i).b);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
