// The datatype of a struct gives each member its type.
// ranks: 2
// flags: --check
// options: --check
// expect-not: thrum:
#include <mpi.h>

#include <stddef.h>

struct Particle {
    int id;
    double mass;
};

int main(int argc, char **argv) {
    struct Particle particle = {1, 2.0};
    const int counts[] = {1, 1};
    const MPI_Aint displacements[] = {0, offsetof(struct Particle, mass)};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Type_create_struct(2, counts, displacements, types, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(&particle, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
