/* A token goes round; then sums of a datatype of our own by an operation of our own. */
#include <mpi.h>

#include <stddef.h>
#include <stdio.h>

struct pair {
    int number;
    double value;
};

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *count; i++) {
        ((struct pair *)inout)[i].number += ((struct pair *)in)[i].number;
        ((struct pair *)inout)[i].value += ((struct pair *)in)[i].value;
    }
}

int main(int argc, char **argv) {
    int rank, size, token = 0;
    MPI_Status status;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 10; round++) {
        if (rank == 0)
            token += 1;
        MPI_Isend(&token, 1, MPI_INT, (rank + 1) % size, round, MPI_COMM_WORLD, &request);
        int received;
        MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        token = received;
    }
    struct pair mine = {rank, 0.5}, sum;
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {offsetof(struct pair, number), offsetof(struct pair, value)};
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, type;
    MPI_Op op;
    MPI_Type_create_struct(2, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&mine, &sum, 1, type, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    if (rank == 0)
        printf("%s\n", sum.number == size * (size - 1) / 2 && sum.value == size / 2.0
                           ? "sums are right"
                           : "sums are wrong");
    MPI_Finalize();
    return 0;
}
