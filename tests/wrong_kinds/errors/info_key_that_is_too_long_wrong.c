// The key has more than MPI_MAX_INFO_KEY characters.
// ranks: 1
// exit: 31
// expect: rank 0: MPI_Info_set: MPI_ERR_INFO_KEY: key has 300 characters, but must.*wrong\.c:14
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    char key[400] = {0};
    MPI_Info info;
    MPI_Info_create(&info);
    for (int i = 0; i < 300; ++i)
        key[i] = 'k';
    MPI_Info_set(info, key, "value");
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
