// The key was never set.
// ranks: 1
// exit: 32
// expect: rank 0: MPI_Info_delete: MPI_ERR_INFO_NOKEY: key is "color", which is not.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_delete(info, "color");
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
