// Primes by a pipeline: each rank keeps the first number that reaches it, a prime, and passes on
// what that does not divide. A message of no elements ends the stream; the last rank says what is
// left.
// ranks: 2 8 32
#include "world.h"

enum { kLimit = 1200, kBlock = 16 };

static int block[kBlock], in_block;

static void put(int number, int last) { // passes numbers on in blocks; 0 ends the stream
    if (number)
        block[in_block++] = number;
    if (in_block == kBlock || (!number && in_block > 0)) {
        CHECK_SUCCESS(MPI_Send(block, in_block, MPI_INT, rank + 1, 0, MPI_COMM_WORLD));
        in_block = 0;
    }
    if (last)
        CHECK_SUCCESS(MPI_Send(block, 0, MPI_INT, rank + 1, 0, MPI_COMM_WORLD));
}

// The k-th prime, from 1 for 2.
static int prime(int k) {
    for (int n = 2;; ++n) {
        int divisor = 2;
        while (n % divisor)
            ++divisor;
        if (divisor == n && --k == 0)
            return n;
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int own = 0, count = 1, numbers[kBlock], leftover = 0;
    if (rank == 0) {
        for (int n = 2; n < kLimit; ++n)
            put(n, 0);
        put(0, 1);
    }
    while (rank > 0 && count > 0) {
        MPI_Status status;
        CHECK_SUCCESS(MPI_Recv(numbers, kBlock, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &status));
        CHECK_SUCCESS(MPI_Get_count(&status, MPI_INT, &count));
        for (int i = 0; i < count; ++i) {
            if (!own)
                own = numbers[i];
            else if (numbers[i] % own == 0)
                continue;
            else if (rank < size - 1)
                put(numbers[i], 0);
            else
                ++leftover;
        }
    }
    if (rank > 0) {
        CHECK_EQUAL(own, prime(rank));
        if (rank < size - 1)
            put(0, 1);
    }
    if (rank == size - 1) {
        int expected = 0; // what no prime up to mine divides
        for (int n = own + 1; n < kLimit; ++n) {
            int passes = 1;
            for (int k = 1; k <= rank; ++k)
                passes &= n % prime(k) != 0;
            expected += passes;
        }
        CHECK_EQUAL(leftover, expected);
    }
    return finish();
}
