// A datatype that is made in each step is never freed.
// ranks: 2
// expect: warning: 6 datatypes made by MPI_Type_vector at.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 3; ++step) {
        MPI_Datatype row;
        MPI_Type_vector(2, 1, 4, MPI_INT, &row);
        MPI_Type_commit(&row);
    }
    MPI_Finalize();
    return 0;
}
