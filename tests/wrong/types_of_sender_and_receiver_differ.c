// MPI 5.0 section 3.3.1: the types of sender and receiver must match. A message of other types is
// received, with one warning for each pair of lines that names both ranks, lines and types.
// ranks: 2 3
// modes: fibers-1 fibers-2 os-threads
// expect: rank 1: MPI_Recv: the message from rank 0 has 1 MPI_FLOAT, but the receive expects MPI_INT
// expect: \(sent by MPI_Send at .*types_of.*differ.c:46 in send_all; received at .*differ.c:72 in rec
// expect: the message from rank 0 has 2 MPI_DOUBLE, but the receive expects MPI_LONG \(sent by MPI_I
// expect: the message from rank 0 has 200 MPI_DOUBLE, but the receive expects MPI_FLOAT \(sent by MPI
// expect: the message from rank 0 has 20000 MPI_DOUBLE, but the receive expects MPI_LONG \(sent by M
// expect: rank 1: MPI_Wait: the message from rank 0 has 1 MPI_FLOAT, but the receive expects MPI_LOG
// expect: MPI_Mrecv: the message from rank 0 has 1 MPI_INT, 1 MPI_DOUBLE \(datatype "particle"\), but
// expect: but the receive expects 2 MPI_INT, 2 MPI_FLOAT; element 1 is MPI_DOUBLE in the message and
// expect: MPI_Wait: the message from rank 0 has 3 MPI_SHORT, but the receive expects MPI_CHAR \(sent b
// expect: rank 0: MPI_Sendrecv_replace: the message from rank 1 has 1 MPI_INT, but the receive expects
#include "check.h"

#include <mpi.h>

#include <stddef.h>

static double data[20000];

typedef struct {
    int number;
    double value;
} Particle;

typedef struct {
    int numbers[2];
    float values[2];
} Other;

static MPI_Datatype make_struct(int first, int second, MPI_Aint place, MPI_Datatype type) {
    int lengths[] = {first, second};
    MPI_Aint places[] = {0, place};
    MPI_Datatype types[] = {MPI_INT, type}, result;
    MPI_Type_create_struct(2, lengths, places, types, &result);
    MPI_Type_commit(&result);
    return result;
}

static void send_all(void) {
    float value = 1;
    MPI_Request request;
    for (int i = 0; i < 3; ++i) // the same lines: one warning
        MPI_Send(&value, 1, MPI_FLOAT, 1, 1, MPI_COMM_WORLD);
    MPI_Isend(data, 2, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(data, 200, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
    MPI_Send(data, 20000, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
    // The program frees the datatype while the message is on its way.
    Particle particle = {1, 2};
    MPI_Datatype type = make_struct(1, 1, offsetof(Particle, value), MPI_DOUBLE);
    MPI_Type_set_name(type, "particle");
    MPI_Send(&particle, 1, type, 1, 5, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); // the receives are posted
    MPI_Send(&value, 1, MPI_FLOAT, 1, 6, MPI_COMM_WORLD);
    char buffer[200 + MPI_BSEND_OVERHEAD];
    short shorts[3] = {0};
    int size;
    void *detached;
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(shorts, 3, MPI_SHORT, 1, 7, MPI_COMM_WORLD);
    MPI_Buffer_detach(&detached, &size);
}

static void receive_all(void) {
    int value, flag = 0;
    for (int i = 0; i < 3; ++i)
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 2, MPI_LONG, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 400, MPI_FLOAT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Status status;
    MPI_Recv(data, 20000, MPI_LONG, 0, 4, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_LONG, &value);
    CHECK_EQUAL(value, 20000);
    MPI_Barrier(MPI_COMM_WORLD);
    Other other;
    MPI_Message message;
    MPI_Datatype type = make_struct(2, 2, offsetof(Other, values), MPI_FLOAT);
    MPI_Mprobe(0, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&other, 1, type, &message, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Request requests[2];
    char text[6];
    MPI_Irecv(&flag, 1, MPI_LOGICAL, 0, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(text, 6, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Start(&requests[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        send_all();
    else if (rank == 1)
        receive_all();
    else
        for (int i = 0; i < 2; ++i)
            MPI_Barrier(MPI_COMM_WORLD);
    float real = 1;
    int integer = 1;
    if (rank == 0)
        MPI_Sendrecv_replace(&real, 1, MPI_FLOAT, 1, 8, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Sendrecv_replace(&integer, 1, MPI_INT, 0, 8, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
