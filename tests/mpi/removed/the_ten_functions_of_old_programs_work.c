// MPI 5.0 section 18.1: MPI_ADDRESS, MPI_TYPE_STRUCT and eight other functions were removed in MPI
// 3.0. Old programs call them; they get them from libmpi_removed.a. Section 18.1 of MPI 3.0 names
// the replacements.
// flags: -Wno-deprecated-declarations -Wl,--no-warnings
// ranks: 1 3
#include "world.h"

typedef struct {
    int number;
    double values[2];
} Particle;

static int handled;

static void handle(MPI_Comm *comm, int *code, ...) {
    int class;
    MPI_Error_class(*code, &class);
    handled += *comm == MPI_COMM_SELF && class == MPI_ERR_TAG;
}

static void check_bounds(MPI_Datatype type, MPI_Aint lower, MPI_Aint upper) {
    MPI_Aint lb = -1, ub = -1, extent = -1;
    CHECK_SUCCESS(MPI_Type_lb(type, &lb));
    CHECK_SUCCESS(MPI_Type_ub(type, &ub));
    CHECK_SUCCESS(MPI_Type_extent(type, &extent));
    CHECK_EQUAL(lb, lower);
    CHECK_EQUAL(ub, upper);
    CHECK_EQUAL(extent, upper - lower);
}

// The particles of all ranks go round.
static void structs_are_sent(void) {
    Particle mine[2] = {{rank, {rank + .5, rank + .25}}, {-rank, {1, 2}}}, got[2] = {{0}};
    int lengths[3] = {1, 2, 1};
    MPI_Aint places[3], start;
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_UB}, particle;
    CHECK_SUCCESS(MPI_Address(mine, &start));
    CHECK_SUCCESS(MPI_Address(&mine[0].number, &places[0]));
    CHECK_SUCCESS(MPI_Address(mine[0].values, &places[1]));
    CHECK_SUCCESS(MPI_Address(&mine[1], &places[2]));
    for (int i = 0; i < 3; ++i)
        places[i] -= start;
    CHECK_EQUAL(places[1], offsetof(Particle, values));
    CHECK_SUCCESS(MPI_Type_struct(3, lengths, places, types, &particle));
    CHECK_SUCCESS(MPI_Type_commit(&particle));
    check_bounds(particle, 0, sizeof(Particle));
    int bytes;
    CHECK_SUCCESS(MPI_Type_size(particle, &bytes));
    CHECK_EQUAL(bytes, sizeof(int) + 2 * sizeof(double));
    CHECK_SUCCESS(MPI_Sendrecv(mine, 2, particle, (rank + 1) % size, 0, got, 2, particle,
                               (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    const int left = (rank + size - 1) % size;
    CHECK(got[0].number == left && got[0].values[1] == left + .25 && got[1].number == -left);
    CHECK_SUCCESS(MPI_Type_free(&particle));
}

static void structs_have_the_bounds_that_they_name(void) {
    int lengths[3] = {1, 1, 1};
    MPI_Aint places[3] = {-8, 4, 40};
    MPI_Datatype types[3] = {MPI_LB, MPI_INT, MPI_UB}, type;
    CHECK_SUCCESS(MPI_Type_struct(3, lengths, places, types, &type));
    check_bounds(type, -8, 40);
    CHECK_SUCCESS(MPI_Type_free(&type));
    CHECK_SUCCESS(MPI_Type_struct(2, lengths, places, types, &type));
    check_bounds(type, -8, 8);
    CHECK_SUCCESS(MPI_Type_free(&type));
    CHECK_SUCCESS(MPI_Type_struct(1, lengths, places + 1, types + 1, &type));
    check_bounds(type, 4, 8);
    CHECK_SUCCESS(MPI_Type_free(&type));
    CHECK_SUCCESS(MPI_Type_struct(0, NULL, NULL, NULL, &type));
    check_bounds(type, 0, 0);
    CHECK_SUCCESS(MPI_Type_free(&type));
}

static void strides_and_places_are_bytes(void) {
    int lengths[2] = {1, 2};
    MPI_Aint places[2] = {16, 32};
    MPI_Datatype type;
    CHECK_SUCCESS(MPI_Type_hvector(3, 2, 20, MPI_INT, &type));
    check_bounds(type, 0, 48);
    CHECK_SUCCESS(MPI_Type_free(&type));
    CHECK_SUCCESS(MPI_Type_hindexed(2, lengths, places, MPI_INT, &type));
    check_bounds(type, 16, 40);
    CHECK_SUCCESS(MPI_Type_free(&type));
}

static void error_handlers_are_those_of_communicators(void) {
    MPI_Handler_function *function = handle;
    MPI_Errhandler handler, got;
    CHECK_SUCCESS(MPI_Errhandler_create(function, &handler));
    CHECK_SUCCESS(MPI_Errhandler_set(MPI_COMM_SELF, handler));
    CHECK_SUCCESS(MPI_Errhandler_get(MPI_COMM_SELF, &got));
    MPI_Send(&rank, 1, MPI_INT, 0, -9, MPI_COMM_SELF);
    CHECK_EQUAL(handled, 1);
    CHECK_SUCCESS(MPI_Errhandler_free(&got));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
}

static void wrong_arguments_are_errors(void) {
    int length = 1;
    MPI_Aint place = 0, bound;
    MPI_Datatype type = MPI_DATATYPE_NULL, unknown = MPI_DATATYPE_NULL, upper = MPI_UB;
    CHECK_SUCCESS(MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_ERROR(MPI_Type_struct(1, &length, &place, &unknown, &type), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Type_struct(-1, &length, &place, &upper, &type), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Type_struct(1, NULL, &place, &upper, &type), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Type_extent(MPI_DATATYPE_NULL, &bound), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Type_ub(MPI_INT, NULL), MPI_ERR_ARG);
    // Members of MPI_Type_struct only.
    CHECK_ERROR(MPI_Type_lb(MPI_UB, &bound), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Send(&length, 1, MPI_LB, MPI_PROC_NULL, 0, MPI_COMM_SELF), MPI_ERR_TYPE);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    structs_are_sent();
    structs_have_the_bounds_that_they_name();
    strides_and_places_are_bytes();
    error_handlers_are_those_of_communicators();
    wrong_arguments_are_errors();
    return finish();
}
