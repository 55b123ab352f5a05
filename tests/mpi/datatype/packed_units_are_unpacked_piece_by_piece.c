// MPI 5.0 section 5.2: "Several messages can be successively packed into one packing unit"; a
// message may be sent typed and received as MPI_PACKED, or the other way round, if the signatures
// match.
// ranks: 2 3
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    char buffer[256], name[4] = "";
    int position = 0, numbers[3] = {rank, rank + 1, rank + 2}, bytes;
    double real = rank / 2.0;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Status status;
    MPI_Pack(numbers, 3, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Pack(&real, 1, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Pack("abc", 4, MPI_CHAR, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    char in[256];
    MPI_Sendrecv(buffer, position, MPI_PACKED, right, 0, in, sizeof in, MPI_PACKED, left, 0,
                 MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_PACKED, &bytes);
    CHECK_EQUAL(bytes, position);
    position = 0;
    MPI_Unpack(in, bytes, &position, numbers, 3, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(in, bytes, &position, &real, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(in, bytes, &position, name, 4, MPI_CHAR, MPI_COMM_WORLD);
    CHECK_EQUAL(position, bytes);
    CHECK_EQUAL(numbers[2], left + 2);
    CHECK(real == left / 2.0);
    CHECK(strcmp(name, "abc") == 0);
    // Packed at the sender, typed at the receiver; and the other way round.
    position = 0;
    numbers[0] = 50 + rank;
    MPI_Pack(numbers, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    int value = -1;
    MPI_Sendrecv(buffer, position, MPI_PACKED, right, 1, &value, 1, MPI_INT, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQUAL(value, 50 + left);
    MPI_Sendrecv(&value, 1, MPI_INT, right, 2, in, sizeof in, MPI_PACKED, left, 2, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_PACKED, &bytes);
    position = 0;
    MPI_Unpack(in, bytes, &position, &value, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK_EQUAL(value, 50 + (left + size - 1) % size);
    return finish();
}
