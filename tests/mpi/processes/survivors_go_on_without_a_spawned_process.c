// Two processes have three children. One of these is killed (with the argument "agent": what has
// started it), or one of their parents ("parent"): all others get errors from what involves it, on
// the inter-communicator, too; they go on with each other, the parents with new children besides,
// and finalize. The job's exit code is the lost one's. MPI 5.0 section 11.4.2: "the remaining
// processes in MPI_COMM_WORLD should be able to continue communicating with each other and receive
// an appropriate error code when attempting communication with an aborted process (e.g., an error
// of class MPI_ERR_PROC_ABORTED)."
// ranks: 2
// exit: 137
// expect: rank 1 of the ranks started by MPI_Comm_spawn .* was ended by signal 9 .*; not inside an MPI call
// expect: survivors: 4
// timeout: 60
#include "check.h"

#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { victim = 1, large = 4 << 20 };

#define LOST(call) CHECK_ERROR(call, MPI_ERR_PROC_ABORTED)

static MPI_Comm family;            // parents and children
static int rank, is_child, others; // how many there are on the other side

// On a communicator where `peer` is lost. Some are blocked while it dies.
static void wait_in_every_way(MPI_Comm comm, int peer) {
    int value = 0;
    char *data = calloc(large, 1);
    MPI_Request request;
    LOST(MPI_Recv(&value, 1, MPI_INT, peer, 1, comm, MPI_STATUS_IGNORE));
    LOST(MPI_Send(data, large, MPI_BYTE, peer, 1, comm));
    LOST(MPI_Ssend(&value, 1, MPI_INT, peer, 1, comm));
    LOST(MPI_Probe(peer, 4, comm, MPI_STATUS_IGNORE));
    MPI_Irecv(&value, 1, MPI_INT, peer, 2, comm, &request);
    LOST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    LOST(MPI_Barrier(comm));
    MPI_Ibarrier(comm, &request);
    LOST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    free(data);
}

// Every survivor of one side with every one of the other.
static void go_on_together(int lost_is_child) {
    int got = -1;
    for (int other = 0; other < others; ++other) {
        if (lost_is_child != is_child && other == victim)
            continue;
        CHECK_SUCCESS(MPI_Sendrecv(&rank, 1, MPI_INT, other, 7, &got, 1, MPI_INT, other, 7, family,
                                   MPI_STATUS_IGNORE));
        CHECK_EQUAL(got, other);
    }
    // Those of its side make a communicator without it.
    if (lost_is_child == is_child) {
        MPI_Group world, left;
        MPI_Comm comm;
        int lost = victim, sum = 1, size;
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        MPI_Group_excl(world, 1, &lost, &left);
        MPI_Group_size(left, &size);
        CHECK_SUCCESS(MPI_Comm_create_group(MPI_COMM_WORLD, left, 9, &comm));
        CHECK_SUCCESS(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm));
        CHECK_EQUAL(sum, size);
        MPI_Comm_free(&comm);
        MPI_Group_free(&world);
        MPI_Group_free(&left);
    } else {
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    }
}

// To parent 0, which says how many survivors there are.
static void count_survivors(int lost_is_child) {
    const int survivors = 4;
    int one = 1, sum = 1;
    if (is_child || rank > 0) {
        CHECK_SUCCESS(MPI_Send(&one, 1, MPI_INT, 0, 8, is_child ? family : MPI_COMM_WORLD));
        return;
    }
    for (int i = 0; i < lost_is_child; ++i, ++sum) // the other parent
        CHECK_SUCCESS(MPI_Recv(&one, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < 3 - lost_is_child; ++i, ++sum) // whoever is left
        CHECK_SUCCESS(MPI_Recv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 8, family, MPI_STATUS_IGNORE));
    CHECK_EQUAL(sum, survivors);
    printf("survivors: %d\n", sum);
}

static void spawn_others(char *program) {
    char *arguments[] = {"late", NULL};
    MPI_Comm children;
    CHECK_SUCCESS(MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                                 MPI_ERRCODES_IGNORE));
    CHECK_SUCCESS(MPI_Barrier(children));
    CHECK_SUCCESS(MPI_Comm_disconnect(&children));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_get_parent(&family);
    is_child = family != MPI_COMM_NULL;
    const char *what = argc > 1 ? argv[1] : "child";
    if (strcmp(what, "late") == 0) {
        CHECK_SUCCESS(MPI_Barrier(family));
        CHECK_SUCCESS(MPI_Comm_disconnect(&family));
        MPI_Finalize();
        return 0;
    }
    if (!is_child)
        CHECK_SUCCESS(MPI_Comm_spawn(argv[0], argv + 1, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                                     &family, MPI_ERRCODES_IGNORE));
    MPI_Comm_set_errhandler(family, MPI_ERRORS_RETURN);
    MPI_Comm_remote_size(family, &others);
    CHECK_SUCCESS(MPI_Barrier(family)); // all have their error handlers
    const int lost_is_child = strcmp(what, "parent") != 0;
    if (lost_is_child == is_child && rank == victim) {
        usleep(200000);
        kill(strcmp(what, "agent") == 0 ? getppid() : getpid(), SIGKILL);
        pause();
    }
    wait_in_every_way(lost_is_child == is_child ? MPI_COMM_WORLD : family, victim);
    LOST(MPI_Barrier(family));
    go_on_together(lost_is_child);
    count_survivors(lost_is_child);
    if (!is_child && rank == 0)
        spawn_others(argv[0]);
    LOST(MPI_Comm_disconnect(&family));
    CHECK_SUCCESS(MPI_Comm_free(&family));
    MPI_Finalize();
    return 0;
}
