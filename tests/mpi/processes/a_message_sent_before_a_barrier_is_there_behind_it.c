// A barrier of processes that share memory is no packet behind other packets
// (fabric/channel/gate.h). Nevertheless what others had sent before it has come when it is over,
// over many communicators at once: more than there are gates, freed and made anew, some with
// members of a few processes, some used by packets in between, with members that come late and have
// the others sleep. MPI 5.0 section 6.3: "If comm is an intra-communicator, MPI_BARRIER blocks the
// caller until all group members have called it."
//
// ranks: 2 5 8
// timeout: 100
#include "messages.h"

#include <unistd.h>

enum { kComms = 40, kRounds = 60 };

static unsigned long long state = 1;

static unsigned draw(unsigned limit) { // the same in all ranks
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % limit;
}

static void send_and_meet(MPI_Comm comm, int round) {
    int member, members, value, found = 0;
    MPI_Comm_rank(comm, &member);
    MPI_Comm_size(comm, &members);
    int right = (member + 1) % members, left = (member + members - 1) % members,
        sent = 1000 * round + member;
    MPI_Request request;
    if (draw(8) == 0 && member == (int)draw(2) % members)
        usleep(3000);
    CHECK_SUCCESS(MPI_Isend(&sent, 1, MPI_INT, right, round, comm, &request));
    CHECK_SUCCESS(MPI_Barrier(comm));
    CHECK_SUCCESS(MPI_Iprobe(left, round, comm, &found, MPI_STATUS_IGNORE));
    CHECK_EQUAL(found, 1);
    CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, left, round, comm, MPI_STATUS_IGNORE));
    CHECK_EQUAL(value, 1000 * round + left);
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static MPI_Comm made(int number) {
    MPI_Comm comm;
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, number % 3 == 2 ? rank % 2 : 0, rank, &comm));
    return comm;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm comms[kComms];
    for (int i = 0; i < kComms; ++i)
        comms[i] = made(i);
    for (int round = 0; round < kRounds; ++round)
        for (int use = 0; use < 10; ++use) {
            unsigned which = draw(kComms), what = draw(10);
            unsigned long long common = state;
            if (what == 0) {
                CHECK_SUCCESS(MPI_Comm_free(&comms[which]));
                comms[which] = made((int)which);
            } else if (what == 1) {
                int sum = 0, one = 1, members;
                MPI_Comm_size(comms[which], &members);
                CHECK_SUCCESS(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[which]));
                CHECK_EQUAL(sum, members);
            }
            send_and_meet(comms[which], round);
            state = common + 1; // members may have drawn differently often
        }
    for (int i = 0; i < kComms; ++i)
        CHECK_SUCCESS(MPI_Comm_free(&comms[i]));
    return finish();
}
