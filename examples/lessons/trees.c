// Lesson trees: three ways to broadcast a value: in a line, in a tree, by MPI_Bcast.
//
//   mpicc -g trees.c -o trees && mpiexec --report trees.html -n 8 ./trees
//
// Look at:
//   - The times above: the line sends 7 messages one after the other, the tree needs 3 rounds.
//   - Timeline: each way is a region. "line" is a fan of arrows from rank 0, in "binomial tree"
//     the arrows double in each round, and "MPI_Bcast" is one operation of all ranks.
//   - Time in MPI: MPI_Recv in from_root waits longest: the last rank waits for all others.
//   - Communication: row 0 of the matrix is the line, and the rows of all that pass the value on
//     are the tree.
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

#if __has_include(<thrum/annotate.h>) // regions, which the timeline shows; other MPIs do without
#include <thrum/annotate.h>
#else
#define thrum_region_begin(name)
#define thrum_region_end()
#endif

static int rank, size;

// Sends over a slow network. Inside one machine a message takes a microsecond: too short to see.
static void send_slowly(int *value, int dest) {
    usleep(1000);
    MPI_Send(value, 1, MPI_INT, dest, 0, MPI_COMM_WORLD);
}

// Rank 0 sends to all others: size - 1 messages, one after the other.
static void from_root(int *value) {
    if (rank > 0)
        MPI_Recv(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int dest = 1; rank == 0 && dest < size; ++dest)
        send_slowly(value, dest);
}

// In each round, every rank that has the value sends it to one that does not have it.
static void binomial_tree(int *value) {
    for (int have = 1; have < size; have *= 2) {
        if (rank < have && rank + have < size)
            send_slowly(value, rank + have);
        else if (rank >= have && rank < 2 * have)
            MPI_Recv(value, 1, MPI_INT, rank - have, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

// Inside one process the members read the root's buffer: no messages at all.
static void by_mpi(int *value) {
    MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void measure(const char *name, void (*broadcast)(int *)) {
    int value = rank == 0 ? 42 : 0, right, all_right;
    MPI_Barrier(MPI_COMM_WORLD);
    thrum_region_begin(name);
    double begin = MPI_Wtime(), mine, longest;
    broadcast(&value);
    mine = MPI_Wtime() - begin;
    thrum_region_end();
    right = value == 42;
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%-14s %.6f s%s\n", name, longest, all_right ? "" : ", and a wrong value");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    measure("line", from_root);
    measure("binomial tree", binomial_tree);
    measure("MPI_Bcast", by_mpi);
    MPI_Finalize();
}
