// Gravity between n bodies: the ranks' bodies travel round a ring (MPI_Sendrecv_replace of a struct
// datatype) until all have met all. Momentum stays what it was, and forces are those of a serial
// sum.
// ranks: 1 4 16 64
#include "world.h"

#include <math.h>

enum { kBodies = 128, kSteps = 4 };

typedef struct {
    double place[3], speed[3], mass;
    char name[5];
} Body;

static Body make(int index) {
    Body body = {.mass = 1 + index % 5};
    for (int k = 0; k < 3; ++k) {
        body.place[k] = sin(index * (k + 1) * 1.7) * 10;
        body.speed[k] = cos(index * (k + 2) * 0.9) * 0.1;
    }
    snprintf(body.name, sizeof body.name, "%04u", (unsigned)index % 1000u);
    return body;
}

static void pull(const Body *on, const Body *by, double *force) {
    double d[3], r2 = 0.01;
    for (int k = 0; k < 3; ++k) {
        d[k] = by->place[k] - on->place[k];
        r2 += d[k] * d[k];
    }
    for (int k = 0; k < 3; ++k)
        force[k] += on->mass * by->mass * d[k] / (r2 * sqrt(r2));
}

static MPI_Datatype body_type(void) {
    MPI_Datatype type, resized;
    int lengths[] = {3, 3, 1, 5};
    MPI_Aint places[] = {offsetof(Body, place), offsetof(Body, speed), offsetof(Body, mass),
                         offsetof(Body, name)};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE, MPI_CHAR};
    CHECK_SUCCESS(MPI_Type_create_struct(4, lengths, places, types, &type));
    CHECK_SUCCESS(MPI_Type_create_resized(type, 0, sizeof(Body), &resized));
    CHECK_SUCCESS(MPI_Type_commit(&resized));
    CHECK_SUCCESS(MPI_Type_free(&type));
    return resized;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    CHECK(kBodies % size == 0);
    int count = kBodies / size, left = (rank + size - 1) % size, right = (rank + 1) % size;
    static Body mine[kBodies], passing[kBodies], all[kBodies];
    MPI_Datatype type = body_type();
    double momentum[3] = {0}, at_start[3];
    for (int i = 0; i < count; ++i) {
        mine[i] = make(rank * count + i);
        for (int k = 0; k < 3; ++k)
            momentum[k] += mine[i].mass * mine[i].speed[k];
    }
    CHECK_SUCCESS(MPI_Allreduce(momentum, at_start, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    for (int step = 0; step < kSteps; ++step) {
        static double forces[kBodies][3];
        memset(forces, 0, sizeof forces);
        memcpy(passing, mine, sizeof passing);
        for (int turn = 0; turn < size; ++turn) {
            for (int i = 0; i < count; ++i)
                for (int j = 0; j < count; ++j)
                    if (turn > 0 || i != j)
                        pull(&mine[i], &passing[j], forces[i]);
            CHECK_SUCCESS(MPI_Sendrecv_replace(passing, count, type, right, step, left, step,
                                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
        // All have come home.
        for (int i = 0; i < count; ++i)
            CHECK(memcmp(passing[i].place, mine[i].place, sizeof mine[i].place) == 0 &&
                  strcmp(passing[i].name, mine[i].name) == 0);
        CHECK_SUCCESS(MPI_Allgather(mine, count, type, all, count, type, MPI_COMM_WORLD));
        for (int i = 0; i < count; ++i) {
            double serial[3] = {0};
            for (int j = 0; j < kBodies; ++j)
                if (j != rank * count + i)
                    pull(&mine[i], &all[j], serial);
            for (int k = 0; k < 3; ++k) {
                CHECK(fabs(serial[k] - forces[i][k]) < 1e-9 * (1 + fabs(serial[k])));
                mine[i].speed[k] += 0.01 * forces[i][k] / mine[i].mass;
                mine[i].place[k] += 0.01 * mine[i].speed[k];
            }
        }
    }
    double at_end[3];
    memset(momentum, 0, sizeof momentum);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k)
            momentum[k] += mine[i].mass * mine[i].speed[k];
    CHECK_SUCCESS(MPI_Allreduce(momentum, at_end, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    for (int k = 0; k < 3; ++k)
        CHECK(fabs(at_end[k] - at_start[k]) < 1e-9);
    CHECK_SUCCESS(MPI_Type_free(&type));
    return finish();
}
