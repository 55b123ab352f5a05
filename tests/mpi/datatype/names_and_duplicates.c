// MPI 5.0 section 7.8: "Named predefined datatypes have the default names of the datatype name";
// section 5.1.10: a duplicate behaves as the original, and has no name.
// ranks: 1 3
#include "world.h"

static void check_name(MPI_Datatype type, const char *expected) {
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    CHECK_SUCCESS(MPI_Type_get_name(type, name, &length));
    CHECK(strcmp(name, expected) == 0);
    CHECK_EQUAL(length, strlen(expected));
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    check_name(MPI_INT, "MPI_INT");
    check_name(MPI_DOUBLE_INT, "MPI_DOUBLE_INT");
    check_name(MPI_C_BOOL, "MPI_C_BOOL");
    check_name(MPI_UINT16_T, "MPI_UINT16_T");
    MPI_Datatype type, dup;
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    check_name(type, "");
    MPI_Type_set_name(type, "two of four");
    check_name(type, "two of four");
    MPI_Type_commit(&type);
    MPI_Type_dup(type, &dup);
    MPI_Type_free(&type);
    int in[4] = {-1, -1, -1, -1}, out[4] = {1, 2, 3, 4};
    MPI_Sendrecv(out, 1, dup, 0, 0, in, 1, dup, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(in[0] == 1 && in[1] == -1 && in[2] == -1 && in[3] == 4);
    MPI_Type_free(&dup);
    return finish();
}
