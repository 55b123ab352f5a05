// Stream compaction: each rank keeps those of its elements that pass a test; MPI_Exscan tells where
// its part of the dense result begins, and MPI_Alltoallv deals that out evenly again, in order.
// ranks: 1 4 16 64
#include "world.h"

enum { kElements = 300 };

static int value_of(int index) {
    return (int)((unsigned int)index * 2654435761u >> 8 & 0xffff);
}

static int passes(int value) {
    return value % 3 == 0;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int kept[kElements], count = 0, before = 0, total = 0;
    for (int i = 0; i < kElements; ++i) {
        int value = value_of(rank * kElements + i);
        // Every fifth rank keeps nothing at all.
        if (rank % 5 != 4 && passes(value))
            kept[count++] = value;
    }
    CHECK_SUCCESS(MPI_Exscan(&count, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (rank == 0)
        before = 0;
    CHECK_SUCCESS(MPI_Allreduce(&count, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    int inclusive = 0;
    CHECK_SUCCESS(MPI_Scan(&count, &inclusive, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQUAL(inclusive, before + count);

    // Rank r gets the places [r * share, (r + 1) * share) of the result.
    int share = (total + size - 1) / size;
    int *send = calloc((size_t)size * 4, sizeof *send), *send_at = send + size;
    int *take = send + 2 * size, *take_at = send + 3 * size, received = 0;
    for (int i = 0; i < count; ++i)
        ++send[(before + i) / share];
    CHECK_SUCCESS(MPI_Alltoall(send, 1, MPI_INT, take, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; ++i) {
        send_at[i] = i ? send_at[i - 1] + send[i - 1] : 0;
        take_at[i] = received;
        received += take[i];
    }
    int *mine = malloc(((size_t)share + 1) * sizeof *mine);
    CHECK(received <= share);
    CHECK_SUCCESS(
        MPI_Alltoallv(kept, send, send_at, MPI_INT, mine, take, take_at, MPI_INT, MPI_COMM_WORLD));
    int place = 0;
    for (int r = 0; r < size; ++r)
        for (int i = 0; r % 5 != 4 && i < kElements; ++i) {
            int value = value_of(r * kElements + i);
            if (!passes(value))
                continue;
            if (place / share == rank)
                CHECK_EQUAL(mine[place % share], value);
            ++place;
        }
    CHECK_EQUAL(place, total);
    free(mine);
    free(send);
    return finish();
}
