// The info object is never freed.
// ranks: 2
// expect: warning: 2 info objects made by MPI_Info_create at.*wrong\.c:9
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "color", "red");
    MPI_Finalize();
    return 0;
}
