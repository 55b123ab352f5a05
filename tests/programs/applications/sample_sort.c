// Sample sort: each rank sorts its keys, all agree on splitters (MPI_Allgather), exchange by
// MPI_Alltoall and MPI_Alltoallv, and merge. Checked: order within and between ranks, and that no
// key was lost or made up.
// ranks: 1 4 13 64
#include "world.h"

enum { kKeys = 1000 }; // a rank, on average

static unsigned long long state;

static unsigned int random_number(void) { // xorshift64*
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned int)(state * 2685821657736338717ull >> 32);
}

static int compare(const void *a, const void *b) {
    unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    state = 88172645463325252ull + 977ull * (unsigned long long)rank;
    int count = kKeys + rank % 7 * 10, received = 0;
    unsigned int *keys = malloc((size_t)count * sizeof *keys);
    unsigned long long sums[2] = {0, (unsigned long long)count}, sums_after[2];
    for (int i = 0; i < count; ++i) {
        keys[i] = rank % 3 ? random_number() : random_number() % 1000; // many equal ones, too
        sums[0] += keys[i];
    }
    qsort(keys, (size_t)count, sizeof *keys, compare);

    unsigned int *samples = malloc((size_t)size * sizeof *samples);
    unsigned int *all = malloc((size_t)size * (size_t)size * sizeof *all);
    for (int i = 0; i < size; ++i)
        samples[i] = keys[(long)i * count / size];
    CHECK_SUCCESS(
        MPI_Allgather(samples, size, MPI_UNSIGNED, all, size, MPI_UNSIGNED, MPI_COMM_WORLD));
    qsort(all, (size_t)size * (size_t)size, sizeof *all, compare);

    int *send = calloc((size_t)size * 4, sizeof *send), *send_at = send + size;
    int *take = send + 2 * size, *take_at = send + 3 * size;
    for (int i = 0, part = 0; i < count; ++i) {
        while (part < size - 1 && keys[i] >= all[(part + 1) * size])
            ++part;
        ++send[part];
    }
    CHECK_SUCCESS(MPI_Alltoall(send, 1, MPI_INT, take, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; ++i) {
        send_at[i] = i ? send_at[i - 1] + send[i - 1] : 0;
        take_at[i] = received;
        received += take[i];
    }
    unsigned int *mine = malloc(((size_t)received + 1) * sizeof *mine);
    CHECK_SUCCESS(MPI_Alltoallv(keys, send, send_at, MPI_UNSIGNED, mine, take, take_at,
                                MPI_UNSIGNED, MPI_COMM_WORLD));
    qsort(mine, (size_t)received, sizeof *mine, compare);

    // The largest key of all lower ranks is not larger than my smallest.
    unsigned int largest = received ? mine[received - 1] : 0, before = 0;
    CHECK_SUCCESS(MPI_Exscan(&largest, &before, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD));
    if (rank > 0 && received)
        CHECK(before <= mine[0]);
    unsigned long long sums_now[2] = {0, (unsigned long long)received}, total[2];
    for (int i = 0; i < received; ++i) {
        CHECK(i == 0 || mine[i - 1] <= mine[i]);
        sums_now[0] += mine[i];
    }
    CHECK_SUCCESS(MPI_Allreduce(sums, total, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK_SUCCESS(
        MPI_Allreduce(sums_now, sums_after, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(total[0] == sums_after[0] && total[1] == sums_after[1]);
    free(mine);
    free(send);
    free(all);
    free(samples);
    free(keys);
    return finish();
}
