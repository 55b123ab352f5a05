// It has fewer.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    char key[400] = {0};
    MPI_Info info;
    MPI_Info_create(&info);
    for (int i = 0; i < 30; ++i)
        key[i] = 'k';
    MPI_Info_set(info, key, "value");
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
