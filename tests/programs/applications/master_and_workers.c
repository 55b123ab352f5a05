// A master hands out intervals of an integral to whoever asks: MPI_ANY_SOURCE and MPI_ANY_TAG tell
// who asks and for what. Every interval is done exactly once, and their sum is pi.
// ranks: 2 4 16 64
#include "world.h"

#include <math.h>

enum { kTasks = 500, kReady = 1, kResult = 2, kTask = 3, kStop = 4 };

typedef struct {
    int task;
    double value;
} Result;

static double integrate(int task) {
    double sum = 0, width = 1.0 / kTasks;
    int steps = 20 + task % 50 * 10; // not all take equally long
    for (int i = 0; i < steps; ++i) {
        double x = width * (task + (i + 0.5) / steps);
        sum += 4 / (1 + x * x);
    }
    return sum * width / steps;
}

static void lead(MPI_Datatype result_type) {
    static int times_done[kTasks];
    int given = 0, stopped = 0;
    double pi = 0;
    while (stopped < size - 1) {
        Result result;
        MPI_Status status;
        CHECK_SUCCESS(MPI_Recv(&result, 1, result_type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                               &status));
        if (status.MPI_TAG == kResult) {
            CHECK(result.task >= 0 && result.task < kTasks);
            ++times_done[result.task];
            pi += result.value;
        } else {
            CHECK_EQUAL(status.MPI_TAG, kReady);
        }
        int stop = given == kTasks;
        CHECK_SUCCESS(
            MPI_Send(&given, 1, MPI_INT, status.MPI_SOURCE, stop ? kStop : kTask, MPI_COMM_WORLD));
        stopped += stop;
        given += !stop;
    }
    for (int i = 0; i < kTasks; ++i)
        CHECK_EQUAL(times_done[i], 1);
    CHECK(fabs(pi - acos(-1)) < 1e-6);
}

static void work(MPI_Datatype result_type) {
    Result result = {-1, 0};
    CHECK_SUCCESS(MPI_Send(&result, 1, result_type, 0, kReady, MPI_COMM_WORLD));
    for (;;) {
        MPI_Status status;
        CHECK_SUCCESS(MPI_Recv(&result.task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        if (status.MPI_TAG == kStop)
            return;
        result.value = integrate(result.task);
        CHECK_SUCCESS(MPI_Send(&result, 1, result_type, 0, kResult, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype result_type;
    int lengths[] = {1, 1};
    MPI_Aint places[] = {offsetof(Result, task), offsetof(Result, value)};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
    CHECK_SUCCESS(MPI_Type_create_struct(2, lengths, places, types, &result_type));
    CHECK_SUCCESS(MPI_Type_commit(&result_type));
    if (rank == 0)
        lead(result_type);
    else
        work(result_type);
    CHECK_SUCCESS(MPI_Type_free(&result_type));
    return finish();
}
