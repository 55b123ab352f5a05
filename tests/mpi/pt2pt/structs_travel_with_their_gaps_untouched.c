// MPI 5.0 section 5.1.2: MPI_TYPE_CREATE_STRUCT "is the most general type constructor": each block
// has its own displacement and type; what lies between the blocks is not part of the message.
// ranks: 2
#include "messages.h"

#include <stddef.h>
#include <string.h>

struct Particle {
    char kind;
    double position[3];
    short charge;
    int untouched;
};

enum { kParticles = 3000 };

int main(void) {
    start(NULL, NULL);
    static struct Particle particles[kParticles];
    int lengths[] = {1, 3, 1};
    MPI_Aint displacements[] = {offsetof(struct Particle, kind),
                                offsetof(struct Particle, position),
                                offsetof(struct Particle, charge)};
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT}, fields, particle;
    MPI_Type_create_struct(3, lengths, displacements, types, &fields);
    MPI_Type_create_resized(fields, 0, sizeof(struct Particle), &particle);
    MPI_Type_commit(&particle);
    MPI_Type_free(&fields);
    memset(particles, 0x55, sizeof particles);
    for (int count = 1; count <= kParticles; count = count * 7 + 11) {
        if (rank == 0) {
            for (int i = 0; i < count; ++i) {
                struct Particle one = {(char)(i % 100), {i, i * 2.5, -i}, (short)i, i};
                particles[i] = one;
            }
            MPI_Send(particles, count, particle, 1, count, MPI_COMM_WORLD);
        } else {
            MPI_Recv(particles, count, particle, 0, count, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < count; ++i) {
                CHECK_EQUAL(particles[i].kind, i % 100);
                CHECK(particles[i].position[0] == i);
                CHECK(particles[i].position[1] == i * 2.5);
                CHECK(particles[i].position[2] == -i);
                CHECK_EQUAL(particles[i].charge, (short)i);
                CHECK_EQUAL(particles[i].untouched, 0x55555555);
            }
        }
    }
    MPI_Type_free(&particle);
    MPI_Finalize();
    return 0;
}
