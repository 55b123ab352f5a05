// It was.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "color", "red");
    MPI_Info_delete(info, "color");
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
