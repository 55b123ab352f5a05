// MPI 5.0 section 5.1.13: MPI_TYPE_GET_ENVELOPE "returns information on the number and type of
// input arguments used in the call that created the datatype", MPI_TYPE_GET_CONTENTS the arguments.
// ranks: 1
#include "world.h"

static void check_envelope(MPI_Datatype type, int integers, int addresses, int types,
                           int combiner) {
    int a, b, c, d;
    CHECK_SUCCESS(MPI_Type_get_envelope(type, &a, &b, &c, &d));
    CHECK_EQUAL(a, integers);
    CHECK_EQUAL(b, addresses);
    CHECK_EQUAL(c, types);
    CHECK_EQUAL(d, combiner);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype type, inner, types[3];
    int integers[20];
    MPI_Aint addresses[3];
    check_envelope(MPI_INT, 0, 0, 0, MPI_COMBINER_NAMED);
    MPI_Type_vector(3, 2, 5, MPI_INT, &inner);
    check_envelope(inner, 3, 0, 1, MPI_COMBINER_VECTOR);
    MPI_Type_get_contents(inner, 3, 0, 1, integers, addresses, types);
    CHECK(integers[0] == 3 && integers[1] == 2 && integers[2] == 5 && types[0] == MPI_INT);
    MPI_Type_create_struct(2, (int[]){4, 1}, (MPI_Aint[]){8, 100},
                           (MPI_Datatype[]){MPI_DOUBLE, inner}, &type);
    check_envelope(type, 3, 2, 2, MPI_COMBINER_STRUCT);
    MPI_Type_get_contents(type, 3, 2, 2, integers, addresses, types);
    CHECK(integers[0] == 2 && integers[1] == 4 && integers[2] == 1);
    CHECK(addresses[0] == 8 && addresses[1] == 100);
    CHECK(types[0] == MPI_DOUBLE);
    check_envelope(types[1], 3, 0, 1, MPI_COMBINER_VECTOR); // equal to inner; a handle to free
    MPI_Type_free(&types[1]);
    MPI_Type_free(&type);
    MPI_Type_create_hindexed_block(2, 3, (MPI_Aint[]){0, 40}, MPI_CHAR, &type);
    check_envelope(type, 2, 2, 1, MPI_COMBINER_HINDEXED_BLOCK);
    MPI_Type_free(&type);
    MPI_Type_indexed(2, (int[]){1, 2}, (int[]){3, 4}, MPI_CHAR, &type);
    check_envelope(type, 5, 0, 1, MPI_COMBINER_INDEXED);
    MPI_Type_get_contents(type, 5, 0, 1, integers, addresses, types);
    for (int i = 0; i < 5; ++i)
        CHECK_EQUAL(integers[i], ((int[]){2, 1, 2, 3, 4})[i]);
    MPI_Type_free(&type);
    MPI_Type_create_resized(inner, -8, 96, &type);
    check_envelope(type, 0, 2, 1, MPI_COMBINER_RESIZED);
    MPI_Type_free(&type);
    MPI_Type_dup(inner, &type);
    check_envelope(type, 0, 0, 1, MPI_COMBINER_DUP);
    MPI_Type_free(&type);
    MPI_Type_create_subarray(2, (int[]){4, 5}, (int[]){2, 3}, (int[]){1, 2}, MPI_ORDER_C, MPI_INT,
                             &type);
    check_envelope(type, 8, 0, 1, MPI_COMBINER_SUBARRAY);
    MPI_Type_get_contents(type, 8, 0, 1, integers, addresses, types);
    for (int i = 0; i < 8; ++i)
        CHECK_EQUAL(integers[i], ((int[]){2, 4, 5, 2, 3, 1, 2, MPI_ORDER_C})[i]);
    MPI_Type_free(&type);
    MPI_Type_free(&inner);
    return finish();
}
