// MPI 5.0 section 6.9.4: "MPI_TYPE_GET_VALUE_INDEX returns a handle to a predefined datatype
// suitable for the use with MPI_MINLOC and MPI_MAXLOC if such a predefined type exists. If the
// provided combination of value_type and index_type does not match a predefined pair datatype
// (named or unnamed), the function will set pair_type to MPI_DATATYPE_NULL and return MPI_SUCCESS."
// ranks: 4
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);

    struct {
        MPI_Datatype value, index, pair;
    } const cases[] = {{MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
                       {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
                       {MPI_LONG, MPI_INT, MPI_LONG_INT},
                       {MPI_INT, MPI_INT, MPI_2INT},
                       {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
                       {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
                       {MPI_DOUBLE, MPI_UINT64_T, MPI_DATATYPE_NULL},
                       {MPI_C_DOUBLE_COMPLEX, MPI_INT, MPI_DATATYPE_NULL},
                       {MPI_INT, MPI_DOUBLE, MPI_DATATYPE_NULL}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        MPI_Datatype pair = MPI_CHAR;
        CHECK_SUCCESS(MPI_Type_get_value_index(cases[i].value, cases[i].index, &pair));
        CHECK(pair == cases[i].pair);
    }

    struct {
        double value;
        int index;
    } mine = {(rank * 7) % 5, rank}, least;

    MPI_Datatype pair;
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
    MPI_Allreduce(&mine, &least, 1, pair, MPI_MINLOC, MPI_COMM_WORLD);
    CHECK(least.value == 0 && least.index == 0);
    return finish();
}
