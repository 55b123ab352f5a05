// MPI 5.0 section 12.3.1: "The data transfer is the same as that which would occur if the origin
// process executed a send operation with arguments origin_addr, origin_count, origin_datatype,
// target_rank, tag, comm, and the target process executed a receive operation with arguments
// target_addr, target_count, target_datatype, source, tag, comm".
// ranks: 1 3
#include "windows.h"

struct Particle {
    char kind;
    double position[3];
    short charge;
};

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { count = 10 };
    struct Particle *memory, mine[count], got[count];
    int lengths[] = {1, 3, 1};
    MPI_Aint places[] = {offsetof(struct Particle, kind), offsetof(struct Particle, position),
                         offsetof(struct Particle, charge)};
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT}, bare, particle;
    MPI_Type_create_struct(3, lengths, places, types, &bare);
    MPI_Type_create_resized(bare, 0, sizeof(struct Particle), &particle);
    MPI_Type_commit(&particle);
    MPI_Win win;
    MPI_Win_allocate(sizeof mine, sizeof(struct Particle), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    memset(memory, 77, sizeof mine);
    memset(mine, 33, sizeof mine);
    for (int i = 0; i < count; ++i) {
        mine[i].kind = (char)('a' + i);
        for (int d = 0; d < 3; ++d)
            mine[i].position[d] = rank + i + d * 0.25;
        mine[i].charge = (short)(-i);
    }
    MPI_Win_fence(0, win);
    MPI_Put(mine, count - 1, particle, right_neighbour(), 1, count - 1, particle, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < count - 1; ++i) {
        CHECK_EQUAL(memory[i + 1].kind, 'a' + i);
        CHECK(memory[i + 1].position[2] == left_neighbour() + i + 0.5);
        CHECK_EQUAL(memory[i + 1].charge, -i);
        CHECK_EQUAL(((char *)&memory[i + 1])[1], 77); // a gap of the target
    }
    MPI_Get(got, count - 1, particle, right_neighbour(), 1, count - 1, particle, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < count - 1; ++i)
        CHECK(got[i].kind == mine[i].kind && got[i].position[1] == mine[i].position[1] &&
              got[i].charge == mine[i].charge);
    MPI_Type_free(&bare);
    MPI_Type_free(&particle);
    MPI_Win_free(&win);
    return finish();
}
