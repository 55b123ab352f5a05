// MPI 5.0 section 6.9.5: the user function is void(void *invec, void *inoutvec, int *len,
// MPI_Datatype *datatype): "u[i] o w[i]" for the elements "described by the arguments"; datatype is
// the handle that was passed to the reduction, so that (section 6.9.1) "user-defined operators may
// operate on general, derived datatypes".
// ranks: 1 2 5 16
#include "world.h"

typedef struct {
    char name;
    double largest;
    int sum;
} Record;

static MPI_Datatype record_type;

static void merge(void *in, void *inout, int *length, MPI_Datatype *type) {
    const Record *a = in;
    Record *b = inout;
    MPI_Aint lower_bound, extent;
    CHECK_SUCCESS(MPI_Type_get_extent(*type, &lower_bound, &extent));
    CHECK_EQUAL(extent, sizeof(Record));
    CHECK(*type == record_type);
    for (int i = 0; i < *length; ++i) {
        b[i].name = a[i].name < b[i].name ? a[i].name : b[i].name;
        b[i].largest = a[i].largest > b[i].largest ? a[i].largest : b[i].largest;
        b[i].sum += a[i].sum;
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    Record mine[50], result[50];
    int lengths[] = {1, 1, 1}, commutative;
    MPI_Aint places[] = {offsetof(Record, name), offsetof(Record, largest), offsetof(Record, sum)};
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
    MPI_Op op;
    MPI_Type_create_struct(3, lengths, places, types, &record_type);
    MPI_Type_commit(&record_type);
    MPI_Op_create(merge, 1, &op);
    MPI_Op_commutative(op, &commutative);
    CHECK_EQUAL(commutative, 1);
    for (int i = 0; i < 50; ++i)
        mine[i] = (Record){(char)('a' + (rank + i) % size), rank + i, i};
    MPI_Allreduce(mine, result, 50, record_type, op, MPI_COMM_WORLD);
    for (int i = 0; i < 50; ++i) {
        CHECK_EQUAL(result[i].name, 'a');
        CHECK(result[i].largest == size - 1 + i);
        CHECK_EQUAL(result[i].sum, size * i);
    }
    MPI_Op_free(&op);
    CHECK(op == MPI_OP_NULL);
    MPI_Type_free(&record_type);
    return finish();
}
