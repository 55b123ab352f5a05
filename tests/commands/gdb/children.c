/* For children.sh: rank 0 spawns two ranks, which wait for each other, and stops. */
#include <mpi.h>

#include <unistd.h>

int global = -1;

void stop_here(void) {
    __asm__ volatile("");
}

void wait_in_child(int rank) {
    int local = 2000 + rank;
    MPI_Recv(&local, 1, MPI_INT, 1 - rank, 88, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    global = local;
}

int main(int argc, char **argv) {
    MPI_Comm parent, children;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    global = (parent == MPI_COMM_NULL ? 100 : 300) + rank;
    if (parent != MPI_COMM_NULL) {
        wait_in_child(rank);
    } else {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
        usleep(500000); /* the children are where they wait */
        stop_here();
        MPI_Abort(MPI_COMM_WORLD, 0);
    }
    return 0;
}
